"""People play while others ask the web of the same process without end."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from urllib.request import urlopen

from tests.bench.clock import Effort
from tests.bench.figures import Peer, Row
from tests.bench.serving import manage
from tests.bench.sites import site
from tests.bench.whole import MATCHES
from tests.smtp_fixtures import free_port

REQUESTERS = 20  # at the same time, each on its own connections, one after the other
ALONE = 5  # seconds in which nobody plays, for what an answer costs


def requesters(effort: Effort) -> Iterator[Row]:
    """`manage.py serve` is one process of Python: what the web takes, play does not get."""
    web = f"127.0.0.1:{free_port()}"
    health = f"http://{web}/health/"
    with site({"WEB_LISTEN": web}, [manage("serve")]) as (journey, processes):
        effort.say("play alone")
        alone = journey.play(journey.begin(effort.few(MATCHES)))
        matches = journey.begin(effort.few(MATCHES))
        effort.say("play beside requesters")
        with _asking(health) as asked:
            beside = journey.play(matches)
        effort.say("requesters alone")
        before = processes.cpu
        with _asking(health) as unplayed:
            time.sleep(effort.few(ALONE))
        spent = processes.cpu - before
        front = f"http://{web}/en/"
        with urlopen(front, timeout=60) as first:  # loads the pages
            first.read()
        before = processes.cpu
        with _asking(front) as pages:
            time.sleep(effort.few(ALONE))
        drawn = processes.cpu - before
    yield Row(
        f"moves beside {REQUESTERS} requesters",
        beside.rate,
        "per s",
        Peer("without", alone.rate),
        ratio_bound=0.9,
    )
    yield Row("answers to them", asked.rate, "per s")
    yield Row("an answer of /health/", spent / max(1, unplayed.answers) * 1000, "ms CPU", bound=3)
    yield Row("front pages, where nobody plays", pages.rate, "per s", bound=150)
    yield Row("a front page", drawn / max(1, pages.answers) * 1000, "ms CPU")


@dataclass
class Asked:
    """What the requesters were answered."""

    answers: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        return self.answers / self.seconds


@contextmanager
def _asking(url: str) -> Iterator[Asked]:
    """In a process of their own: they are to take nothing from who plays but what the service gives them."""
    asked, begin = Asked(), time.perf_counter()
    command = [sys.executable, "-m", "tests.bench.requesters", url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield asked
        asked.seconds = time.perf_counter() - begin
        said, _ = process.communicate()
    asked.answers = int(said)


def _ask_until_closed(url: str) -> int:
    """Until nobody listens to us any longer; how many answers came."""
    answers = [0] * REQUESTERS
    for number in range(REQUESTERS):
        Thread(target=_ask, args=(url, answers, number), daemon=True).start()
    sys.stdin.read()
    return sum(answers)


def _ask(url: str, answers: list[int], number: int) -> None:
    while True:
        with urlopen(url, timeout=60) as answer:
            answer.read()
        answers[number] += 1


if __name__ == "__main__":
    print(_ask_until_closed(sys.argv[1]))
