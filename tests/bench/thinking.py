"""What a person's move waits while a robot thinks or looks through a match, in one process: either is a nice process
of its own, never a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import quantiles
from time import sleep

from tests.bench.clock import Effort
from tests.bench.figures import Peer, Row
from tests.bench.sites import Site, serve

WARMING, MATCHES = 2, 2  # matches in a round, one after the other
RIVALS = 4  # each of whom lets the strongest robot think about three matches of the widest game: minutes
CURIOUS = 6  # matches that a robot looks through, every other one of a wide game: minutes as well
SETTLED = 5.0  # seconds, until their first letters are written


def thinking(effort: Effort) -> Iterator[Row]:
    for beside, begin in BESIDE.items():
        with serve() as site:
            effort.say(f"a person's move, before {beside}")
            site.journey.play(site.journey.begin(effort.few(WARMING)))
            without = _latencies(site, effort)
            effort.say(f"a person's move, beside {beside}")
            begin(site, effort)
            sleep(SETTLED)
            during = _latencies(site, effort)
        for percent, bound in ((50, 0.9), (95, None), (99, None)):
            before = Peer("while robots have nothing to do", _at(percent, without))
            what = f"until both letters came, beside {beside}, p{percent}"
            yield Row(what, _at(percent, during), "ms", before, ratio_bound=bound)


def _let_think(site: Site, effort: Effort) -> None:
    site.journey.rivals(effort.few(RIVALS, quick=1), "zertz:+24")


def _let_look_back(site: Site, effort: Effort) -> None:
    games = site.journey.begin(effort.few(CURIOUS))
    site.journey.play(games)
    site.journey.look_back(games)


BESIDE: Mapping[str, Callable[[Site, Effort], None]] = {
    "thinks": _let_think,
    "analyses": _let_look_back,
}


def _latencies(site: Site, effort: Effort) -> Sequence[float]:
    rounds = [site.journey.begin(effort.few(MATCHES, quick=1)) for _ in range(effort.rounds)]
    return [latency for games in rounds for game in games for latency in site.journey.play([game]).latencies]


def _at(percent: int, latencies: Sequence[float]) -> float:
    return quantiles(latencies, n=100)[percent - 1]
