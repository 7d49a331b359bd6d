"""Begins many matches at once: all of them or none, in a few statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction

from pbem.matches.clock.control import Bank, Control
from pbem.matches.clock.ledger import book_of_all
from pbem.matches.events import record_events
from pbem.matches.lifecycle import draw_up
from pbem.matches.models import Event, Match, Seat, Tournament
from pbem.matches.tournaments.pairings import Pairing


@transaction.atomic
def begin_all(
    pairings: Sequence[Pairing],
    tournament: Tournament,
    *,
    number: int,
    now: datetime,
    rng: Random,
    **facts: Any,
) -> list[Match]:
    """The matches of round `number`. `facts` are those of the events, which bring each player a letter for each of
    their matches."""
    matches = [_drawn_up(pairing, tournament, number=number, now=now, rng=rng) for pairing in pairings]
    if control := tournament.agreed.control:
        _start_clocks(matches, control, now)
    Match.objects.bulk_create(matches)
    Seat.objects.bulk_create(_seats(matches))
    record_events(
        [
            Event(match=match, kind=Event.Kind.STARTED, ply=0, facts=facts, happened_at=now)
            for match in matches
        ]
    )
    return matches


def _drawn_up(pairing: Pairing, tournament: Tournament, *, number: int, now: datetime, rng: Random) -> Match:
    match = draw_up(pairing.game, setup=None, terms=tournament.agreed, now=now, rng=rng)
    match.tournament, match.round = tournament, number
    match.status, match.started_at = Match.Status.PLAYING, now
    match.to_move = int(match.current().to_move)
    match.turn_begins(now)
    match.seated = (
        Seat(match=match, side=0, player=pairing.first),
        Seat(match=match, side=1, player=pairing.second),
    )
    return match


def _start_clocks(matches: Iterable[Match], control: Control, now: datetime) -> None:
    """As `clocks.begin`, with one look at the calendar of each player, and nothing saved yet."""
    matches = list(matches)
    book = book_of_all((), {seat.player_id for match in matches for seat in match.seated}, now)
    for match in matches:
        for seat in match.seated:
            seat.hold(Bank.full(control).begin(now) if seat.is_to_move else Bank.full(control))
            if seat.is_to_move:
                match.deadline = Bank.full(control).begin(now).deadline(control, book.reckoning(seat, now))


def _seats(matches: Iterable[Match]) -> Iterator[Seat]:
    for match in matches:
        for seat in match.seated:
            seat.match = match  # again, now that it has a number
            yield seat
