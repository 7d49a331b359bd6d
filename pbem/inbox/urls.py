"""The ways out that each letter names. They stand apart: who writes letters needs no other addresses, and no desk."""

from django.urls import path

from pbem.inbox.views import never_again, unsubscribe

urlpatterns = [
    path("u/<str:token>/", unsubscribe, name="unsubscribe"),
    path("n/<str:token>/", never_again, name="never-again"),
]
