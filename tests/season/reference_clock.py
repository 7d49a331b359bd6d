"""A clock kept by hand, from what the people of the season have noted: it knows everything that a clock may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pbem.matches.clock.control import DAY, Control
from pbem.matches.models import Event, Match
from tests.season.minutes import LONGEST_TRANSIT, Minutes
from tests.season.notes import Days, Entry
from tests.season.plan import MINUTE

Kind = Event.Kind
NOTHING = timedelta()
LONGEST_DOUBT = timedelta(hours=24)  # that questions may cost nobody, in a match


@dataclass
class Used:
    """What a seat has in its bank, and what it has used; `credit` is what questions have given it back."""

    left: timedelta
    used: timedelta = NOTHING
    credit: timedelta = NOTHING


@dataclass
class Obvious:
    """One match. `late`: turns that were played after their time, by how much; `over`: by how much its time was over
    (below nothing: it was not) when the match was ended for that."""

    match: Match
    control: Control
    minutes: Minutes
    banks: tuple[Used, Used]
    running: int | None = None
    since: datetime | None = None  # charged until then
    began: datetime | None = None  # the turn
    told_from: list[datetime] = field(default_factory=list)  # it began, or went on: a letter says so
    ply: int = 0
    stopped: set[str] = field(default_factory=set)
    at_stop: tuple[datetime, timedelta] | None = None  # what a stop has charged of the turn, and since when
    flagged: bool = False
    late: list[tuple[int, timedelta]] = field(default_factory=list)
    over: timedelta | None = None
    last: tuple[int, datetime, timedelta] | None = (
        None  # whose turn was never played, from when on, with what left
    )

    def charge(self, until: datetime, *, moved: bool = False) -> None:
        """What has elapsed of the turn under way is gone."""
        if self.running is None or self.since is None or self.stopped:
            return
        self._take(self.elapsed(until, moved=moved))
        self.since = max(self.since, until)

    def _take(self, lasted: timedelta) -> None:
        assert self.running is not None
        bank = self.banks[self.running]
        bank.left, bank.used = bank.left - lasted, bank.used + lasted

    def stop(self, at: datetime) -> None:
        if self.running is not None and self.since is not None and not self.stopped:
            self.at_stop = self.since, self.elapsed(at, moved=False)
        self.charge(at)

    def came_before_stop(self, arrived: datetime) -> None:
        """A move that was asked about counts from before the turn was stopped: what came after it costs nothing."""
        if self.stopped and self.at_stop and self.since and arrived < self.since:
            self.since, charged = self.at_stop
            self._take(self.elapsed(arrived, moved=True) - charged)

    def elapsed(self, until: datetime, *, moved: bool) -> timedelta:
        """The player who has `moved` before the relay took the letter knew without it."""
        assert self.running is not None
        assert self.since is not None
        player = self._player(self.running)
        transit = [way for way in self._transit(player) if not moved or way[1] <= until]
        return self.minutes.counted(self.match, player, self.since, until, transit)

    def spare_at(self, moment: datetime) -> timedelta:
        """What was left of the turn that was under way when the match ended, at an earlier moment."""
        if self.last is None:
            return NOTHING
        side, since, left = self.last
        player = self._player(side)
        return left - self.minutes.counted(self.match, player, since, moment, self._transit(player))

    def remaining(self, side: int) -> timedelta:
        bank = self.banks[side]
        ceiling = self.control.ceiling
        return bank.left if ceiling is None else min(bank.left, ceiling - bank.used)

    def begin(self, side: int | None, now: datetime) -> None:
        self.running, self.since, self.began, self.told_from = side, now, now, [now]
        self.at_stop = None

    def moved(self, side: int) -> None:
        bank = self.banks[side]
        bank.left = max(bank.left, NOTHING)
        bank.left = max(bank.left, min(bank.left + self.control.increment, self.control.cap))

    def given(self, side: int, lasting: timedelta, now: datetime) -> None:
        if self.flagged and side == self.running:
            self.charge(now)
            self.banks[side].left = max(self.banks[side].left, NOTHING)
            self.flagged = False
        self.banks[side].left += lasting

    def _player(self, side: int) -> int:
        return self.minutes.notes.seats[self.match.pk][side]

    def _transit(self, player: int) -> list[Days]:
        """The turn begins when the relay takes the letter that brings it, if that is not at once, nor a day later; and
        goes on with the letter that says so."""
        told = self.minutes.notes.told[self.match.pk, self.ply, player]
        taken = [
            (begun, min((moment for moment in told if moment >= begun), default=begun))
            for begun in self.told_from
        ]
        return [(begun, min(came, begun + LONGEST_TRANSIT)) for begun, came in taken if came - begun > MINUTE]


def kept(match: Match, minutes: Minutes, until: datetime) -> Obvious:
    """The clock of this match at its end, or at the end of the season."""
    control = match.agreed.control
    assert control is not None
    clock = Obvious(match, control, minutes, (Used(control.bank), Used(control.bank)))
    for entry in minutes.notes.matches[match.pk]:
        HAPPENED.get(entry.kind, _nothing)(clock, entry)
    clock.charge(until)
    return clock


def _nothing(clock: Obvious, entry: Entry) -> None:
    """Has no clock."""


def _started(clock: Obvious, entry: Entry) -> None:
    clock.begin(entry.to_move, entry.at)


def _moved(clock: Obvious, entry: Entry) -> None:
    if not entry.played:
        return  # it tells only that a conditional line could not be played on
    first, mover = entry.played[0], clock.running
    if first.side == mover:
        arrived = _counts_from(clock, entry)
        clock.came_before_stop(arrived)
        clock.charge(arrived, moved=True)
        if clock.remaining(mover) < NOTHING and not clock.stopped:
            clock.late.append((first.ply, -clock.remaining(mover)))
    clock.flagged = False
    for turn in entry.played:
        if turn is first or turn.by_itself:
            clock.moved(turn.side)
    clock.ply = entry.ply
    clock.begin(entry.to_move, entry.at)


def _counts_from(clock: Obvious, entry: Entry) -> datetime:
    """What had to be confirmed came with the first letter in doubt of its turn, as long as that has credit."""
    arrived = entry.arrived or entry.at
    if entry.asked is None or entry.side is None:
        return arrived
    bank = clock.banks[entry.side]
    credit = min(arrived - entry.asked, LONGEST_DOUBT - bank.credit)
    bank.credit += credit
    return arrived - credit


def _ended(clock: Obvious, entry: Entry) -> None:
    if clock.running is not None and clock.since is not None:
        clock.last = clock.running, clock.since, clock.remaining(clock.running)
    clock.charge(entry.at)
    if clock.running is not None and clock.match.reason == "time":
        clock.over = -clock.remaining(clock.running)
    clock.running = None


def _undone(clock: Obvious, entry: Entry) -> None:
    clock.charge(entry.at)
    least = min(clock.control.bank, max(clock.control.increment, DAY))
    for bank in clock.banks:
        bank.left = max(bank.left, least)
    clock.flagged, clock.ply = False, entry.ply
    clock.begin(entry.to_move, entry.at)


def _stopped(clock: Obvious, entry: Entry) -> None:
    """A pause counts from when the letter arrived that agreed to it, even if it had to be confirmed."""
    clock.stop(_counts_from(clock, entry))
    clock.stopped.add("pause" if entry.kind == Kind.PAUSED else "organiser")


def _resumed(clock: Obvious, entry: Entry) -> None:
    clock.stopped.discard("organiser" if "reason" in entry.facts else "pause")
    if not clock.stopped and clock.running is not None:
        clock.since, clock.at_stop = entry.at, None
        clock.told_from.append(entry.at)


def _gave(clock: Obvious, entry: Entry) -> None:
    assert entry.side is not None
    clock.given(1 - entry.side, timedelta(hours=entry.facts["hours"]), entry.at)


def _extended(clock: Obvious, entry: Entry) -> None:
    clock.given(entry.facts["seat"], timedelta(hours=entry.facts["hours"]), entry.at)


def _overstepped(clock: Obvious, entry: Entry) -> None:
    clock.flagged = True


HAPPENED: Mapping[str, Callable[[Obvious, Entry], None]] = {
    Kind.STARTED: _started,
    Kind.MOVED: _moved,
    Kind.ENDED: _ended,
    Kind.UNDONE: _undone,
    Kind.PAUSED: _stopped,
    Kind.STOPPED: _stopped,
    Kind.RESUMED: _resumed,
    Kind.GAVE: _gave,
    Kind.EXTENDED: _extended,
    Kind.FLAGGED: _overstepped,
}
