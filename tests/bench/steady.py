"""What each process of an installation takes: while nothing happens, and at ten moves a second."""

from __future__ import annotations

import getpass
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from tests.bench.clock import Effort
from tests.bench.figures import Row
from tests.bench.journey import Journey, Pace
from tests.bench.reference import loops
from tests.bench.serving import Processes
from tests.bench.sites import servers, site
from tests.bench.whole import MATCHES, SETTLED, WARMING

MOVES = 10  # in a second
NOTHING = 30.0  # seconds without a letter: two sweeps of each kind
PLAYED_BY = {"PBEM_USER": getpass.getuser()}
ALONE = {"pbem serve": ["serve"]}
# As the units start them (deploy/systemd).
APART = {
    "pbem smtpd": ["smtpd"],
    "pbem worker inbound": ["worker", "inbound", "--hostname", "inbound@bench"],
    "pbem worker outbound": ["worker", "outbound", "--hostname", "outbound@bench"],
    "pbem worker clock": ["worker", "clock", "--hostname", "clock@bench"],
    "pbem worker robots": ["worker", "robots", "--hostname", "robots@bench", "--concurrency", "1"],
    "pbem beat": ["beat", "--schedule", "{}/beat"],
    "pbem web": ["web"],
}


def steady(effort: Effort) -> Iterator[Row]:
    """Percents are of one core of this machine in this minute: the loops say how fast it was."""
    yield from loops("before")
    effort.say("serve")
    with site(PLAYED_BY, _commands(ALONE, "")) as (journey, ours):
        yield from _measured(effort, "serve", journey, _named(ALONE, ours.pids))
    effort.say("split")
    with (
        servers() as (settings, others),
        TemporaryDirectory(prefix="pbem-bench-beat-") as folder,
        site(PLAYED_BY | dict(settings), _commands(APART, folder)) as (journey, ours),
    ):
        parts = _named(APART, ours.pids) | _named(["PostgreSQL", "Redis"], others.pids)
        yield from _measured(effort, "split", journey, parts)
    yield from loops("after")


def _commands(programs: Mapping[str, Sequence[str]], folder: str) -> list[list[str]]:
    return [
        [sys.executable, "-m", "pbem", *(word.format(folder) for word in words)]
        for words in programs.values()
    ]


def _named(names: Sequence[str] | Mapping[str, object], pids: Sequence[int]) -> dict[str, Processes]:
    return {name: Processes((pid,)) for name, pid in zip(names, pids, strict=True)}


@dataclass(frozen=True)
class Spent:
    """In some seconds, of each part: percents of a core, and MiB at their end."""

    cpu: Mapping[str, float]
    memory: Mapping[str, float]


class Watch:
    """Looks at the parts, from its beginning on."""

    def __init__(self, parts: Mapping[str, Processes]) -> None:
        self.parts, self.begun = parts, time.perf_counter()
        self.before = {name: part.cpu for name, part in parts.items()}

    def spent(self) -> Spent:
        seconds = time.perf_counter() - self.begun
        return Spent(
            {name: (part.cpu - self.before[name]) / seconds * 100 for name, part in self.parts.items()},
            {name: part.memory for name, part in self.parts.items()},
        )


def _measured(effort: Effort, name: str, journey: Journey, parts: Mapping[str, Processes]) -> Iterator[Row]:
    effort.say(f"{name}: warming up, then waiting")
    journey.play(journey.begin(effort.few(WARMING)))
    time.sleep(SETTLED)
    watch = Watch(parts)
    time.sleep(NOTHING * (0.02 if effort.quick else 1))
    idle = watch.spent()
    effort.say(f"{name}: {MOVES} moves a second")
    games = journey.begin(effort.few(MATCHES))
    time.sleep(SETTLED)
    watch = Watch(parts)
    pace = journey.play(games, MOVES)
    yield from _figures(name, pace, idle, watch.spent())


def _figures(name: str, pace: Pace, idle: Spent, busy: Spent) -> Iterator[Row]:
    yield Row(f"{name}: moves, {MOVES} wanted", pace.rate, "per s")
    yield Row(f"{name}: until both letters came, p50", sorted(pace.latencies)[len(pace.latencies) // 2], "ms")
    for part in idle.cpu:
        yield Row(f"{part}: idle", idle.memory[part], "MiB")
        yield Row(f"{part}: idle", idle.cpu[part], "% of a core")
        yield Row(f"{part}: at that rate", busy.memory[part], "MiB")
        yield Row(f"{part}: at that rate", busy.cpu[part], "% of a core")
    yield Row(f"{name}: all of it, at that rate", sum(busy.memory.values()), "MiB")
    yield Row(f"{name}: all of it, at that rate", sum(busy.cpu.values()), "% of a core")
    yield Row(f"{name}: CPU of a move", sum(busy.cpu.values()) / pace.rate * 10, "ms CPU")
