"""The addresses of boards, below /b/."""

from django.urls import path

from pbem.site.board import views

urlpatterns = [
    path("<str:token>/", views.board, name="board"),
    path("<str:token>/code/", views.code, name="board-code"),
]
