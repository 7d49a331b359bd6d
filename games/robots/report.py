"""An analysis as lines of a table, for the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.move_numbers import mark
from games.robots.analysis import Analysis

Row = tuple[object, ...]


def rows(analysis: Analysis, moves: Sequence[Any]) -> Iterator[Row]:
    """`number, move, per cent of the first side after it, mark` of each turn; `moment` with its number, the mover's
    per cent before it and with it, and the better line; `decided` with a number, or `-`."""
    for ply, move in enumerate(moves):
        yield mark(ply), move, round(100 * analysis.chances[ply + 1]), analysis.marks.get(ply, "")
    for moment in analysis.moments:
        before, after = (round(100 * chance) for chance in analysis.falls[moment.ply])
        yield "moment", mark(moment.ply), before, after, " ".join(moment.line)
    yield "decided", "-" if analysis.decided is None else mark(analysis.decided)
