"""The whole way of a move: in at the door, played, two letters out; in one process and in several; now and before."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median, quantiles

from tests.bench.checkout import checkout, short
from tests.bench.clock import Effort
from tests.bench.figures import Peer, Row
from tests.bench.floor import Floor, measured
from tests.bench.journey import Pace
from tests.bench.reference import reference
from tests.bench.serving import ROOT
from tests.bench.sites import Site, serve
from tests.bench.sites import split as in_several

MATCHES = 24  # at the same time
WARMING = 4  # matches that every process has played in, before anything is measured
ALONE = 2  # matches of each round, one after the other, while nothing else goes on
NOTHING = 5.0  # seconds without a letter, for what it costs to wait
SETTLED = 0.3  # seconds after a letter left, until all about it is written down


def whole(effort: Effort) -> Iterator[Row]:
    """Both."""
    yield from embedded(effort)
    yield from split(effort)


def embedded(effort: Effort) -> Iterator[Row]:
    """`manage.py serve` with its defaults: one process, SQLite, tasks in memory."""
    least = None
    if not effort.against:
        effort.say("what nobody can beat")
        least = measured(effort)
    yield from _compared(effort, "serve", serve, least, latency=30, memory=120)


def split(effort: Effort) -> Iterator[Row]:
    """Door, worker and beat apart, with PostgreSQL and Redis."""
    yield from _compared(effort, "split", in_several, None, latency=50, memory=250)


@dataclass
class Side:
    """One state of the program at work, and what was measured of it, round by round."""

    site: Site
    alone: list[float] = field(default_factory=list)  # milliseconds of moves
    busy: list[Pace] = field(default_factory=list)
    ours: list[float] = field(default_factory=list)  # milliseconds of CPU for a move
    servers: list[float] = field(default_factory=list)
    waiting: float = 0.0  # of a core
    memory: float = 0.0

    def warm(self, effort: Effort) -> None:
        self.site.journey.play(self.site.journey.begin(effort.few(WARMING)))
        time.sleep(SETTLED)
        before, seconds = self.site.ours.cpu, NOTHING * (0.1 if effort.quick else 1)
        time.sleep(seconds)
        self.waiting = (self.site.ours.cpu - before) / seconds * 100

    def measure(self, effort: Effort) -> None:
        """A round."""
        for game in self.site.journey.begin(effort.few(ALONE, quick=1)):
            self.alone += self.site.journey.play([game]).latencies
        games = self.site.journey.begin(effort.few(MATCHES))
        time.sleep(SETTLED)
        before = self._cpu()
        self.busy.append(self.site.journey.play(games))
        time.sleep(SETTLED)
        ours, servers = (after - was for after, was in zip(self._cpu(), before, strict=True))
        moves = len(self.busy[-1].latencies)
        self.ours.append(ours / moves * 1000)
        self.servers.append(servers / moves * 1000)
        self.memory = self.site.ours.memory

    @property
    def rate(self) -> float:
        return median(pace.rate for pace in self.busy)

    @property
    def latencies(self) -> Sequence[float]:
        """While many play."""
        return [latency for pace in self.busy for latency in pace.latencies]

    def _cpu(self) -> tuple[float, float]:
        return self.site.ours.cpu, self.site.servers.cpu


def _compared(
    effort: Effort,
    name: str,
    begin: Callable[[Path], AbstractContextManager[Site]],
    least: Floor | None,
    *,
    latency: float,
    memory: float,
) -> Iterator[Row]:
    with ExitStack() as stack:
        effort.say(f"{name} starts")
        sides = [Side(stack.enter_context(begin(ROOT)))]
        if effort.against:
            old = stack.enter_context(checkout(effort.against))
            sides.append(Side(stack.enter_context(begin(old))))
        for side in sides:
            effort.say(f"{name}: warming up, then waiting")
            side.warm(effort)
        references = [reference()]
        for number in range(effort.rounds):
            effort.say(f"{name}: round {number + 1} of {effort.rounds}")
            for side in sides if number % 2 == 0 else reversed(sides):
                side.measure(effort)
            references.append(reference())
        new, *before = sides
        yield from _figures(effort, name, new, before, least, latency=latency, memory=memory)
        for core in references[0]:
            taken = [it[core] for it in references]
            yield Row(
                f"reference loop on core {core}, {min(taken):.0f} to {max(taken):.0f}",
                median(taken),
                "ms CPU",
            )


def _figures(
    effort: Effort,
    name: str,
    new: Side,
    before: Sequence[Side],
    least: Floor | None,
    *,
    latency: float,
    memory: float,
) -> Iterator[Row]:
    label = f"the same at {short(effort.against)}" if before else ""

    def row(what: str, unit: str, of: Callable[[Side], float], bound: float | None = None) -> Row:
        old = Peer(label, of(before[0])) if before else None
        return Row(f"{name}: {what}", of(new), unit, old, bound)

    moves = f"moves, {effort.few(MATCHES)} matches at a time"
    yield row(moves, "per s", lambda side: side.rate, 50)
    if least:
        peer = "a letter in, one row, two letters out"
        yield Row(f"{name}: the same", new.rate, "per s", Peer(peer, least.rate))
        yield Row(f"{name}: CPU of a move, ours", fmean(new.ours), "ms CPU", Peer(peer, least.cpu))
    rounds = f" ({_ratios(new, before[0])})" if before else ""
    yield row(f"CPU of a move, ours{rounds}", "ms CPU", lambda side: fmean(side.ours))
    if new.site.servers.pids:
        yield row("and of PostgreSQL and Redis", "ms CPU", lambda side: fmean(side.servers))
        yield row("all of it", "ms CPU", lambda side: fmean(side.ours) + fmean(side.servers))
    yield row("CPU while nothing happens", "% of a core", lambda side: side.waiting)
    for percent in (50, 95, 99):
        bound = latency if percent == 50 else None
        yield row(
            f"until both letters came, alone, p{percent}",
            "ms",
            lambda side, percent=percent: _at(percent, side.alone),
            bound,
        )
    for percent in (50, 95, 99):
        yield row(
            f"{effort.few(MATCHES)} matches at a time, p{percent}",
            "ms",
            lambda side, percent=percent: _at(percent, side.latencies),
        )
    yield row("our memory, what is shared once", "MiB", lambda side: side.memory, memory)


def _ratios(new: Side, old: Side) -> str:
    return ", ".join(f"{a / b:.2f}" for a, b in zip(new.ours, old.ours, strict=True))


def _at(percent: int, taken: Sequence[float]) -> float:
    return quantiles(taken, n=100, method="inclusive")[percent - 1]
