"""What an organiser does with a tournament: open it, add pairings, begin its rounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction

from games.registry import canonical
from pbem.matches.matchmaking.match_request import found
from pbem.matches.models import Entry, Match, Tournament
from pbem.matches.terms import NONE, Terms
from pbem.matches.tournaments.berger import Rounds
from pbem.matches.tournaments.bulk_start import begin_all
from pbem.matches.tournaments.pairings import Pairing, pairings
from pbem.matches.tournaments.sheet import made_of
from pbem.players.models import Player
from pbem.refusals import Code, Refused

System = Tournament.System


@transaction.atomic
def open_tournament(
    name: str, *, game: str, system: System = System.PAIRINGS, terms: Terms = NONE, now: datetime
) -> Tournament:
    """Without players yet. Refuses C02 (no such game) and D09 (name taken)."""
    if Tournament.objects.filter(name=name).exists():
        raise Refused(Code.TOURNAMENT_EXISTS, text=name)
    return Tournament.objects.create(
        name=name, system=system, game_name=canonical(*found(game)), terms=terms.kept(), created_at=now
    )


@transaction.atomic
def begin_list(tournament: Tournament, text: str, *, number: int, now: datetime, rng: Random) -> list[Match]:
    """Round `number` from a list of pairings: all of its lines, or none. Raises Mistaken; refuses D11."""
    listed = pairings(text, game=tournament.game_name)
    enter(tournament, (player for pairing in listed for player in (pairing.first, pairing.second)))
    return _begin(tournament, listed, number=number, now=now, rng=rng)


@transaction.atomic
def begin_round_robin(
    tournament: Tournament,
    players: Sequence[Player],
    *,
    at_once: bool,
    now: datetime,
    rng: Random,
    **facts: Any,
) -> list[Match]:
    """The players have the numbers of their order, which is drawn by lot; the first round begins, or `at_once` all.
    Refuses D10 (too few players)."""
    if len(players) < 2:
        raise Refused(Code.TOO_FEW_PLAYERS)
    enter(tournament, players)
    last = len(rounds_of(tournament)) if at_once else 1
    begun = (
        begin_round(tournament, number=number, now=now, rng=rng, **facts) for number in range(1, last + 1)
    )
    return [match for matches in begun for match in matches]


@transaction.atomic
def begin_round(
    tournament: Tournament, *, number: int, now: datetime, rng: Random, **facts: Any
) -> list[Match]:
    """Round `number` of a round robin, whether the one before is over or not; `facts` are those of the events of its
    matches. Refuses D11 (not the next)."""
    all_rounds = rounds_of(tournament)
    if not 1 <= number <= len(all_rounds):
        raise Refused(Code.NOT_NEXT_ROUND, number=number)
    listed = [Pairing(first, second, tournament.game_name) for first, second in all_rounds[number - 1]]
    return _begin(tournament, listed, number=number, now=now, rng=rng, **facts)


def enter(tournament: Tournament, players: Iterable[Player], *, guest: bool = False) -> None:
    """Add those who do not take part yet, in this order. The rounds of a round robin do not know a `guest`."""
    entered = dict(tournament.entries.values_list("player", "number"))
    new = [player for player in dict.fromkeys(players) if player.pk not in entered]
    Entry.objects.bulk_create(
        Entry(tournament=tournament, player=player, number=number, guest=guest)
        for number, player in enumerate(new, start=max(entered.values(), default=0) + 1)
    )


def rounds_of(tournament: Tournament) -> Rounds[Player]:
    """Of a round robin; a list has no rounds but those that were begun."""
    entries = tournament.entries.filter(guest=False).select_related("player").order_by("number")
    return made_of(entries, tournament.system)


def _begin(
    tournament: Tournament,
    listed: Sequence[Pairing],
    *,
    number: int,
    now: datetime,
    rng: Random,
    **facts: Any,
) -> list[Match]:
    """`number` says which round the one who asks believes to begin: of two who press at once, one is told."""
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if number != locked.begun + 1:
        raise Refused(Code.NOT_NEXT_ROUND, number=number)
    tournament.begun = number
    tournament.save(update_fields=["begun"])
    return begin_all(listed, tournament, number=number, now=now, rng=rng, **facts)
