"""What the API lets everybody read, which is what the public pages show, and players of their own."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from ninja import Query, Router
from ninja.errors import HttpError
from pydantic import StringConstraints

from games.export import members
from games.protocol import Outcome, UnknownName
from games.registry import AnyGame, games, names
from pbem.api import schemas
from pbem.api.access import Token, player_of, unless_known
from pbem.inbox.commands.preferences import value_of
from pbem.inbox.commands.topics import TOPICS
from pbem.matches import offers
from pbem.matches.models import Match, Seat
from pbem.matches.plies import asked
from pbem.players.api_tokens import Scope
from pbem.players.models import Player
from pbem.published import lists, player_page
from pbem.published.competition_page import CompetitionPage, competition_page
from pbem.published.match_page import MatchPage, match_page
from pbem.ratings.leaderboards import Listed, pool_called

MOST = 100  # on a page
READ = Token(Scope.READ)
router = Router()
Name = Annotated[str, StringConstraints(max_length=80, pattern=r"^[^\x00]*$")]
Fields = dict[str, Any]


def missing() -> HttpError:
    return HttpError(404, "Not Found")


def page_of(view: str, *args: object) -> str:
    return settings.SITE_URL + reverse(f"site:{view}", args=args)


def following(request: HttpRequest, response: HttpResponse, **query: object) -> str:
    """Returns the URL of the next page, which a header says too."""
    asked = urlencode({name: value for name, value in query.items() if value})
    url = f"{settings.SITE_URL}{request.path}?{asked}"
    response.headers["Link"] = f'<{url}>; rel="next"'
    return url


# Games, matches


@router.get("/games", response=schemas.Games, summary="The games and their variants")
def list_games(request: HttpRequest) -> Fields:
    return {"items": [_game(game) for game in games().values()]}


@router.get("/games/{name}", response=schemas.Game, summary="A game")
def one_game(request: HttpRequest, name: Name) -> Fields:
    if name not in games():
        raise missing()
    return _game(games()[name])


@router.get(
    "/matches", response=schemas.Matches, exclude_none=True, summary="Finished matches, the newest first"
)
def list_matches(
    request: HttpRequest,
    response: HttpResponse,
    game: Name = "",
    player: Name = "",
    after: Annotated[int, Query(ge=0, lt=2**53)] = 0,
) -> Fields:
    known = player_page.player_called(player) if player else None
    if (game and game not in names()) or (player and known is None):
        raise missing()
    players = [known] if known else []
    found = lists.over(game=game, players=players, before=after or None, now=timezone.now(), most=MOST)
    result: Fields = {"items": [_row(row) for row in found.rows]}
    if found.older:
        result["next"] = following(request, response, game=game, player=player, after=found.older)
    return result


@router.get("/matches/{int:number}", response=schemas.Match, exclude_none=True, summary="A match")
def one_match(request: HttpRequest, number: int, legal: bool = False) -> Fields:
    found = match_page(number, timezone.now())
    if found is None:
        raise missing()
    unless_known(request, found.state, legal)
    position = found.position(found.plies)
    terms, goes_on = found.terms, found.shown.live
    more = {
        "position": str(position),
        "to_move": found.game.sides[int(position.to_move)] if goes_on else None,
        "clock": str(terms.control) if terms.control else None,
        "rated": terms.rated,
        "legal": [str(move) for move in position.moves()] if legal and goes_on else None,
    }
    return _row(found) | members(found.record()) | more


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
    outcome, dated, told = found.outcome, found.shown.dated, found.told_at
    return {
        "match": found.number,
        "game": found.game_name,
        "first": first or None,
        "second": second or None,
        "ended": told.strftime("%Y-%m-%d" if dated else "%Y-%m") if told else None,
        "result": outcome.score if outcome else "*",
        "reason": outcome.reason if outcome else None,
        "ply": found.plies,
        "page": page_of("match", found.number),
    }


# Players, ratings, competitions


@router.get("/players/{name}", response=schemas.Player, exclude_none=True, summary="A player")
def one_player(request: HttpRequest, name: Name) -> Fields:
    found, now = player_page.player_called(name), timezone.now()
    if found is None:
        raise missing()
    reliability = player_page.reliability(found, now)
    return {
        "player": found.name,
        "program": found.program or found.robot is not None,
        "robot": found.robot,
        "on_time": reliability.on_time if reliability else None,
        "ratings": [_rated(row, found.name) for row in player_page.ratings(found, now)],
        "page": page_of("player", found.name),
    }


@router.get("/ratings/{pool}", response=schemas.Ratings, summary="The best of a game")
def rating_list(request: HttpRequest, pool: Name) -> Fields:
    try:
        known = pool_called(pool)
    except UnknownName:
        raise missing() from None
    firm, rest = player_page.best(known, timezone.now())
    return {
        "pool": known,
        "items": [_rated(row, row.row.player.name) for row in firm],
        "provisional": [_rated(row, row.row.player.name) for row in rest],
    }


@router.get(
    "/competitions/{int:number}", response=schemas.Competition, exclude_none=True, summary="A competition"
)
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
        "entered": found.entered,
        "matches": [_row(row) for row in found.matches(timezone.now())],
        "page": page_of("competition", number),
    }


@router.get(
    "/competitions/{int:number}/table", response=schemas.Tables, summary="The tables of a competition"
)
def competition_table(request: HttpRequest, number: int) -> Fields:
    tables = _competition(number).tables
    return {
        "items": [
            {
                "title": table.title,
                "rows": [
                    {
                        "place": str(row.place),
                        "name": row.name,
                        "points": str(row.points),
                        "more": row.more,
                        "signs": row.signs,
                    }
                    for row in table.rows
                ],
            }
            for table in tables
        ]
    }


def _competition(number: int) -> CompetitionPage:
    found = competition_page(number, timezone.now())
    if found is None:
        raise missing()
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


# The player's own


@router.get(
    "/me/turns", response=schemas.Turns, auth=READ, exclude_none=True, summary="Where you are to move"
)
def my_turns(request: HttpRequest) -> Fields:
    player = player_of(request)
    waiting = Match.objects.waiting_for(player).order_by("pk")
    told = ("pk", "ply", "position", "to_move_since", "deadline", "draw_offered_by", "offers__kind")
    unless_known(request, player.pk, *waiting.values_list(*told))
    return {"items": [own(seat) | {"question": asked(seat.match)} for seat in _seats(player, waiting)]}


@router.get("/me/matches", response=schemas.OwnMatches, auth=READ, exclude_none=True, summary="Your matches")
def my_matches(
    request: HttpRequest, response: HttpResponse, after: Annotated[int, Query(ge=0, lt=2**53)] = 0
) -> Fields:
    player = player_of(request)
    mine = Match.objects.of(player).order_by("-pk")
    mine = mine.filter(pk__lt=after) if after else mine
    found = _seats(player, mine[: MOST + 1])
    result: Fields = {"items": [own(seat) for seat in found[:MOST]]}
    if len(found) > MOST:
        result["next"] = following(request, response, after=found[MOST - 1].match_id)
    return result


@router.get(
    "/me/challenges", response=schemas.Challenges, auth=READ, summary="Challenges and offers that wait"
)
def my_challenges(request: HttpRequest) -> Fields:
    player = player_of(request)
    asked_of_me = [(offer.seat, offer.what, False) for offer in offers.asked_of(player)]
    proposed = Match.objects.filter(proposer=player, status=Match.Status.PROPOSED).order_by("pk")
    by_me = [(seat, offers.CHALLENGE, True) for seat in _seats(player, proposed)]
    return {
        "items": [
            {
                "match": seat.match_id,
                "game": seat.match.game_name,
                "opponent": seat.opponent.player.name,
                "what": what,
                "by_you": by_you,
                "terms": seat.match.terms,
            }
            for seat, what, by_you in (*asked_of_me, *by_me)
        ]
    }


@router.get(
    "/me/settings", response=schemas.Settings, auth=READ, summary="Your settings, as SET ALL lists them"
)
def my_settings(request: HttpRequest) -> Fields:
    player = player_of(request)
    language = player.language
    return {
        "items": [
            {
                "topic": topic.key,
                "name": topic.name(language),
                "value": value_of(topic, player),
                "does": topic.does(language),
            }
            for topic in TOPICS
        ]
    }


def own(seat: Seat) -> Fields:
    """Returns the match as its player sees it."""
    match, terms = seat.match, seat.match.agreed
    outcome: Outcome | None = match.outcome()
    question = (
        offers.asked_in(seat) if match.status in (Match.Status.PROPOSED, Match.Status.PLAYING) else None
    )
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
        "clock": str(terms.control) if terms.control else None,
        "rated": terms.rated,
        "offer": question.what if question else None,
        "result": outcome.score if outcome else None,
        "reason": outcome.reason if outcome else None,
    }


def _seats(player: Player, matches: QuerySet[Match]) -> list[Seat]:
    """Returns the player's seats in these matches. Two queries."""
    found = matches.prefetch_related("seats__player")
    return [seat for match in found for seat in match.seated if seat.player_id == player.pk]
