"""The URLs of the public pages, below the language."""

from django.urls import path

from pbem.site import feeds, pictures
from pbem.site.views import competitions, front, games, matches, players

app_name = "site"
urlpatterns = [
    path("", front.front, name="front"),
    path("guide/", front.guide, name="guide"),
    path("guide/<int:number>.svg", pictures.of_guide, name="guide-picture"),
    path("boards/<str:key>.svg", pictures.boards, name="boards"),
    path("api/", front.api, name="api"),
    path("privacy/", front.privacy, name="privacy"),
    path("games/", games.index, name="games"),
    path("games/<str:name>.svg", pictures.game, name="game-picture"),
    path("games/<str:key>/", games.game, name="game"),
    path("games/<str:key>/<int:number>.svg", pictures.rules, name="rules-picture"),
    path("matches/", matches.archive, name="matches"),
    path("matches/<int:number>/", matches.match, name="match"),
    path("matches/<int:number>/<int:ply>/", matches.match, name="match"),
    path("matches/<int:number>/record.<str:form>", matches.record, name="record"),
    path("matches/<int:number>/<int:ply>-<str:digest>.<str:form>", matches.picture_of, name="picture"),
    path("matches/<int:number>/small-<int:ply>-<str:digest>.svg", matches.small_picture, name="small"),
    path("embed/<int:number>/<int:ply>/", matches.embed, name="embed"),
    path("oembed", matches.oembed, name="oembed"),
    path("playing/", matches.live, name="playing"),
    path("players/", players.players, name="players"),
    path("players/<str:name>/", players.player, name="player"),
    path("players/<str:name>/<str:pool>.svg", players.rating_curve, name="rating-curve"),
    path("competitions/", competitions.index, name="competitions"),
    path("competitions/<int:number>/", competitions.competition, name="competition"),
    path("competitions/<int:number>/table.csv", competitions.table, name="competition-table"),
    path("ratings/", players.ratings, name="ratings"),
    path("ratings/<str:pool>/", players.rating_list, name="rating-list"),
    path("offers/", players.offers, name="offers"),
    path("search", players.search, name="search"),
    path("feeds/matches.atom", feeds.matches, name="feed"),
    path("feeds/games/<str:name>.atom", feeds.game, name="game-feed"),
    path("feeds/players/<str:name>.atom", feeds.player, name="player-feed"),
    path("feeds/competitions/<int:number>.atom", feeds.competition, name="competition-feed"),
    path("sitemap.xml", feeds.sitemap, name="sitemap"),
]
