"""Tournaments that an organiser runs: opening, entries, lots, rounds, withdrawals."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from django.db import models, transaction
from django.utils.crypto import salted_hmac

from games.registry import canonical
from pbem.competitions.cross_table import Listed, TournamentSheet, made_of, sheet_of
from pbem.competitions.entries import stop
from pbem.competitions.models import BY_HAND, Competition
from pbem.competitions.news import SUBJECT, LeftTournament, TournamentBegan, tell
from pbem.competitions.pairings import Pairing, Rounds, pairings, rounds
from pbem.competitions.systems.values import Game, withdrawal
from pbem.matches.clock.control import Bank, Control
from pbem.matches.clock.ledger import book_of_all
from pbem.matches.events import record_events
from pbem.matches.lifecycle import draw_up
from pbem.matches.matchmaking.match_request import found
from pbem.matches.models import Entry, Event, Match, Seat, Tournament
from pbem.matches.terms import NONE, Terms
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


System = Competition.System
AT_ONCE = "at_once"  # in the settings: all rounds begin on the first day


@transaction.atomic
def open_tournament(
    name: str, *, game: str, system: str = System.PAIRINGS, terms: Terms = NONE, now: datetime
) -> Tournament:
    """Opens a competition by hand, without players. Refuses C02 (no such game) and D09 (name taken)."""
    if is_taken(name):
        raise Refused(Code.TOURNAMENT_EXISTS, text=name)
    known = {"name": name, "game_name": canonical(*found(game)), "terms": terms.kept(), "created_at": now}
    competition = Competition.objects.create(system=system, **known)
    return Tournament.objects.create(competition=competition, **known)


def is_taken(name: str) -> bool:
    """Returns whether a competition, or a group of one, has the name."""
    return any(rows.objects.filter(name=name).exists() for rows in (Competition, Tournament))


@transaction.atomic
def begin_list(tournament: Tournament, text: str, *, number: int, now: datetime, rng: Random) -> list[Match]:
    """Begins round `number` from a list of pairings, all or none. Raises Mistaken; refuses D11."""
    listed = pairings(text, game=tournament.game_name)
    tournament.enter(player for pairing in listed for player in (pairing.first, pairing.second))
    return _begin(tournament, listed, number=number, now=now, rng=rng)


@transaction.atomic
def begin_round_robin(
    tournament: Tournament,
    players: Sequence[Player],
    *,
    at_once: bool,
    now: datetime,
    rng: Random,
) -> list[Match]:
    """Enters the players in their order, and begins the first round, or all `at_once` with one letter to each.

    Refuses D10 (too few players).
    """
    if len(players) < 2:
        raise Refused(Code.TOO_FEW_PLAYERS)
    tournament.enter(players)
    return _begin_first(tournament, at_once=at_once, now=now, rng=rng)


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


def by_hand_of(player: Player) -> models.QuerySet[Tournament]:
    """Returns the tournaments of organisers that the player is in and that are not over, by number."""
    going = Match.objects.filter(tournament=models.OuterRef("pk"), status=Match.Status.PLAYING)
    mine = Entry.objects.filter(player=player, withdrawn_at=None).values("tournament")
    rows = Tournament.objects.filter(pk__in=mine, edition=None, competition__closed_at=None)
    running = rows.filter(models.Q(begun=0) | models.Exists(going))
    return running.select_related("competition").order_by("competition")


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
    locked.enter([player])


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
    competition = locked.competition
    competition.begins_at, competition.settings = begins_at, {AT_ONCE: True} if at_once else {}
    competition.save(update_fields=["begins_at", "settings"])


@transaction.atomic
def begin(
    tournament: Tournament, lots: Sequence[int], *, at_once: bool, now: datetime, rng: Random
) -> list[Match]:
    """Begins the first round, or all with one letter to each. `lots` is the order that the organiser saw.

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
    if locked.competition.begins_at is not None:
        locked.competition.begins_at = None
        locked.competition.save(update_fields=["begins_at"])
    return _begin_first(locked, at_once=at_once, now=now, rng=rng)


def _begin_first(tournament: Tournament, *, at_once: bool, now: datetime, rng: Random) -> list[Match]:
    last, facts = (len(rounds_of(tournament)), {SUBJECT: tournament.pk}) if at_once else (1, {})
    begun = (
        begin_round(tournament, number=number, now=now, rng=rng, **facts) for number in range(1, last + 1)
    )
    matches = [match for each in begun for match in each]
    if at_once:
        tell(TournamentBegan(tournament, now))
    return matches


def _number(tournament: Tournament, players: Sequence[Player]) -> None:
    # Two steps: numbers are unique.
    numbers = {player.pk: number for number, player in enumerate(players, start=1)}
    entries = list(tournament.entries.all())
    for first in (len(entries) + max(entry.number for entry in entries), 0):
        for entry in entries:
            entry.number = first + numbers.get(entry.player_id, 0)
        Entry.objects.bulk_update(entries, ["number"])


# Letters, beginnings that are due, withdrawals

log = logging.getLogger(__name__)
Status = Match.Status
OPEN = (Status.PLAYING, Status.PROPOSED)


def sweep(*, now: datetime, rng: Random) -> None:
    """Begins the tournaments that are due; a failure does not delay the others."""
    due = Tournament.objects.filter(
        competition__system__in=BY_HAND,
        competition__begins_at__lte=now,
        competition__closed_at=None,
        begun=0,
    ).order_by("pk")
    for pk in list(due.values_list("pk", flat=True)):
        try:
            begin_due(pk, now=now, rng=rng)
        except Refused as too_few:  # waits for more players, or for the organiser
            log.info("tournament %s does not begin: %s", pk, too_few)
        except Exception:
            log.exception("tournament %s", pk)


@transaction.atomic
def begin_due(pk: int, *, now: datetime, rng: Random) -> None:
    """Begins with the players entered by now. A concurrent second call does nothing. Refuses D10."""
    tournament = Tournament.objects.select_for_update().get(pk=pk)
    competition = tournament.competition
    if tournament.begun or competition.begins_at is None or competition.begins_at > now:
        return
    lots = [player.pk for player in drawn(tournament)]
    begin(tournament, lots, at_once=AT_ONCE in competition.settings, now=now, rng=rng)


@dataclass(frozen=True)
class Leaving:
    """The effect of a withdrawal: `erased` results, matches `over` and `open`, and opponents affected."""

    erased: bool
    over: int
    open: tuple[int, ...]
    opponents: int


def leaving(tournament: Tournament, player: Player) -> Leaving:
    """Returns the effect of a withdrawal. Writes nothing."""
    sheet = sheet_of(tournament)
    own = [match for match in sheet.matches if player.pk in match.players]
    still = [match for match in own if match.status in OPEN]
    opponents = {other for match in still for other in match.players} - {player.pk}
    over = sum(match.status == Status.OVER for match in own)
    return Leaving(
        _is_erased(sheet, own, player.pk), over, tuple(match.match for match in still), len(opponents)
    )


@transaction.atomic
def withdraw(tournament: Tournament, player: Player, *, reason: str, now: datetime) -> Leaving:
    """Removes the player from the list before the beginning, else withdraws them.

    Before half of their matches are over, a round robin erases all their results and voids open matches.
    Afterwards open matches are lost by default. Open matches are not rated; rated ones stay rated. Refuses
    C29 (not taking part).
    """
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    entry = locked.entries.filter(player=player, withdrawn_at=None).first()
    if entry is None:
        raise Refused(Code.NOT_ENTERED, text=locked.name)
    what = leaving(locked, player)
    for match in Match.objects.filter(pk__in=what.open).locked():
        stop(match, player, erased=what.erased, now=now)
    if locked.takes_entries:
        entry.delete()
    else:
        _keep(entry, reason, now, erased=what.erased)
    tell(LeftTournament(locked, player, reason, what.erased and bool(what.over), what.open, now))
    return what


def _keep(entry: Entry, reason: str, now: datetime, *, erased: bool) -> None:
    entry.withdrawn_at, entry.reason, entry.erased = now, reason, erased
    entry.save(update_fields=["withdrawn_at", "reason", "erased"])


def _is_erased(sheet: TournamentSheet, own: Sequence[Listed], player: int) -> bool:
    """Returns whether results are erased. They stay with pairings of the organiser."""
    paired = sum(not entry.guest for entry in sheet.entries)
    if sheet.system == System.PAIRINGS or not own:
        return False
    games = [
        Game(*match.players, 0.5 if match.status == Status.OVER else None)
        for match in own
        if match.status in (Status.PLAYING, Status.OVER)
    ]
    planned = (paired - 1) * (2 if sheet.system == System.DOUBLE else 1)
    return withdrawal(player, games, max(len(games), planned)).erased
