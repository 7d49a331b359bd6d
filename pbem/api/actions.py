"""What the API lets a player do: the services that letters call, on a locked match, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import SystemRandom
from typing import Any, Literal

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from ninja import Router, Status
from ninja.errors import HttpError

from games.protocol import CANONICAL, Notation
from pbem.api.access import Token, player_of
from pbem.api.resources import Fields, own
from pbem.api.schemas import Act, Challenge, Move, Own
from pbem.inbox.handling.talk import for_opponent, with_answer
from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.matches import offers, plies, services, takeback
from pbem.matches.automatic_moves import promise
from pbem.matches.matchmaking import seeks
from pbem.matches.models import Match, Seat
from pbem.players.api_tokens import Scope
from pbem.players.models import Player
from pbem.ratings.leaderboards import rating_at
from pbem.refusals import Code, Refused

BY = {"by": "api"}  # in the facts of a move
PLAY, OFFER = Token(Scope.PLAY), Token(Scope.OFFER)
Name = Literal["draw", "accept", "decline", "undo", "say", "lines", "resign"]
router = Router()


@router.put(
    "/matches/{int:number}/moves/{int:ply}",
    response={200: Own, 201: Own},
    auth=PLAY,
    exclude_none=True,
    summary="Play the move after `ply` half-moves; the same move again changes nothing (200)",
)
def play(request: HttpRequest, number: int, ply: int, body: Move) -> Any:
    with transaction.atomic():
        seat, now = _locked(request, number), timezone.now()
        notation = _notation(body.notation, seat)
        if (repeated := _repeated(seat, ply, body.move, notation)) is not None:
            return Status(200, own(seat) | {"move": repeated})
        message = _for_opponent(seat, body.message) if body.message.strip() else ""
        turn = services.play(seat, body.move, ply=ply, now=now, message=message, notation=notation, facts=BY)
        return Status(201, own(seat) | {"move": turn.move})


def _repeated(seat: Seat, ply: int, text: str, notation: Notation) -> str | None:
    """Returns the player's move of that turn if `text` means it, None before it. Refuses G04 for another."""
    match = seat.match
    if ply >= match.ply:
        return None
    turns = {turn.ply: turn for turn in match.live_turns().filter(ply__in=(ply - 1, ply))}
    position = match.at(turns[ply - 1].position) if ply else match.start_position()
    try:
        same = str(plies.read(seat, position, text, notation)) == turns[ply].move
    except Refused:
        same = False
    if not same or turns[ply].side != seat.side:
        raise Refused(Code.STALE_TURN, match=match, text=text)
    return str(turns[ply].move)


@router.post("/matches/{int:number}/{act}", response=Own, auth=PLAY, exclude_none=True)
def act(request: HttpRequest, number: int, act: Name, body: Act | None = None) -> Fields:
    with transaction.atomic():
        seat = _locked(request, number)
        ACTS[act](seat, body or Act())
        return own(seat)


def _accept(seat: Seat, said: Act) -> None:
    question = offers.asked_in(seat)
    if question is None or question.what != said.offer:
        raise Refused(Code.OFFER_GONE, match=seat.match)
    services.accept(seat, now=timezone.now())


def _undo(seat: Seat, said: Act) -> None:
    _count("asks", f"seat:{seat.pk}", Code.TOO_MUCH_ASKED)
    takeback.undo(seat, said.plies, now=timezone.now())


def _say(seat: Seat, said: Act) -> None:
    if not said.text.strip():
        raise HttpError(422, gettext("There is no text to send."))
    services.say(seat, _for_opponent(seat, said.text), now=timezone.now())


def _lines(seat: Seat, said: Act) -> None:
    if not said.moves or len(said.moves) % 2 or None in said.moves[1::2]:
        raise Refused(Code.IMPOSSIBLE_LINE)
    promise(seat, said.moves, ply=said.ply, now=timezone.now(), notation=_notation(said.notation, seat))


def _resign(seat: Seat, said: Act) -> None:
    if said.confirm != seat.match_id:
        raise HttpError(422, gettext("To resign, confirm the number of the match."))
    services.resign(seat, now=timezone.now())


ACTS: Mapping[Name, Callable[[Seat, Act], None]] = {
    "draw": lambda seat, said: services.offer_draw(seat, now=timezone.now()),
    "accept": _accept,
    "decline": lambda seat, said: services.decline(
        seat, reason=with_answer(seat, said.reason), now=timezone.now()
    ),
    "undo": _undo,
    "say": _say,
    "lines": _lines,
    "resign": _resign,
}


@router.post("/challenges", response={201: Own}, auth=OFFER, exclude_none=True)
def challenge(request: HttpRequest, body: Challenge) -> Any:
    player, now = player_of(request), timezone.now()
    opponent = Player.objects.opponents().called(body.opponent)
    if opponent is None:
        near = Player.objects.opponents().exclude(pk=player.pk).near(body.opponent)
        raise Refused(Code.NO_SUCH_PLAYER, name=body.opponent, nearest=near)
    wish: Fields = {"game": body.game, "options": body.options, "setup": body.setup}
    with transaction.atomic():
        _count("challenges", f"player:{player.pk}", Code.TOO_MANY_CHALLENGES)
        match = services.propose(challenger=player, opponent=opponent, **wish, now=now, rng=SystemRandom())
        return Status(201, own(_seat_in(match, player)))


@router.post("/offers/{int:number}/join", response={201: Own}, auth=OFFER, exclude_none=True)
def join(request: HttpRequest, number: int) -> Any:
    player, now = player_of(request), timezone.now()
    with transaction.atomic():
        _count("challenges", f"player:{player.pk}", Code.TOO_MANY_CHALLENGES)
        match = seeks.join(player, number, now=now, rng=SystemRandom(), rating=rating_at(now))
        seeks.close_same(player, match.game_name, now=now)
        return Status(201, own(_seat_in(match, player)))


def _locked(request: HttpRequest, number: int) -> Seat:
    """Returns the player's seat, the match locked. Refuses G01."""
    player = player_of(request)
    match = Match.objects.filter(pk=number, seats__player=player).locked().first()
    if match is None:
        raise Refused(Code.NO_SUCH_MATCH, number=number)
    return _seat_in(match, player)


def _seat_in(match: Match, player: Player) -> Seat:
    return next(seat for seat in match.seated if seat.player_id == player.pk)


def _notation(said: str, seat: Seat) -> Notation:
    return CANONICAL if said == "canonical" else Notation(said, seat.player.coordinates)


def _for_opponent(seat: Seat, text: str) -> str:
    """Returns the text as the opponent gets it. Refuses V07, of a robot too, and V09."""
    if seat.opponent.player.robot is not None:
        raise Refused(Code.NO_SUCH_READER, match=seat.match, name=seat.opponent.player.name)
    return for_opponent(seat, text, now=timezone.now())


def _count(cap: str, whom: str, code: Code) -> None:
    """Counts an action of today, in the transaction of the action."""
    if take_place(cap, whom, timezone.now()) is None:
        raise Refused(code, limit=CAPS[cap].most)
