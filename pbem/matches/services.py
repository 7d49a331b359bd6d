"""Operations on matches, one function each, in the caller's transaction or their own.

Every function takes `now`, may take `letter` (the inbound letter, which gets the reply), and refuses with
`Refused` before it changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction

from games.protocol import Notation, Outcome, Side
from pbem.matches import automatic_moves, offers, plies
from pbem.matches.clock import service as clocks
from pbem.matches.clock.deadlines import check_in_time
from pbem.matches.events import record_event
from pbem.matches.lifecycle import begin, create, finish
from pbem.matches.matchmaking import match_request
from pbem.matches.matchmaking.eligibility import check_room_for_robots, may_challenge
from pbem.matches.matchmaking.match_request import Wish, read_wish
from pbem.matches.models import Event, Match, Seat, Turn
from pbem.matches.plies import check_playing
from pbem.matches.terms import NONE, Terms
from pbem.players.models import Player
from pbem.refusals import Code, Refused

Kind = Event.Kind
Status = Match.Status
MOST_DRAWS = 3  # offers of a player in a match


@transaction.atomic
def propose(
    *,
    challenger: Player,
    opponent: Player,
    game: str,
    options: Sequence[str] = (),
    setup: str | None = None,
    now: datetime,
    rng: Random,
    letter: int | None = None,
) -> Match:
    """Makes a challenge; `setup` None lets the game draw one.

    `options` are terms, a side (`first`, `white`, `nero`; else drawn) or parts of the game's name.
    """
    if challenger == opponent:
        raise Refused(Code.AGAINST_YOURSELF, name=opponent.name)
    wish = read_wish(game, options)
    return challenge(challenger, opponent, wish, setup=setup, now=now, rng=rng, letter=letter)


@transaction.atomic
def challenge(
    challenger: Player,
    opponent: Player,
    wish: Wish,
    *,
    setup: str | None,
    now: datetime,
    rng: Random,
    letter: int | None = None,
    **facts: int,
) -> Match:
    """Challenges the opponent with the wish; a robot accepts at once. Refuses C06, C11 and C25."""
    if not may_challenge(challenger, opponent, wish.key, now):
        raise Refused(Code.NOT_NOW, name=opponent.name)
    if opponent.robot:
        check_room_for_robots(challenger)
    side = Side(rng.randrange(2)) if wish.side is None else wish.side
    seats = (challenger, opponent) if side is Side.FIRST else (opponent, challenger)
    match = create(wish.game, seats, setup=setup, terms=wish.terms, now=now, rng=rng)
    match.proposer = challenger
    match.save(update_fields=["proposer"])
    if opponent.robot:
        begin(match, now=now, side=side, letter=letter, **facts)
        return match
    record_event(match, Kind.PROPOSED, now=now, side=side, letter=letter, **facts)
    return match


@transaction.atomic
def start(
    *,
    first: Player,
    second: Player,
    game: str,
    setup: str | None = None,
    terms: Terms = NONE,
    now: datetime,
    rng: Random,
    side: int | None = None,
    letter: int | None = None,
    **facts: int,
) -> Match:
    """Begins a match between two players at once, for the organiser or for `side`, who took an offer.

    `setup` None lets the game draw one.
    """
    if first == second:
        raise Refused(Code.AGAINST_YOURSELF, name=first.name)
    match = create(game, (first, second), setup=setup, terms=terms, now=now, rng=rng)
    begin(match, now=now, side=side, letter=letter, **facts)
    return match


@transaction.atomic
def accept(seat: Seat, *, now: datetime, arrived: datetime | None = None, letter: int | None = None) -> None:
    """Accepts the challenge, or the opponent's draw or other offer, as of `arrived` (None: now)."""
    match = seat.match
    if match.status == Status.PLAYING and match.draw_offered_by == seat.opponent.side:
        check_in_time(seat, arrived or now)
        finish(match, Outcome(None, "agreed"), now=now, side=seat.side, letter=letter)
    elif match.status == Status.PROPOSED and match.proposer_id != seat.player_id:
        begin(match, now=now, side=seat.side, letter=letter)
    else:
        offers.accept(seat, now=now, arrived=arrived, letter=letter)


@transaction.atomic
def decline(seat: Seat, *, reason: str = "", now: datetime, letter: int | None = None) -> None:
    """Declines the challenge or offer that stands; its maker withdraws it."""
    match = seat.match
    if match.status == Status.PROPOSED:
        match.status, match.ended_at = Status.DECLINED, now
        match.save(update_fields=["status", "ended_at"])
        record_event(
            match, Kind.DECLINED, now=now, side=seat.side, letter=letter, **match_request.facts(reason)
        )
    elif match.status == Status.PLAYING and match.draw_offered_by == seat.opponent.side:
        match.draw_offered_by = None
        match.save(update_fields=["draw_offered_by"])
        record_event(match, Kind.REJECTED, now=now, side=seat.side, letter=letter, reason=reason)
    elif match.draw_offered_by == seat.side and not offers.standing(match, by=seat.opponent):
        match.draw_offered_by = None
        match.save(update_fields=["draw_offered_by"])
        record_event(match, Kind.WITHDRAWN, now=now, side=seat.side, letter=letter, offer="draw")
    else:
        offers.decline(seat, reason=reason, now=now, letter=letter)


def play(
    seat: Seat,
    text: str,
    *,
    ply: int | None = None,
    now: datetime,
    arrived: datetime | None = None,
    letter: int | None = None,
    message: str = "",
    entered: str = "",
    notation: Notation | None = None,
    facts: Mapping[str, Any] | None = None,
    then: Callable[[], None] | None = None,
) -> Turn:
    """Plays the move that `text` says; `ply` (from 0), if given, is the turn that the player means.

    The turn counts from `arrived` (None: now), however late the letter was opened or confirmed. `entered` is
    the organiser's reason for playing it; "" when the player does. `notation` None: the player's. `facts`
    are added to the event. `then` is called after the move is recorded, before automatic replies.
    """
    match = seat.match
    check_playing(match)
    if ply is not None and ply != match.ply:
        raise Refused(Code.STALE_TURN, match=match, text=text)
    if not seat.is_to_move:
        raise Refused(Code.NOT_YOUR_TURN, match=match, text=text)
    check_in_time(seat, arrived or now)
    before = match.current()
    move = plies.read(seat, before, text, notation)
    with transaction.atomic(savepoint=False):  # nothing is refused from here on
        clocks.charge(seat, arrived or now)
        turn = plies.record(
            match,
            before,
            move,
            written=text,
            message=message,
            entered=bool(entered),
            now=arrived or now,
            told=now,
        )
        if match.draw_offered_by == seat.opponent.side:
            match.draw_offered_by = None  # the move answers the offer
            match.save(update_fields=["draw_offered_by"])
        if then:
            then()
        why: dict[str, Any] = {"entered": True, "reason": entered} if entered else dict(facts or {})
        automatic_moves.go_on(seat, turn, before, move, now=now, letter=letter, **why)
    return turn


@transaction.atomic
def offer_draw(
    seat: Seat, *, now: datetime, arrived: datetime | None = None, letter: int | None = None
) -> None:
    """Offers a draw, or accepts the opponent's. Refuses G19 after too many, K10 while an offer stands."""
    match = seat.match
    check_playing(match)
    if match.draw_offered_by == seat.opponent.side:
        accept(seat, now=now, arrived=arrived, letter=letter)
        return
    offers.check_none_stands(seat)
    if match.events.filter(kind=Kind.OFFERED, side=seat.side).count() >= MOST_DRAWS:
        raise Refused(Code.TOO_MANY_DRAWS, match=match)
    match.draw_offered_by = seat.side
    match.save(update_fields=["draw_offered_by"])
    record_event(match, Kind.OFFERED, now=now, side=seat.side, letter=letter)


@transaction.atomic
def resign(seat: Seat, *, now: datetime, asked_at: datetime | None = None, letter: int | None = None) -> None:
    """Resigns, after a confirmation. Refuses G18 when a move was played since the question at `asked_at`."""
    match = seat.match
    check_playing(match)
    if asked_at and match.events.filter(kind=Kind.MOVED, happened_at__gt=asked_at).exists():
        raise Refused(Code.RESIGNATION_OVERTAKEN, match=match)
    finish(match, Outcome(Side(seat.side).other, "resigned"), now=now, side=seat.side, letter=letter)


@transaction.atomic
def say(seat: Seat, text: str, *, now: datetime, letter: int | None = None) -> None:
    """Sends the opponent a message without a move."""
    record_event(seat.match, Kind.SAID, now=now, side=seat.side, letter=letter, text=text)


def revoke_tokens(seat: Seat) -> None:
    """Revokes all reply addresses of the seat."""
    seat.revoke_tokens()
