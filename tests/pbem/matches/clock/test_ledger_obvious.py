"""The ledger against a clock kept by hand: every minute is looked at, and counts for a player or does not.

Parts die together, mailboxes are paused across outages, calendars change, absences are dated back, gaps are found
days later, messages are set aside, moves are taken back, pauses lie over all of it. Whatever the order in which it
becomes known, what everybody has left is the bank minus the minutes of their turns that nothing covers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from hypothesis import Phase, given
from hypothesis import strategies as st

from pbem.matches.clock import outages
from pbem.matches.clock import service as clocks
from pbem.matches.clock.absences import go_away
from pbem.matches.clock.deadlines import give_back
from pbem.matches.clock.recalculation import recount_more
from pbem.matches.models import Component, ExemptInterval, Match, Reason
from pbem.matches.offers import roll_back
from pbem.matches.services import play, start
from pbem.matches.terms import Terms, read_terms
from pbem.players.calendar import Calendar, Night
from pbem.players.models import Player
from pbem.refusals import Refused
from tests.examples import examples
from tests.mail_fixtures import Post, registered
from tests.outages import lost

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
BEGIN = datetime(2026, 3, 26, 9, 0, tzinfo=UTC)  # clocks are put forward in Rome on Sunday
CLOCKS = ("10d+12h<=10d", "10d+12h<=10d nonstop", "36h+12h<=2d", "36h+12h<=2d total=3d")  # short ones run out
MOVES = ["b1-b3", "a2-c2", "b3-b1", "c2-a2"]
HOURS: list[dict[str, Any]] = [
    {"free_weekdays": "", "night_begins": None, "night_ends": None},
    {"free_weekdays": "56", "night_begins": None, "night_ends": None},
    {"free_weekdays": "5", "night_begins": time(22), "night_ends": time(7)},
    {"free_weekdays": "", "night_begins": time(1), "night_ends": time(8, 30)},
]
MOST = 7  # moves; the next would repeat the position a third time
Minutes = int


def moment(minute: Minutes) -> datetime:
    return BEGIN + minute * MINUTE


@dataclass
class Pencil:
    """What a player sees on the wall: who thought from when to when, and which minutes were struck out for whom."""

    zones: tuple[str, str]
    agreed: Terms
    struck: tuple[set[Minutes], set[Minutes]] = field(default_factory=lambda: (set(), set()))
    hours: tuple[list[tuple[Minutes, int]], list[tuple[Minutes, int]]] = field(
        default_factory=lambda: ([(0, 0)], [(0, 0)])
    )
    log: list[tuple[str, int, Minutes]] = field(default_factory=lambda: [("begins", 0, 0)])
    open: dict[str, Minutes] = field(default_factory=dict)
    outages: list[tuple[Minutes, Minutes]] = field(default_factory=list)
    lost: set[Minutes] = field(default_factory=set)

    def strike(self, since: Minutes, until: Minutes, *sides: int) -> None:
        for side in sides or (0, 1):
            self.struck[side].update(range(since, until))

    def away(self, since: Minutes, until: Minutes) -> None:
        self.outages.append((since, until))
        self.lost = lost(self.outages)

    def counts(self, side: int, minute: Minutes) -> bool:
        if (
            minute in self.struck[side]
            or minute in self.lost
            or any(minute >= since for since in self.open.values())
        ):
            return False
        if self.agreed.nonstop:
            return True
        in_force = [number for since, number in self.hours[side] if since <= minute][-1]
        chosen = HOURS[in_force]
        begins, ends = chosen["night_begins"], chosen["night_ends"]
        night = Night(begins, ends) if isinstance(begins, time) and isinstance(ends, time) else None
        free = frozenset(map(int, str(chosen["free_weekdays"])))
        return Calendar(self.zones[side], free, night).runs(moment(minute))

    def left(self, side: int, now: Minutes) -> timedelta:
        control = self.agreed.control
        assert control
        bank, used, began = control.bank, timedelta(), None
        for what, whose, at in self.log:
            if whose != side:
                continue
            if what == "begins":
                began = at
                continue
            if what == "gets":
                bank += at * MINUTE
                continue
            assert began is not None
            thought, began = self.thought(side, began, at), None
            bank, used = bank - thought, used + thought
            if what == "moves":
                bank = max(bank, timedelta())
                bank = max(bank, min(bank + control.increment, control.cap))
        thinks = timedelta() if began is None else self.thought(side, began, now)
        return min(bank, bank if control.ceiling is None else control.ceiling - used) - thinks

    def has_at_least(self, side: int, least: timedelta, now: Minutes) -> None:
        """The bank, whatever all of it may come to."""
        unlimited = replace(self, agreed=replace(self.agreed, total=""))
        lacking = least - unlimited.left(side, now)
        if lacking > timedelta():
            self.log.append(("gets", side, lacking // MINUTE))

    def thought(self, side: int, since: Minutes, until: Minutes) -> timedelta:
        return sum(self.counts(side, minute) for minute in range(since, until)) * MINUTE


@dataclass
class Table:
    """The service, and the pencil beside it."""

    players: tuple[Player, Player]
    clock: str
    now: Minutes = 0

    def __post_init__(self) -> None:
        terms, _ = read_terms(self.clock.split())
        first, second = self.players
        self.pk = start(first=first, second=second, game="loa", terms=terms, now=BEGIN, rng=Random(1)).pk
        self.pencil = Pencil((first.zone, second.zone), terms)

    @property
    def match(self) -> Match:
        return Match.objects.get(pk=self.pk)

    def moves(self, back: Minutes, lasting: Minutes, number: int) -> None:
        """It came some time ago, but in this turn."""
        match = self.match
        if match.ply == MOST:
            return
        assert match.moving
        side = match.moving.side
        arrived = max(self.now - back, self.began())
        try:
            play(match.moving, MOVES[match.ply % 4], now=moment(self.now), arrived=moment(arrived))
        except Refused:
            assert self.pencil.left(side, arrived) < timedelta(), "nobody else is late"
            return
        assert self.pencil.left(side, arrived) >= timedelta(), "who is late is told"
        self.pencil.log += [("moves", side, arrived), ("begins", 1 - side, self.now)]

    def takes_back_unseen(self, back: Minutes, lasting: Minutes, number: int) -> None:
        """The last move, of which nobody has heard: that turn never ended, and the one after it never began."""
        log, match = self.pencil.log, self.match
        turns = [entry for entry in log if entry[0] != "gets"]
        if (
            len(turns) < 2
            or turns[-2][0] != "moves"
            or self.pencil.hours[turns[-2][1]][-1][0] >= turns[-2][2]
        ):
            return
        side = turns[-2][1]
        roll_back(match, match.ply - 1, now=moment(self.now), side=side, seen=False)
        for entry in turns[-2:]:
            del log[len(log) - 1 - log[::-1].index(entry)]
        lacking = MINUTE - self.pencil.left(side, self.now)
        if lacking > timedelta():
            log.append(("gets", side, lacking // MINUTE))

    def rolls_back(self, back: Minutes, lasting: Minutes, number: int) -> None:
        """Both agreed, or the organiser wished it."""
        match, control = self.match, self.pencil.agreed.control
        assert match.moving
        assert control
        ply = match.ply - 1 - number
        if ply < 0:
            return
        self.pencil.log.append(("rests", match.moving.side, self.now))
        roll_back(match, ply, now=moment(self.now), side=None)
        for side in (0, 1):
            self.pencil.has_at_least(side, min(control.bank, max(control.increment, DAY)), self.now)
        self.pencil.log.append(("begins", ply % 2, self.now))

    def away(self, back: Minutes, lasting: Minutes, number: int) -> None:
        """One part, or two or three at once, one of them for longer."""
        until = self.now - back // 2
        for i, component in enumerate(list(Component)[: number % 3 + 1]):
            self.was_away(component, until - lasting - 30 * i, until)

    def away_again(self, back: Minutes, lasting: Minutes, number: int) -> None:
        """After a moment; one of the two becomes known first."""
        until = self.now - back // 2
        again = until - lasting // 3 - 1
        both = (again - 10 * (number + 1) - lasting, again - 10 * (number + 1)), (again, until)
        for since, over in both[:: -1 if number % 2 else 1]:
            self.was_away(Component.DOOR, since, over)

    def was_away(self, component: Component, since: Minutes, until: Minutes) -> None:
        since = max(since, 0)
        if (
            since >= until
            or ExemptInterval.objects.filter(component=component, since=moment(since), why="outage").exists()
        ):
            return
        outages.write(moment(since), moment(until), component=component, now=moment(self.now))
        self.pencil.away(since, until)

    def gap(self, back: Minutes, lasting: Minutes, number: int) -> None:
        """Found after a restore."""
        since = max(self.now - back - lasting, 0)
        until = since + lasting
        outages.credit_gap(moment(since), moment(until), now=moment(self.now))
        self.pencil.away(since, until)

    def mailbox(self, back: Minutes, lasting: Minutes, number: int) -> None:
        side, since = number % 2, max(self.now - back - lasting, 0)
        give_back(self.players[side], moment(since), moment(self.now))
        self.pencil.strike(since, self.now, side)

    def transit(self, back: Minutes, lasting: Minutes, number: int) -> None:
        seat = self.match.moving
        assert seat
        since = max(self.now - back, self.began())
        clocks.exempt(seat, moment(since), moment(self.now), Reason.TRANSIT)
        self.pencil.strike(since, self.now, seat.side)

    def stops(self, back: Minutes, lasting: Minutes, number: int) -> None:
        """Of two reasons; some reach back, and some stop what is stopped already."""
        why = ("shunted", "agreed")[number % 2]
        at = max(self.now - back, 0)
        clocks.stop(self.match, moment(at), why)
        self.pencil.open[why] = min(at, self.pencil.open.get(why, at))

    def goes_on(self, back: Minutes, lasting: Minutes, number: int) -> None:
        why = ("shunted", "agreed")[number % 2]
        clocks.resume(self.match, moment(self.now), why)
        if why in self.pencil.open:
            self.pencil.strike(self.pencil.open.pop(why), self.now)

    def absent(self, back: Minutes, lasting: Minutes, number: int) -> None:
        """AWAY for some days, in a letter that lay somewhere for a while."""
        side, arrived = number % 2, moment(max(self.now - back, 0))
        zone = ZoneInfo(self.players[side].zone)
        first = arrived.astimezone(zone).date() + (number % 3) * DAY
        last = first + (number % 2) * DAY
        try:
            go_away(self.players[side], first, last, now=moment(self.now), arrived=arrived)
        except Refused:
            return
        if not self.pencil.agreed.rests:
            return
        since = max(datetime.combine(first, time(), zone), arrived)
        until = datetime.combine(last + DAY, time(), zone)
        self.pencil.strike((since - BEGIN) // MINUTE, (until - BEGIN) // MINUTE, side)

    def hours(self, back: Minutes, lasting: Minutes, number: int) -> None:
        side = number % 2
        player = self.players[side]
        with clocks.new_hours(player, moment(self.now)):
            for column, value in HOURS[number].items():
                setattr(player, column, value)
            player.save()
        self.pencil.hours[side].append((self.now, number))

    def present(self, back: Minutes, lasting: Minutes, number: int) -> None:
        side = number % 2
        clocks.give(self.match.seated[side], lasting * MINUTE, moment(self.now))
        self.pencil.log.append(("gets", side, lasting))

    def began(self) -> Minutes:
        return next(at for what, _, at in reversed(self.pencil.log) if what == "begins")

    def agrees(self) -> None:
        early = self.match.deadline
        while recount_more():
            pass
        match = self.match
        assert early is None or match.deadline is None or early <= match.deadline, "never too late"
        for seat in match.seated:
            by_hand = self.pencil.left(seat.side, self.now)
            assert clocks.remaining(seat, moment(self.now)) == by_hand, f"side {seat.side}"
            assert seat.bank
            assert (seat.bank.since is None) == (not seat.is_to_move)
        self.agrees_about_the_deadline(match)

    def agrees_about_the_deadline(self, match: Match) -> None:
        assert match.moving
        if self.pencil.open:
            assert match.deadline is None
            return
        assert match.deadline
        side, over = match.moving.side, (match.deadline - BEGIN) // MINUTE
        if self.pencil.left(side, self.began()) <= timedelta():
            assert over == self.began(), "it began with nothing"
            return
        assert self.pencil.left(side, over) == timedelta()
        assert self.pencil.counts(side, over - 1), "the earliest such moment"


KINDS: tuple[Callable[[Table, Minutes, Minutes, int], None], ...] = (
    Table.moves,
    Table.moves,
    Table.moves,
    Table.takes_back_unseen,
    Table.rolls_back,
    Table.away,
    Table.away_again,
    Table.gap,
    Table.mailbox,
    Table.transit,
    Table.stops,
    Table.goes_on,
    Table.absent,
    Table.hours,
    Table.present,
)
HAPPENINGS = st.lists(
    st.tuples(
        st.integers(1, 20 * 60),  # minutes later
        st.sampled_from(KINDS),
        st.sampled_from((0, 0, 7, 45, 200, 1500, 4000)),
        st.sampled_from((2, 10, 31, 150, 700)),
        st.integers(0, 3),
    ),
    min_size=3,
    max_size=12,
)


@pytest.mark.prove
@examples(20, derandomize=True, phases=(Phase.explicit, Phase.generate, Phase.shrink))
@given(clock=st.sampled_from(CLOCKS), happenings=HAPPENINGS)
def test_what_is_left_is_the_bank_minus_the_minutes_that_nothing_covers(
    post: Post, clock: str, happenings: list[tuple[Minutes, Callable[..., None], Minutes, Minutes, int]]
) -> None:
    with transaction.atomic():
        people = registered(post, "Alice", "en").player, registered(post, "Bruno", "it").player
        for player, zone in zip(people, ("Europe/Rome", "America/New_York"), strict=True):
            player.zone = zone
            player.save()
        table = Table(people, clock)
        for later, happens, back, lasting, number in happenings:
            table.now += later
            happens(table, back, lasting, number)
        table.agrees()
        transaction.set_rollback(True)
