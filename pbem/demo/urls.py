"""The URLs of the mail program, in development only."""

from django.urls import path

from pbem.demo.views import frame, inbox, letter, letters, newest

app_name = "letters"
urlpatterns = [
    path("", letters, name="all"),
    path("<str:address>/", inbox, name="inbox"),
    path("<str:address>/newest/", newest, name="newest"),
    path("<str:address>/<str:name>/", letter, name="letter"),
    path("<str:address>/<str:name>/html/", frame, name="html"),
]
