"""The weights of a model, in a file that all processes map into memory, so that they share one copy of it.

The file has a line of JSON, then tables of numbers, one after the other (little-endian: mapped numbers have the
order of the machine, and no other machines are in use). Features are found by an open hash table with linear
probing: a slot has the number of a feature plus one, or 0 when it is free.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate
from mmap import ACCESS_READ, mmap
from pathlib import Path
from sys import intern
from typing import Any, Literal, NamedTuple
from zlib import crc32

_TABLES: Mapping[str, Literal["I", "f", "h", "B"]] = {  # the types of array and struct
    "slots": "I",
    "starts": "I",
    "begins": "I",
    "idf": "f",
    "values": "h",
    "language": "B",
    "numbers": "B",
    "text": "B",
}
_SAID = ("examples", "languages", "intents", "intercepts", "names", "short")  # as it is in the JSON


class Model(NamedTuple):
    """A sparse model: by feature number the `idf`, the most frequent `language` and the start of its weights.

    The weights of feature n are at `begins[n]` to `begins[n + 1]` of `numbers` (intents) and `values`; those
    near zero are left out.
    """

    examples: str  # a digest of those it was learned from
    languages: Sequence[str]
    intents: Sequence[str]
    intercepts: Sequence[int]
    names: frozenset[str]  # words that the examples write with a capital
    short: Mapping[str, str]  # the intents of examples of few words
    slots: memoryview
    starts: memoryview  # of each feature in the text
    begins: memoryview
    idf: memoryview[float]
    values: memoryview
    language: memoryview
    numbers: memoryview
    text: memoryview  # of all features

    @classmethod
    def of(cls, packed: bytes | mmap) -> Model:
        at = packed.find(b"\n") + 1
        said = json.loads(packed[:at])
        tables: dict[str, Any] = {}
        for (name, kind), size in zip(_TABLES.items(), said.pop("sizes"), strict=True):
            tables[name] = memoryview(packed)[at : at + size].cast(kind)
            at += size
        said["names"] = frozenset(said["names"])
        said["short"] = {text: intern(intent) for text, intent in said["short"].items()}
        return cls(**said, **tables)

    def number_of(self, feature: str) -> int | None:
        """Returns the number of the feature. None when no example has it."""
        encoded = feature.encode("utf-8", "surrogatepass")
        slots, starts, text = self.slots, self.starts, self.text
        mask = len(slots) - 1
        at = crc32(encoded) & mask
        while number := slots[at]:
            if text[starts[number - 1] : starts[number]] == encoded:
                return number - 1
            at = at + 1 & mask
        return None


def read(path: Path) -> Model:
    with path.open("rb") as file:
        return Model.of(mmap(file.fileno(), 0, access=ACCESS_READ))


def packed(learned: Mapping[str, Any]) -> bytes:
    """Returns the file of what `tests.intents` has learned."""
    features = [feature.encode() for feature in learned["features"]]
    starts = [*accumulate(map(len, features), initial=0)]
    numbers = {**learned, "slots": _slots(features), "starts": starts, "text": b"".join(features)}
    tables = [array(kind, numbers[name]).tobytes() for name, kind in _TABLES.items()]
    said = {name: learned[name] for name in _SAID} | {"sizes": [len(table) for table in tables]}
    line = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return b"".join((line.encode(), b"\n", *tables))


def _slots(features: Sequence[bytes]) -> Sequence[int]:
    """Returns more than twice as many slots as there are features."""
    slots = [0] * (1 << (2 * len(features)).bit_length())
    for number, feature in enumerate(features, start=1):
        at = crc32(feature) & (len(slots) - 1)
        while slots[at]:
            at = at + 1 & (len(slots) - 1)
        slots[at] = number
    return slots
