"""Memory of some processes together: what is each one's own, and once what several of them share."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

MAPPING = re.compile(r"[0-9a-f]+-[0-9a-f]+ \S+ (?P<offset>[0-9a-f]+) \S+ (?P<inode>\d+) *(?P<path>.*)")


def mib(pids: Iterable[int]) -> float:
    """Pages that only forked processes share are counted in parts (PSS), which add up to one whole. Those of files are
    shared with anybody, and PSS would leave out what others of the same environment have mapped: of each mapped file
    what most of it any of these processes has.
    """
    anonymous, files = 0, defaultdict[tuple[str, str], int](int)
    for pid in pids:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        anonymous += int(rollup.partition("\nPss_Anon:")[2].split()[0])
        for mapping, kb in _mapped(Path(f"/proc/{pid}/smaps").read_text()):
            files[mapping] = max(files[mapping], kb)
    return (anonymous + sum(files.values())) / 1024


def _mapped(smaps: str) -> Iterator[tuple[tuple[str, str], int]]:
    """KiB of each file that are in memory as the file has them."""
    mapping, resident = ("", ""), 0
    for line in smaps.splitlines():
        if begins := MAPPING.match(line):
            mapping = (begins["path"], begins["offset"]) if int(begins["inode"]) else ("", "")
        elif mapping[0] and line.startswith("Rss:"):
            resident = int(line.split()[1])
        elif mapping[0] and line.startswith("Anonymous:"):
            yield mapping, resident - int(line.split()[1])
