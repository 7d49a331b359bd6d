"""The unsubscribe URLs, separate for processes that only write letters."""

from django.urls import path

from pbem.inbox.views import never_again, unsubscribe

urlpatterns = [
    path("u/<str:token>/", unsubscribe, name="unsubscribe"),
    path("n/<str:token>/", never_again, name="never-again"),
]
