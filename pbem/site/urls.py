"""The URLs of the public pages, below the language."""

from django.urls import path

from pbem.site import pictures
from pbem.site.views import front, games

app_name = "site"
urlpatterns = [
    path("", front.front, name="front"),
    path("guide/", front.guide, name="guide"),
    path("guide/<int:number>.svg", pictures.of_guide, name="guide-picture"),
    path("letter.svg", pictures.letter, name="letter-picture"),
    path("privacy/", front.privacy, name="privacy"),
    path("games/", games.index, name="games"),
    path("games/<str:name>.svg", pictures.game, name="game-picture"),
    path("games/<str:key>/", games.game, name="game"),
    path("games/<str:key>/<int:number>.svg", pictures.rules, name="rules-picture"),
]
