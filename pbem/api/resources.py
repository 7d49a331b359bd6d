"""What the API lets everybody read, which is what the public pages show, and players of their own."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from ninja import Router
from ninja.errors import HttpError

from games.export import members
from games.protocol import UnknownName
from games.registry import AnyGame, games, names
from pbem.api.access import Token, player_of, unless_known
from pbem.api.schemas import Competition, Game, Items, Key, MatchRow, Name, Own, Rated, Table
from pbem.api.schemas import Match as Shown
from pbem.api.schemas import Player as Person
from pbem.inbox.commands.topics import TOPICS
from pbem.matches import offers
from pbem.matches.models import Match, Seat
from pbem.matches.plies import asked
from pbem.players.api_tokens import Scope
from pbem.players.models import Player
from pbem.published import lists, player_page
from pbem.published.competition_page import CompetitionPage, competition_page
from pbem.published.match_page import MatchPage, match_page
from pbem.queue.sql import compiled_query
from pbem.ratings.leaderboards import Listed, pool_called

MOST = 100  # on a page
Fields = dict[str, Any]
router = Router()
public = partial(router.get, exclude_none=True)
private = partial(public, auth=Token(Scope.READ))
MISSING = HttpError(404, "Not Found")


def page_of(view: str, *args: object) -> str:
    return settings.SITE_URL + reverse(f"site:{view}", args=args)


def following(request: HttpRequest, response: HttpResponse, **query: object) -> str:
    """Returns the URL of the next page, which a header says too."""
    url = f"{settings.SITE_URL}{request.path}?{urlencode({name: value for name, value in query.items() if value})}"
    response.headers["Link"] = f'<{url}>; rel="next"'
    return url


@public("/games", response=Items[Game])
def list_games(request: HttpRequest) -> Fields:
    return {"items": list(map(_game, games().values()))}


@public("/games/{name}", response=Game)
def one_game(request: HttpRequest, name: Name) -> Fields:
    if name not in games():
        raise MISSING
    return _game(games()[name])


@public("/matches", response=Items[MatchRow], summary="Finished matches, the newest first")
def list_matches(
    request: HttpRequest, response: HttpResponse, game: Name = "", player: Name = "", after: Key = 0
) -> Fields:
    known = player_page.player_called(player) if player else None
    if (game and game not in names()) or (player and known is None):
        raise MISSING
    players = [known] if known else []
    found = lists.over(game=game, players=players, before=after or None, now=timezone.now(), most=MOST)
    then = following(request, response, game=game, player=player, after=found.older) if found.older else None
    return {"items": list(map(_row, found.rows)), "next": then}


@public("/matches/{int:number}", response=Shown)
def one_match(request: HttpRequest, number: int, legal: bool = False) -> Fields:
    found = match_page(number, timezone.now())
    if found is None:
        raise MISSING
    unless_known(request, found.state, legal)
    position, goes_on = found.position(found.plies), found.shown.live
    more = {
        "position": str(position),
        "to_move": found.game.sides[int(position.to_move)] if goes_on else None,
        "clock": str(found.terms.control or "") or None,
        "rated": found.terms.rated,
        "legal": list(map(str, position.moves())) if legal and goes_on else None,
    }
    return _row(found) | members(found.record()) | more


@public("/players/{name}", response=Person)
def one_player(request: HttpRequest, name: Name) -> Fields:
    found, now = player_page.player_called(name), timezone.now()
    if found is None:
        raise MISSING
    reliability = player_page.reliability(found, now)
    return {
        "player": found.name,
        "program": found.program or found.robot is not None,
        "robot": found.robot,
        "on_time": reliability.on_time if reliability else None,
        "ratings": [_rated(row, found.name) for row in player_page.ratings(found, now)],
        "page": page_of("player", found.name),
    }


@public("/ratings/{pool}", response=Items[Rated], summary="The best of a game, then provisional ratings")
def rating_list(request: HttpRequest, pool: Name) -> Fields:
    try:
        firm, rest = player_page.best(pool_called(pool), timezone.now())
    except UnknownName:
        raise MISSING from None
    return {"items": [_rated(row, row.row.player.name) for row in (*firm, *rest)]}


@public("/competitions/{int:number}", response=Competition)
def one_competition(request: HttpRequest, number: int) -> Fields:
    found = _competition(number)
    competition = found.competition
    return {
        "competition": number,
        "name": competition.name,
        "game": competition.game_name,
        "system": competition.system,
        "over": found.is_over,
        "takes_entries": competition.takes_entries(),
        "players": list(found.names.values()),
        "matches": list(map(_row, found.matches(timezone.now()))),
        "page": page_of("competition", number),
    }


@public("/competitions/{int:number}/table", response=Items[Table])
def competition_table(request: HttpRequest, number: int) -> Fields:
    return {"items": _competition(number).tables}


@private("/me/turns", response=Items[Own], summary="Where you are to move, with the question for an engine")
def my_turns(request: HttpRequest) -> Fields:
    player = player_of(request)
    unless_known(request, player.pk, state := _awaited(player.pk))
    waiting = Match.objects.filter(pk__in={row[0] for row in state}).order_by("pk")
    return {"items": [own(seat) | {"question": asked(seat.match)} for seat in _seats(player, waiting)]}


@compiled_query
def _awaited(player: int) -> QuerySet[Seat, tuple[Any, ...]]:
    """Returns what changes whenever the turns do, a row for each and its offers."""
    told = ("pk", "ply", "position", "to_move_since", "deadline", "draw_offered_by", "offers__kind")
    waiting = Seat.objects.filter(player=player, side=F("match__to_move"), match__status=Match.Status.PLAYING)
    return waiting.order_by("match").values_list(*(f"match__{name}" for name in told))


@private("/me/matches", response=Items[Own], summary="Your matches, the newest first")
def my_matches(request: HttpRequest, response: HttpResponse, after: Key = 0) -> Fields:
    player = player_of(request)
    mine = Match.objects.of(player).order_by("-pk")
    found = _seats(player, (mine.filter(pk__lt=after) if after else mine)[: MOST + 1])
    then = following(request, response, after=found[MOST - 1].match_id) if len(found) > MOST else None
    return {"items": list(map(own, found[:MOST])), "next": then}


@private("/me/challenges", response=Items[Own], summary="What waits for an answer: yours, or theirs to you")
def my_challenges(request: HttpRequest) -> Fields:
    player = player_of(request)
    asked_of_me = [offer.seat for offer in offers.asked_of(player)]
    proposed = Match.objects.filter(proposer=player, status=Match.Status.PROPOSED).order_by("pk")
    return {"items": list(map(own, (*asked_of_me, *_seats(player, proposed))))}


@private("/me/settings", response=dict[str, str], summary="Your settings, as SET ALL lists them")
def my_settings(request: HttpRequest) -> dict[str, str]:
    player = player_of(request)
    return {topic.key: topic.value.write(vars(player), player.language) for topic in TOPICS}


def own(seat: Seat) -> Fields:
    """Returns the match as its player sees it."""
    match, outcome = seat.match, seat.match.outcome()
    question = offers.asked_in(seat)
    return {
        "match": match.pk,
        "game": match.game_name,
        "status": match.status,
        "side": match.game.sides[seat.side],
        "opponent": seat.opponent.player.name,
        "ply": match.ply,
        "your_turn": match.status == Match.Status.PLAYING and seat.is_to_move,
        "position": match.position,
        "deadline": match.deadline,
        "clock": str(match.agreed.control or "") or None,
        "rated": match.agreed.rated,
        "offer": question.what if question else None,
        "result": outcome.score if outcome else None,
        "reason": outcome.reason if outcome else None,
    }


def _seats(player: Player, matches: QuerySet[Match]) -> list[Seat]:
    """Returns the player's seats in these matches. Three queries."""
    found = matches.prefetch_related("seats__player")
    return [seat for match in found for seat in match.seated if seat.player_id == player.pk]


def _game(game: AnyGame) -> Fields:
    phrases = game.phrases(get_language() or "en")
    return {
        "game": game.key,
        "title": phrases["name"],
        "summary": phrases["summary"],
        "sides": game.sides,
        "variants": [f"{game.key}:{preset}" for preset in game.presets if preset],
        "page": page_of("game", game.key),
    }


def _row(found: MatchPage) -> Fields:
    first, second = found.shown.names
    outcome, told = found.outcome, found.told_at
    return {
        "match": found.number,
        "game": found.game_name,
        "first": first or None,
        "second": second or None,
        "ended": told.strftime("%Y-%m-%d" if found.shown.dated else "%Y-%m") if told else None,
        "result": outcome.score if outcome else "*",
        "reason": outcome.reason if outcome else None,
        "ply": found.plies,
        "page": page_of("match", found.number),
    }


def _competition(number: int) -> CompetitionPage:
    found = competition_page(number, timezone.now())
    if found is None:
        raise MISSING
    return found


def _rated(listed: Listed, player: str) -> Fields:
    strength = listed.strength
    return {
        "pool": listed.row.pool,
        "player": player,
        "rating": round(strength.rating),
        "deviation": round(strength.deviation),
        "provisional": strength.is_provisional,
        "matches": listed.row.matches,
    }
