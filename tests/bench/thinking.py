"""What a person's move waits while a robot thinks, in one process: the think is a nice process, never a thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import quantiles
from time import sleep

from tests.bench.clock import Effort
from tests.bench.figures import Peer, Row
from tests.bench.sites import Site, serve

WARMING, MATCHES = 2, 2  # matches in a round, one after the other
RIVALS = 4  # each of whom lets the strongest robot think about three matches of the widest game: minutes
SETTLED = 5.0  # seconds, until their first letters are written


def thinking(effort: Effort) -> Iterator[Row]:
    with serve() as site:
        effort.say("a person's move, while nobody thinks")
        site.journey.play(site.journey.begin(effort.few(WARMING)))
        without = _latencies(site, effort)
        effort.say("a person's move, while a robot thinks and others wait")
        site.journey.rivals(effort.few(RIVALS, quick=1), "zertz:+24")
        sleep(SETTLED)
        beside = _latencies(site, effort)
    for percent, bound in ((50, 0.9), (95, None), (99, None)):
        before = Peer("while nobody thinks", _at(percent, without))
        what = f"until both letters came, beside a think, p{percent}"
        yield Row(what, _at(percent, beside), "ms", before, ratio_bound=bound)


def _latencies(site: Site, effort: Effort) -> Sequence[float]:
    rounds = [site.journey.begin(effort.few(MATCHES, quick=1)) for _ in range(effort.rounds)]
    return [latency for games in rounds for game in games for latency in site.journey.play([game]).latencies]


def _at(percent: int, latencies: Sequence[float]) -> float:
    return quantiles(latencies, n=100)[percent - 1]
