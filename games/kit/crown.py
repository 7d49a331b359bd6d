"""Draws the crown of a king."""

from __future__ import annotations

from collections.abc import Iterator

from games.kit.drawing import Line, Point
from games.kit.scene import Look

# Lines through these points, and how thick they are, in widths of a crown from its middle: an outline with three
# points, and what fills it. Chess queens of a font are only smudges where a crown is a few pixels small.
RIM: tuple[Point, ...] = (
    *((0, 0.28), (0.3, 0.28), (0.42, -0.28), (0.18, 0), (0, -0.38)),
    *((-0.18, 0), (-0.42, -0.28), (-0.3, 0.28), (0, 0.28)),
)
STROKES = ((RIM, 0.16), (((-0.31, 0.1), (0.31, 0.1)), 0.42), (((0, -0.25), (0, 0.1)), 0.16))


def crown(look: Look, at: Point, width: float) -> Iterator[Line]:
    """Draws a crown around `at`, visible on a disc of this look."""
    # without `on`: the lines overlap
    for points, thickness in STROKES:
        spots = tuple((at[0] + x * width, at[1] + y * width) for x, y in points)
        yield Line(spots, thickness * width, "light" if look == "dark" else "dark")
