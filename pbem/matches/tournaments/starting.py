"""Begins many matches at once: all of them or none, in a few statements."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from random import Random

from django.db import transaction

from pbem.matches.events import all_happened
from pbem.matches.models import Event, Match, Seat, Tournament
from pbem.matches.services import draw_up
from pbem.matches.tournaments.pairings import Pairing


@transaction.atomic
def begin_all(
    pairings: Iterable[Pairing], tournament: Tournament, *, number: int, now: datetime, rng: Random
) -> list[Match]:
    """The matches of round `number`. Each of its players gets a letter for each of them."""
    pairings = list(pairings)
    matches = [_drawn_up(pairing, tournament, number=number, now=now, rng=rng) for pairing in pairings]
    Match.objects.bulk_create(matches)
    for match, pairing in zip(matches, pairings, strict=True):
        match.seated = (
            Seat(match=match, side=0, player=pairing.first),
            Seat(match=match, side=1, player=pairing.second),
        )
    Seat.objects.bulk_create(seat for match in matches for seat in match.seated)
    all_happened(
        [Event(match=match, kind=Event.Kind.STARTED, ply=0, facts={}, happened_at=now) for match in matches]
    )
    return matches


def _drawn_up(pairing: Pairing, tournament: Tournament, *, number: int, now: datetime, rng: Random) -> Match:
    match = draw_up(pairing.game, setup=None, terms=tournament.agreed, now=now, rng=rng)
    match.tournament, match.round = tournament, number
    match.status, match.started_at = Match.Status.PLAYING, now
    match.to_move = int(match.current().to_move)
    return match
