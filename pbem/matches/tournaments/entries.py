"""Entries before a tournament begins, and the lots that are drawn when it does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction
from django.utils.crypto import salted_hmac

from pbem.matches.models import Entry, Match, Tournament
from pbem.matches.tournaments.berger import Rounds, rounds
from pbem.matches.tournaments.service import System, begin_round, enter, rounds_of
from pbem.players.models import Player
from pbem.refusals import Code, Refused


@transaction.atomic
def take_part(tournament: Tournament, player: Player) -> None:
    """Twice does nothing more. Refuses D30 (it has begun) and A07 (suspended)."""
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if locked.entries.filter(player=player).exists():
        return
    if not locked.takes_entries:
        raise Refused(Code.EVENT_HAS_BEGUN)
    if player.suspended_at:
        raise Refused(Code.SUSPENDED)
    enter(locked, [player])


def drawn(tournament: Tournament) -> list[Player]:
    """Its players by lot: the same until somebody enters, and nobody but the server can tell it beforehand."""
    return by_lot(tournament.paired(), tournament.pk)


def by_lot(players: Iterable[Player], about: object) -> list[Player]:
    """The same for the same players of what it is `about`."""
    listed = sorted(players, key=lambda player: player.pk)
    entered = ",".join(str(player.pk) for player in listed)
    seed = salted_hmac("pbem.tournament.lots", f"{about}:{entered}").hexdigest()
    return Random(seed).sample(listed, len(listed))


def rounds_drawn(tournament: Tournament) -> Rounds[Player]:
    """What `begin` will begin."""
    players = drawn(tournament)
    return rounds(players, double=tournament.system == System.DOUBLE) if len(players) > 1 else ()


@transaction.atomic
def begin_later(tournament: Tournament, begins_at: datetime | None, *, at_once: bool = False) -> None:
    """By itself, with those who have entered by then; None: not any more. Refuses D11 (it has begun)."""
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if not locked.takes_entries:
        raise Refused(Code.NOT_NEXT_ROUND, number=1)
    locked.begins_at, locked.begins_at_once = begins_at, at_once
    locked.save(update_fields=["begins_at", "begins_at_once"])


@transaction.atomic
def begin(
    tournament: Tournament, lots: Sequence[int], *, at_once: bool, now: datetime, rng: Random, **facts: Any
) -> list[Match]:
    """The first round, or all. `lots` are the players in the order that somebody has looked at; `facts` are those of
    the events of the matches.

    Refuses D10 (too few players), D11 (it has begun) and D31 (somebody has entered or left since).
    """
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if not locked.takes_entries:
        raise Refused(Code.NOT_NEXT_ROUND, number=1)
    players = drawn(locked)
    if [player.pk for player in players] != list(lots):
        raise Refused(Code.ENTRIES_CHANGED)
    if len(players) < 2:
        raise Refused(Code.TOO_FEW_PLAYERS)
    _number(locked, players)
    last = len(rounds_of(locked)) if at_once else 1
    if locked.begins_at is not None:
        locked.begins_at = None
        locked.save(update_fields=["begins_at"])
    begun = (begin_round(locked, number=number, now=now, rng=rng, **facts) for number in range(1, last + 1))
    return [match for matches in begun for match in matches]


def _number(tournament: Tournament, players: Sequence[Player]) -> None:
    """Two steps, since no number may be there twice."""
    numbers = {player.pk: number for number, player in enumerate(players, start=1)}
    entries = list(tournament.entries.all())
    for first in (len(entries) + max(entry.number for entry in entries), 0):
        for entry in entries:
            entry.number = first + numbers.get(entry.player_id, 0)
        Entry.objects.bulk_update(entries, ["number"])
