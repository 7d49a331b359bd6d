"""How the bench takes time: CPU of this process where one process works, the wall clock elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time

Say = Callable[[str], None]


@dataclass(frozen=True)
class Effort:
    """How much trouble to take: `quick` is for seeing that everything runs. `say` tells what is being measured.
    `against` is a commit to compare with, where that can be done, in so many rounds.
    """

    quick: bool
    say: Say
    against: str = ""
    rounds: int = 3

    @property
    def seconds(self) -> float:
        """For one figure."""
        return 0.05 if self.quick else 1.0

    def few(self, count: int, quick: int = 2) -> int:
        return quick if self.quick else count


def cpu_ms(work: Callable[[int], object], effort: Effort, most: int = 1_000_000) -> float:
    """Milliseconds of CPU of one call: the median of at most so many, each told its number, the first forgotten."""
    work(0)
    taken: list[float] = []
    number, until = 0, perf_counter() + effort.seconds
    while number < most - 1 and (len(taken) < 3 or perf_counter() < until):
        number += 1
        begin = process_time()
        work(number)
        taken.append(process_time() - begin)
    return median(taken) * 1000


def per_second(work: Callable[[int], int], effort: Effort) -> float:
    """Units of work for each second of CPU; `work` says how many it did. As much was done before, and is forgotten:
    whatever is worked out once, when it is first met, is there.
    """
    number, rate = 0, 0.0
    for _ in range(2):
        done, begin, until = 0, process_time(), perf_counter() + effort.seconds
        while done == 0 or perf_counter() < until:
            done += work(number)
            number += 1
        rate = done / (process_time() - begin)
    return rate
