"""What a second and a third worker add, what each part of the service spends, and which of them would be full next."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping

from tests.bench.clock import Effort
from tests.bench.figures import Row
from tests.bench.reference import loops
from tests.bench.serving import Processes
from tests.bench.sites import Site, split
from tests.bench.whole import MATCHES, SETTLED, WARMING

MOST = 3  # workers of one child each: two children would use two cores before a second worker came
CORES = len(os.sched_getaffinity(0))


def workers(effort: Effort) -> Iterator[Row]:
    """CPU is of this machine in this minute, which a reference loop shows; a part would end at as many moves as a
    core has time for.
    """
    for count in range(1, effort.few(MOST) + 1):
        effort.say(f"{count} of {MOST} workers")
        each = "1 worker" if count == 1 else f"{count} workers"
        with split(workers=count, children=1) as site:
            rate, spent = _played(site, effort)
            yield from loops(each)
        yield Row(f"{each}: moves, {effort.few(MATCHES)} matches at a time", rate, "per s")
        for part, cpu in spent.items():
            yield Row(f"{each}: {part}", cpu, "ms CPU a move")
        used = sum(spent.values()) * rate / 10
        yield Row(f"{each}: cores used, of {CORES * 100} % with the players' end", used, "% of a core")
    for part, cores in (("the door", 1), ("Redis", 1), (f"{CORES} cores", CORES)):
        cpu = sum(spent.values()) if cores > 1 else spent[part]
        yield Row(f"next: {part} would end at", cores * 1000 / cpu, "moves per s")


def _played(site: Site, effort: Effort) -> tuple[float, Mapping[str, float]]:
    """Moves a second, and milliseconds of CPU of each part for a move."""
    for _ in range(WARMING):  # a worker takes whatever comes: only many matches reach all their children
        site.journey.play(site.journey.begin(effort.few(MATCHES)))
        if effort.quick:
            break
    games = site.journey.begin(effort.few(MATCHES))
    time.sleep(SETTLED)
    parts = _parts(site)
    before = {part: processes.cpu for part, processes in parts.items()}
    pace = site.journey.play(games)
    time.sleep(SETTLED)
    moves = len(pace.latencies)
    return pace.rate, {
        part: (processes.cpu - before[part]) / moves * 1000 for part, processes in parts.items()
    }


def _parts(site: Site) -> Mapping[str, Processes]:
    door, *between, beat = site.ours.pids
    postgres, redis = site.servers.pids
    return {
        "the door": Processes((door,)),
        "the workers": Processes(tuple(between)),
        "beat": Processes((beat,)),
        "PostgreSQL": Processes((postgres,)),
        "Redis": Processes((redis,)),
    }
