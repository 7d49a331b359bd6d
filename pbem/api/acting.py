"""What the API lets a player do: the services that letters call, on a locked match, in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from random import SystemRandom
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from ninja import Router, Status
from ninja.errors import HttpError

from games.protocol import CANONICAL, Notation
from pbem.api import schemas
from pbem.api.access import Token, player_of
from pbem.api.reading import Fields, own
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
router = Router()


ACT: dict[str, Any] = {"response": schemas.Own, "auth": PLAY, "exclude_none": True}


def done(request: HttpRequest, number: int, act: Callable[[Seat], object]) -> Fields:
    """Does it, and returns the match as it is then."""
    with transaction.atomic():
        seat = seat_of(request, number)
        act(seat)
        return own(seat)


@router.put(
    "/matches/{int:number}/moves/{int:ply}",
    **ACT | {"response": {200: schemas.Moved, 201: schemas.Moved}},
    summary="Play a move",
    description="`ply` is the number of half-moves before it. The same move again changes nothing (200).",
)
def play(request: HttpRequest, number: int, ply: int, body: schemas.MoveIn) -> Any:
    with transaction.atomic():
        seat = seat_of(request, number)
        notation = _notation(body.notation, seat)
        if (repeated := _repeated(seat, ply, body.move, notation)) is not None:
            return Status(200, own(seat) | {"move": repeated})
        message = _for_opponent(seat, body.message) if body.message.strip() else ""
        now = timezone.now()
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


@router.post("/matches/{int:number}/draw", **ACT, summary="Offer a draw")
def draw(request: HttpRequest, number: int) -> Fields:
    return done(request, number, lambda seat: services.offer_draw(seat, now=timezone.now()))


@router.post("/matches/{int:number}/accept", **ACT, summary="Accept what the opponent asks")
def accept(request: HttpRequest, number: int, body: schemas.AcceptIn) -> Fields:
    def act(seat: Seat) -> None:
        question = offers.asked_in(seat)
        if question is None or question.what != body.offer:
            raise Refused(Code.OFFER_GONE, match=seat.match)
        services.accept(seat, now=timezone.now())

    return done(request, number, act)


@router.post("/matches/{int:number}/decline", **ACT, summary="Decline what they ask, or withdraw your own")
def decline(request: HttpRequest, number: int, body: schemas.DeclineIn) -> Fields:
    def act(seat: Seat) -> None:
        services.decline(seat, reason=with_answer(seat, body.reason), now=timezone.now())

    return done(request, number, act)


@router.post("/matches/{int:number}/undo", **ACT, summary="Take your last move back, or ask for it")
def undo(request: HttpRequest, number: int, body: schemas.UndoIn) -> Fields:
    def act(seat: Seat) -> None:
        _count("asks", f"seat:{seat.pk}", Code.TOO_MUCH_ASKED)
        takeback.undo(seat, body.plies, now=timezone.now())

    return done(request, number, act)


@router.post("/matches/{int:number}/say", **ACT, summary="Write to the opponent")
def say(request: HttpRequest, number: int, body: schemas.SayIn) -> Fields:
    def act(seat: Seat) -> None:
        services.say(seat, _for_opponent(seat, body.text), now=timezone.now())

    return done(request, number, act)


@router.post("/matches/{int:number}/lines", **ACT, summary="Plan an answer, as IF ... THEN does")
def lines(request: HttpRequest, number: int, body: schemas.LinesIn) -> Fields:
    def act(seat: Seat) -> None:
        notation = _notation(body.notation, seat)
        promise(seat, body.moves, ply=body.ply, now=timezone.now(), notation=notation)

    if len(body.moves) % 2 or None in body.moves[1::2]:
        raise Refused(Code.IMPOSSIBLE_LINE)
    return done(request, number, act)


@router.post("/matches/{int:number}/resign", **ACT, summary="Resign")
def resign(request: HttpRequest, number: int, body: schemas.ResignIn) -> Fields:
    if body.confirm != number:
        raise HttpError(422, gettext("To resign, confirm the number of the match."))
    return done(request, number, lambda seat: services.resign(seat, now=timezone.now()))


@router.post(
    "/challenges", **ACT | {"response": {201: schemas.Own}, "auth": OFFER}, summary="Challenge a player"
)
def challenge(request: HttpRequest, body: schemas.ChallengeIn) -> Any:
    player, now = player_of(request), timezone.now()
    opponent = Player.objects.opponents().called(body.opponent)
    if opponent is None:
        near = Player.objects.opponents().exclude(pk=player.pk).near(body.opponent)
        raise Refused(Code.NO_SUCH_PLAYER, name=body.opponent, nearest=near)
    with transaction.atomic():
        _count("challenges", f"player:{player.pk}", Code.TOO_MANY_CHALLENGES)
        match = services.propose(
            challenger=player,
            opponent=opponent,
            game=body.game,
            options=body.options,
            setup=body.setup,
            now=now,
            rng=SystemRandom(),
        )
        return Status(201, own(_seat_in(match, player)))


@router.post(
    "/offers/{int:number}/join",
    **ACT | {"response": {201: schemas.Own}, "auth": OFFER},
    summary="Take an open offer",
)
def join(request: HttpRequest, number: int) -> Any:
    player, now = player_of(request), timezone.now()
    with transaction.atomic():
        _count("challenges", f"player:{player.pk}", Code.TOO_MANY_CHALLENGES)
        match = seeks.join(player, number, now=now, rng=SystemRandom(), rating=rating_at(now))
        seeks.close_same(player, match.game_name, now=now)
        return Status(201, own(_seat_in(match, player)))


def seat_of(request: HttpRequest, number: int) -> Seat:
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
