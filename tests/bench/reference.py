"""A fixed loop of Python, on each core at once: how fast this machine is in this minute."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping

from tests.bench.figures import Row

LOOP = """
import os, sys, time
os.sched_setaffinity(0, {int(sys.argv[1])})
begin, seen, total = time.process_time(), {}, 0
for number in range(400_000):
    word = str(number % 977)
    seen[word] = seen.get(word, 0) + number
    total ^= hash((word, number)) & 0xFFFF
print((time.process_time() - begin) * 1000)
"""


def reference() -> Mapping[int, float]:
    """Milliseconds of CPU by core."""
    cores = sorted(os.sched_getaffinity(0))
    running = [
        subprocess.Popen([sys.executable, "-I", "-c", LOOP, str(core)], stdout=subprocess.PIPE, text=True)
        for core in cores
    ]
    return {core: float(it.communicate()[0]) for core, it in zip(cores, running, strict=True)}


def loops(when: str) -> Iterator[Row]:
    for core, taken in reference().items():
        yield Row(f"reference loop on core {core}, {when}", taken, "ms CPU")
