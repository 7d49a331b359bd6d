"""What an organiser does with a tournament: open it, add pairings, begin its rounds."""

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

# Begins many matches at once: all of them or none, in a few statements.


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


# Entries before a tournament begins, and the lots that are drawn when it does.


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
