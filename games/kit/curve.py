"""Draws the chances of both sides during a game as a curve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from games.kit.drawing import Box, Disc, Drawing, Line, Shape, Text
from games.kit.image import packed, painted
from games.kit.lettering import fitted
from games.kit.themes import DEFAULT, Theme
from games.move_numbers import moves_of

WIDTH, HEIGHT = 640, 160
_LEFT, _RIGHT, _TOP, _BOTTOM = 8, 632, 4, 136  # of the field
_SIZE, _SMALL = 14.0, 12.0  # of letters
_NUMBERS = 12  # move numbers below the field, at most
_APART = 26  # pixels between two written marks
_DOT = 4.5


def curve(
    chances: Sequence[float], marks: Mapping[int, str], names: tuple[str, str], theme: Theme = DEFAULT
) -> bytes:
    """Draws the curve as a PNG.

    `chances` are those of the first side after 0, 1, 2... plies, from 0 to 1; `marks` are the marks of plies.
    """
    return packed(painted(Drawing(WIDTH, HEIGHT, tuple(_shapes(chances, marks, names))), theme, steps=3))


def _shapes(chances: Sequence[float], marks: Mapping[int, str], names: tuple[str, str]) -> Iterator[Shape]:
    points = [(_x(ply, len(chances)), _y(chance)) for ply, chance in enumerate(chances)]
    yield Box(_LEFT, _TOP, _RIGHT - _LEFT, _BOTTOM - _TOP, "shaded")
    yield from _below(points)
    middle = round(_y(0.5))
    yield Box(_LEFT, middle, _RIGHT - _LEFT, 1, "ring")
    yield Line(tuple(points), 2.0, "label")
    room = (_RIGHT - _LEFT) * 0.6
    yield Text(_LEFT + 8, _TOP + 18, fitted(names[1], room, _SIZE), _SIZE, "label")
    yield Text(_LEFT + 8, _BOTTOM - 8, fitted(names[0], room, _SIZE), _SIZE, "label")
    yield from _numbers(len(chances))
    yield from _dots(points, marks)


def _below(points: Sequence[tuple[float, float]]) -> Iterator[Shape]:
    """Fills the first side's area, one column of pixels at a time."""
    ply = 0
    for x in range(_LEFT, _RIGHT):
        while ply + 2 < len(points) and points[ply + 1][0] <= x:
            ply += 1
        (left, above), (right, beside) = points[ply], points[min(ply + 1, len(points) - 1)]
        part = min(1.0, (x + 0.5 - left) / (right - left)) if right > left else 0.0
        top = round(above + (beside - above) * part)
        yield Box(x, top, 1, _BOTTOM - top, "light")


def _numbers(count: int) -> Iterator[Shape]:
    """Writes the move numbers below the curve."""
    moves = moves_of(count - 1)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if moves <= step * _NUMBERS)
    for number in range(step, moves + 1, step):
        x = _x(2 * number - 1, count)
        if x <= _RIGHT - 6:
            yield Text(x, HEIGHT - 8, str(number), _SMALL, "muted", anchor="middle", on="paper")


def _dots(points: Sequence[tuple[float, float]], marks: Mapping[int, str]) -> Iterator[Shape]:
    """Draws a dot after each marked turn, and its mark away from the curve where there is room."""
    last = -float(_APART)
    for ply, mark in sorted(marks.items()):
        x, y = points[ply + 1]
        yield Disc(x, y, _DOT, fill="accent", line="light", thickness=1)
        if x - last >= _APART:
            peak = y < points[ply][1]
            above = y - _TOP > 26 if peak else _BOTTOM - y < 26
            at = y - 9 if above else y + 19
            inside = min(max(x, _LEFT + 10), _RIGHT - 10)
            letters = Text(inside, at, mark, _SIZE, "label", bold=True, anchor="middle")
            yield replace(letters, edge="light", thickness=2)
            last = x


def _x(ply: int, count: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * ply / max(1, count - 1)


def _y(chance: float) -> float:
    """Returns the height of a chance; the first side's area is at the bottom."""
    return _BOTTOM - (_BOTTOM - _TOP) * chance
