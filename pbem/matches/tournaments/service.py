"""Operations on tournaments: opening, entries, drawing of lots, and rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction
from django.utils.crypto import salted_hmac

from games.registry import canonical
from pbem.matches.clock.control import Bank, Control
from pbem.matches.clock.ledger import book_of_all
from pbem.matches.events import record_events
from pbem.matches.lifecycle import draw_up
from pbem.matches.matchmaking.match_request import found
from pbem.matches.models import Entry, Event, Match, Seat, Tournament
from pbem.matches.terms import NONE, Terms
from pbem.matches.tournaments.pairings import Pairing, Rounds, pairings, rounds
from pbem.matches.tournaments.standings import made_of
from pbem.players.models import Player
from pbem.refusals import Code, Refused

# Batches of matches


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
    """Begins the matches of round `number`: all or none, in few statements.

    Their events, with `facts`, bring each player a letter per match.
    """
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
    """Starts clocks as `clocks.begin` does, with one calendar query for all players, without saving."""
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
            seat.match = match  # again: the match has a key now
            yield seat


System = Tournament.System


@transaction.atomic
def open_tournament(
    name: str, *, game: str, system: System = System.PAIRINGS, terms: Terms = NONE, now: datetime
) -> Tournament:
    """Opens a tournament without players. Refuses C02 (no such game) and D09 (name taken)."""
    if Tournament.objects.filter(name=name).exists():
        raise Refused(Code.TOURNAMENT_EXISTS, text=name)
    return Tournament.objects.create(
        name=name, system=system, game_name=canonical(*found(game)), terms=terms.kept(), created_at=now
    )


@transaction.atomic
def begin_list(tournament: Tournament, text: str, *, number: int, now: datetime, rng: Random) -> list[Match]:
    """Begins round `number` from a list of pairings, all or none. Raises Mistaken; refuses D11."""
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
    """Enters the players in their order, and begins the first round, or all `at_once`.

    Refuses D10 (too few players).
    """
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
    """Begins round `number` of a round robin, even while the previous one is running.

    `facts` go into the events of its matches. Refuses D11 (not the next).
    """
    all_rounds = rounds_of(tournament)
    if not 1 <= number <= len(all_rounds):
        raise Refused(Code.NOT_NEXT_ROUND, number=number)
    listed = [Pairing(first, second, tournament.game_name) for first, second in all_rounds[number - 1]]
    return _begin(tournament, listed, number=number, now=now, rng=rng, **facts)


def enter(tournament: Tournament, players: Iterable[Player], *, guest: bool = False) -> None:
    """Enters new players, in this order. A `guest` is not paired in rounds."""
    entered = dict(tournament.entries.values_list("player", "number"))
    new = [player for player in dict.fromkeys(players) if player.pk not in entered]
    Entry.objects.bulk_create(
        Entry(tournament=tournament, player=player, number=number, guest=guest)
        for number, player in enumerate(new, start=max(entered.values(), default=0) + 1)
    )


def rounds_of(tournament: Tournament) -> Rounds[Player]:
    """Returns the rounds of a round robin. Empty for a list of pairings."""
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
    """Begins the round if `number` is the next. Refuses D11."""
    # Of two concurrent requests for the same round, one is refused.
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if number != locked.begun + 1:
        raise Refused(Code.NOT_NEXT_ROUND, number=number)
    tournament.begun = number
    tournament.save(update_fields=["begun"])
    return begin_all(listed, tournament, number=number, now=now, rng=rng, **facts)


# Entries and lots


@transaction.atomic
def take_part(tournament: Tournament, player: Player) -> None:
    """Enters the player, once. Refuses D30 (it has begun) and A07 (suspended)."""
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if locked.entries.filter(player=player).exists():
        return
    if not locked.takes_entries:
        raise Refused(Code.EVENT_HAS_BEGUN)
    if player.suspended_at:
        raise Refused(Code.SUSPENDED)
    enter(locked, [player])


def drawn(tournament: Tournament) -> list[Player]:
    """Returns the players by lot, in the same order until an entry changes."""
    # Not predictable without the server's secret key.
    return by_lot(tournament.paired(), tournament.pk)


def by_lot(players: Iterable[Player], about: object) -> list[Player]:
    """Returns the players in an order that depends only on them, `about` and the server's secret key."""
    listed = sorted(players, key=lambda player: player.pk)
    entered = ",".join(str(player.pk) for player in listed)
    seed = salted_hmac("pbem.tournament.lots", f"{about}:{entered}").hexdigest()
    return Random(seed).sample(listed, len(listed))


def rounds_drawn(tournament: Tournament) -> Rounds[Player]:
    """Returns the rounds that `begin` will begin."""
    players = drawn(tournament)
    return rounds(players, double=tournament.system == System.DOUBLE) if len(players) > 1 else ()


@transaction.atomic
def begin_later(tournament: Tournament, begins_at: datetime | None, *, at_once: bool = False) -> None:
    """Schedules the beginning, with the players entered by then; None cancels it. Refuses D11 (begun)."""
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if not locked.takes_entries:
        raise Refused(Code.NOT_NEXT_ROUND, number=1)
    locked.begins_at, locked.begins_at_once = begins_at, at_once
    locked.save(update_fields=["begins_at", "begins_at_once"])


@transaction.atomic
def begin(
    tournament: Tournament, lots: Sequence[int], *, at_once: bool, now: datetime, rng: Random, **facts: Any
) -> list[Match]:
    """Begins the first round, or all. `lots` is the order that the organiser saw; `facts` go into the events.

    Refuses D10 (too few players), D11 (it has begun) and D31 (entries have changed since).
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
    # Two steps: numbers are unique.
    numbers = {player.pk: number for number, player in enumerate(players, start=1)}
    entries = list(tournament.entries.all())
    for first in (len(entries) + max(entry.number for entry in entries), 0):
        for entry in entries:
            entry.number = first + numbers.get(entry.player_id, 0)
        Entry.objects.bulk_update(entries, ["number"])
