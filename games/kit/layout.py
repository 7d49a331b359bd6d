"""The page: title, board, plates and the last move, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.kit import lettering
from games.kit.diagram import diagram
from games.kit.drawing import Drawing, Shape, Sheet, Text
from games.kit.frame import frame
from games.kit.men import overshoot
from games.kit.plates import Column, notes, plates
from games.kit.scene import Scene
from games.kit.words import Speech

# In pixels of a picture 400 wide; everything grows and shrinks with the width.
WIDTH, USUAL = 520, 400
MARGIN, EDGE, GAP, TOP = 16, 4, 9, 8
TITLE, SUBTITLE, LAST = 23, 15, 15
NEARER = 10  # the last move to a board with nothing below it


@dataclass(frozen=True)
class Caption:
    """What stands above and below the board; each may be empty."""

    title: str
    subtitle: str = ""
    last: str = ""


@dataclass(frozen=True)
class Still:
    """One picture of a series."""

    scene: Scene
    caption: Caption


def lay_out(
    scene: Scene,
    speech: Speech,
    caption: Caption,
    width: int = WIDTH,
    pen: float = 0,
    *,
    margin: float = 0,
    above: float = 0,
) -> Drawing:
    """The whole picture, `width` pixels wide and as high as it needs to be: the board takes all of the width.

    Lines and letters are measured in `pen` pixels, which grow with the width unless they are given; words begin at
    the `margin`. Piles stick out of the board so far, or `above` it if that is more.
    """
    pen = pen or width / USUAL
    margin = margin or MARGIN * pen
    header, top = heading(caption, width, pen, margin)
    board = frame(scene, width, pen)
    top += max(0, max(above, overshoot(scene, board)) - (GAP * pen if header else 0))
    board = board.moved(round((width - board.width) / 2), round(top))
    shapes: list[Shape | Sheet] = [*header, *diagram(scene, speech, board, width)]
    bottom = round(top) + board.height
    edge = min(EDGE * pen, (width - board.width) / 2)
    y = bare = bottom + GAP * pen
    y = _added(shapes, plates(scene, speech, edge, y, width - 2 * edge, pen, margin - edge))
    y = _added(shapes, notes(scene, speech, margin, y, width - 2 * margin, pen))
    footer, end = _footer(caption, y - NEARER * pen if y == bare else y, width, pen, margin)
    return Drawing(width, round(end), (*shapes, *footer))


def lay_out_series(
    stills: Sequence[Still], speech: Speech, width: int = WIDTH, pen: float = 0, margin: float = 0
) -> tuple[Drawing, ...]:
    """All of one size, and what they have in common in the same place."""
    boards = [frame(still.scene, width, pen or width / USUAL) for still in stills]
    above = max(overshoot(still.scene, board) for still, board in zip(stills, boards, strict=True))
    drawings = [
        lay_out(still.scene, speech, still.caption, width, pen, margin=margin, above=above)
        for still in stills
    ]
    height = max(drawing.height for drawing in drawings)
    return tuple(replace(drawing, height=height) for drawing in drawings)


def heading(caption: Caption, width: int, pen: float, margin: float) -> tuple[list[Shape], float]:
    """Title and subtitle, and the height at which the board may begin."""
    y, room, shapes = TOP * pen, width - 2 * margin, list[Shape]()
    if caption.title:
        y += (TITLE + 1) * pen
        title = lettering.fitted(caption.title, room, TITLE * pen, bold=True)
        shapes.append(Text(margin, y - 3 * pen, title, TITLE * pen, "ink", bold=True, on="paper"))
    if caption.subtitle:
        y += (SUBTITLE + 5) * pen
        subtitle = lettering.fitted(caption.subtitle, room, SUBTITLE * pen)
        shapes.append(Text(margin, y - 3 * pen, subtitle, SUBTITLE * pen, "muted", on="paper"))
    return shapes, y + GAP * pen if shapes else 0


def _footer(caption: Caption, y: float, width: int, pen: float, margin: float) -> tuple[list[Shape], float]:
    """The last move on at most two lines, and the height of the picture."""
    size, shapes = LAST * pen, list[Shape]()
    if caption.last:
        y += 3 * pen
    for line in lettering.wrapped(caption.last, width - 2 * margin, size, lines=2):
        y += (LAST + 5) * pen
        shapes.append(Text(margin, y, line, size, "told", on="paper"))
    return shapes, y + TOP * pen


def _added(shapes: list[Shape | Sheet], column: Column) -> float:
    """Collects what stands below the board; the height that it reaches."""
    while True:
        try:
            shapes.append(next(column))
        except StopIteration as end:
            return float(end.value)
