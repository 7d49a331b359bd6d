"""The page: where title, board, trays and the last move stand in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.kit import lettering
from games.kit.diagram import diagram, frame
from games.kit.drawing import Drawing, Shape, Text
from games.kit.scene import Scene
from games.kit.sidebar import sidebar, wanted
from games.kit.words import Speech

# In pixels of a picture 640 wide; everything grows and shrinks with the width.
WIDTH, MARGIN, GUTTER, SIDEBAR, GAP = 640, 26, 18, 150, 24
TITLE, SUBTITLE, LAST = 30, 19, 19


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
    scene: Scene, speech: Speech, caption: Caption, width: int = WIDTH, pen: float = 0, column: float = 0
) -> Drawing:
    """The whole picture, `width` pixels wide and as high as it needs to be.

    Lines and letters are measured in `pen` pixels, which grow with the width unless they are given;
    what stands beside the board takes at least the height of `column`.
    """
    pen = pen or width / WIDTH
    beside = (SIDEBAR + GUTTER) * pen if wanted(scene) else 0
    room = round(width - 2 * MARGIN * pen - beside)
    board = frame(scene, speech, room, pen)
    left = width - (MARGIN + SIDEBAR) * pen
    column = max(column, _height(scene, speech, pen))
    header, top = heading(caption, width, pen)
    middle = max(board.height, column)
    board = board.moved(
        round(MARGIN * pen + (room - board.width) / 2), round(top + (middle - board.height) / 2)
    )
    trays = sidebar(scene, speech, left, top + (middle - column) / 2, SIDEBAR * pen, pen)
    footer, bottom = _footer(caption, top + middle, width, pen)
    shapes = (*header, *diagram(scene, speech, board), *trays, *footer)
    return Drawing(width, round(bottom), shapes)


def lay_out_series(
    stills: Sequence[Still], speech: Speech, width: int = WIDTH, pen: float = 0
) -> tuple[Drawing, ...]:
    """All of one size, and what they have in common in the same place."""
    pen = pen or width / WIDTH
    column = max(_height(still.scene, speech, pen) for still in stills)
    drawings = [lay_out(still.scene, speech, still.caption, width, pen, column) for still in stills]
    height = max(drawing.height for drawing in drawings)
    return tuple(replace(drawing, height=height) for drawing in drawings)


def _height(scene: Scene, speech: Speech, pen: float) -> float:
    """How far the column beside the board reaches down."""
    column = sidebar(scene, speech, 0, 0, SIDEBAR * pen, pen)
    while True:
        try:
            next(column)
        except StopIteration as end:
            return float(end.value)


def heading(caption: Caption, width: int, pen: float) -> tuple[list[Shape], float]:
    """Title and subtitle, and the height at which the board may begin."""
    y, room, shapes = MARGIN * pen, width - 2 * MARGIN * pen, list[Shape]()
    if caption.title:
        y += TITLE * pen
        title = lettering.fitted(caption.title, room, TITLE * pen, bold=True)
        shapes.append(Text(MARGIN * pen, y - 4 * pen, title, TITLE * pen, "ink", bold=True))
    if caption.subtitle:
        y += (SUBTITLE + 9) * pen
        subtitle = lettering.fitted(caption.subtitle, room, SUBTITLE * pen)
        shapes.append(Text(MARGIN * pen, y - 4 * pen, subtitle, SUBTITLE * pen, "muted"))
    return shapes, y + GAP * pen if shapes else y


def _footer(caption: Caption, y: float, width: int, pen: float) -> tuple[list[Shape], float]:
    """The last move on at most two lines, and the height of the picture."""
    size, shapes = LAST * pen, list[Shape]()
    if caption.last:
        y += (GAP - 6) * pen
    for line in lettering.wrapped(caption.last, width - 2 * MARGIN * pen, size, lines=2):
        y += (LAST + 7) * pen
        shapes.append(Text(MARGIN * pen, y - 4 * pen, line, size, "accent"))
    return shapes, y + MARGIN * pen
