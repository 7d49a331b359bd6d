"""A million rows of letters with their texts, on PostgreSQL: what a move leaves, and what letting go of it costs."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.clock import Effort
from tests.bench.figures import Row
from tests.bench.million import told_by
from tests.bench.reference import loops

LETTERS = 1_000_000


def storage(effort: Effort) -> Iterator[Row]:
    yield from loops("before")
    letters = effort.few(LETTERS, quick=4_800)
    effort.say(f"filling the tables with {letters:,} letters, which takes minutes")
    yield from told_by("tests.bench.texts", str(letters))
    yield from loops("after")
