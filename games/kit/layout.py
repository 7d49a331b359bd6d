"""Lays out a picture: title, board, plates of the players, notes and the last move."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from games.kit import lettering
from games.kit.diagram import diagram
from games.kit.drawing import Box, Drawing, Shape, Sheet, Text
from games.kit.frame import frame
from games.kit.men import man, overshoot
from games.kit.scene import Scene, Tray
from games.kit.words import Speech, capital
from games.protocol import Side

# Plates and notes below the board

Column = Generator[Shape, None, float]  # yields shapes from a height downwards; returns the height below them

# In pens: the height of a plate, and the gap between plates.
HIGH, APART = 30, 4
NAME, COUNT, NOTE = 16, 16, 14  # font sizes
PIECE, ITEM = 9, 41  # the radius of a piece; the width of a piece and its number
LOST = 34  # the width of a lost man and its number: there are five kinds, and fewer than ten men of each
MAN = 27  # the width of a side's man before its name
MOVES, STANDS = 22, 6  # the space behind the name of the side to move, and of the other
LINES = 8  # of a note
TURN = "◄"  # behind the name of the side to move


def side_panels(
    scene: Scene, speech: Speech, x: float, y: float, width: float, pen: float, inset: float
) -> Column:
    """Draws a plate for the pool and each player.

    They form a table when a tray shows its pieces or a name is long, else they stand side by side. Contents
    begin `inset` pixels from the edge.
    """
    shown: list[Side | None] = [tray.owner for tray in scene.trays if tray.owner is None]
    shown += [side for side in Side if scene.men or any(tray.owner == side for tray in scene.trays)]
    half = (width - APART * pen) / 2
    table = any(tray.held != "hand" for tray in scene.trays) or any(
        _needed(side, scene, speech, pen) > half - 2 * inset for side in shown if side is not None
    )
    across, room = (1, width) if table else (2, half)
    for number, owner in enumerate(shown):
        left, top = x + number % across * (room + APART * pen), y + number // across * (HIGH + APART) * pen
        yield from _plate(owner, scene, speech, (left, top, room), pen, inset)
    rows = -(-len(shown) // across)
    return y + rows * (HIGH + APART) * pen


def notes(scene: Scene, speech: Speech, x: float, y: float, room: float, pen: float) -> Column:
    """Writes the notes in lines `room` pixels wide."""
    for note in scene.notes:
        for line in lettering.wrapped(speech.remark("notes", note), room, NOTE * pen, LINES):
            y += 18 * pen
            yield Text(x, y, line, NOTE * pen, "muted", on="paper")
    return y


def _needed(side: Side, scene: Scene, speech: Speech, pen: float) -> float:
    """Returns the width of a plate without cut text, whether or not the side is to move."""
    held = (_in_hand(tray, speech) for tray in scene.trays if tray.owner == side and tray.held == "hand")
    return (
        lettering.width(speech.side(side), NAME * pen, bold=True)
        + (MOVES + (MAN if scene.men else 0)) * pen
        + sum(lettering.width(words, NOTE * pen) for words in held)
    )


def _plate(
    owner: Side | None,
    scene: Scene,
    speech: Speech,
    place: tuple[float, float, float],
    pen: float,
    inset: float,
) -> Iterator[Shape]:
    (x, y, room), middle = place, place[1] + HIGH / 2 * pen
    yield Box(round(x), round(y), round(x + room) - round(x), round(HIGH * pen), "ground")
    start, end = x + inset, x + room - inset
    for tray in scene.trays:
        if tray.owner == owner:
            end = yield from _tray(tray, speech, end, middle, pen)
    to_move = owner is not None and scene.to_move == owner
    name = speech.side(owner) if owner is not None else capital(speech.kit["pool"])
    if owner is not None and scene.men:
        yield from man(scene.men[owner], (start + PIECE * pen, middle), PIECE * pen, pen, "ground")
        start += MAN * pen
    baseline, space = (
        middle + lettering.MIDDLE * NAME * pen,
        end - start - (MOVES if to_move else STANDS) * pen,
    )
    name = lettering.fitted(name, space, NAME * pen, to_move)
    yield Text(start, baseline, name, NAME * pen, "dark" if to_move else "label", to_move, on="ground")
    if to_move:
        start += lettering.width(name, NAME * pen, bold=True) + 7 * pen
        yield Text(start, baseline, TURN, 13 * pen, "dark", on="ground")


def _tray(tray: Tray, speech: Speech, end: float, middle: float, pen: float) -> Generator[Shape, None, float]:
    """Draws the tray's pieces up to the end of the plate; returns where they begin."""
    baseline = middle + lettering.MIDDLE * COUNT * pen
    if tray.held == "hand":
        held, some = _in_hand(tray, speech), any(n for _, n in tray.pieces)
        yield Text(end, baseline, held, NOTE * pen, "dark" if some else "label", anchor="end", on="ground")
        return end - lettering.width(held, NOTE * pen)
    item, count = (LOST * pen, 20 * pen) if tray.held == "lost" else (ITEM * pen, 22 * pen)
    start = end - len(tray.pieces) * item
    for number, (piece, n) in enumerate(tray.pieces):
        left = start + number * item
        yield from man(piece, (left + PIECE * pen, middle), PIECE * pen, pen, "ground")
        yield Text(left + count, baseline, str(n), COUNT * pen, "dark" if n else "label", on="ground")
    if tray.held != "lost" or not tray.pieces:
        return start
    lost = str(speech.kit["has_lost"])
    yield Text(start - 7 * pen, baseline, lost, NOTE * pen, "label", anchor="end", on="ground")
    return start - 7 * pen - lettering.width(lost, NOTE * pen)


def _in_hand(tray: Tray, speech: Speech) -> str:
    return str(speech.kit["in_hand"]).format(n=sum(n for _, n in tray.pieces))


# Pixels of a picture 400 wide; all of them scale with the width.
WIDTH, USUAL = 520, 400
MARGIN, EDGE, GAP, TOP = 16, 4, 9, 8
TITLE, SUBTITLE, LAST = 23, 15, 15
NEARER = 10  # moves the last move up when nothing else is below the board


@dataclass(frozen=True)
class Caption:
    """The texts above and below the board; each may be empty."""

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
    """Lays out the whole picture, `width` pixels wide and as high as needed; the board takes the full width.

    Lines and letters are measured in pens of `pen` pixels, by default in proportion to the width. Texts begin
    at `margin`. `above` is the least space for piles that stick out of the board, in pixels.
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
    y = _added(shapes, side_panels(scene, speech, edge, y, width - 2 * edge, pen, margin - edge))
    y = _added(shapes, notes(scene, speech, margin, y, width - 2 * margin, pen))
    footer, end = _footer(caption, y - NEARER * pen if y == bare else y, width, pen, margin)
    return Drawing(width, round(end), (*shapes, *footer))


def lay_out_series(
    stills: Sequence[Still], speech: Speech, width: int = WIDTH, pen: float = 0, margin: float = 0
) -> tuple[Drawing, ...]:
    """Lays out pictures of one size, with common parts in the same place."""
    boards = [frame(still.scene, width, pen or width / USUAL) for still in stills]
    above = max(overshoot(still.scene, board) for still, board in zip(stills, boards, strict=True))
    drawings = [
        lay_out(still.scene, speech, still.caption, width, pen, margin=margin, above=above)
        for still in stills
    ]
    height = max(drawing.height for drawing in drawings)
    return tuple(replace(drawing, height=height) for drawing in drawings)


def heading(caption: Caption, width: int, pen: float, margin: float) -> tuple[list[Shape], float]:
    """Returns the title and subtitle, and the height at which the board may begin."""
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
    """Returns the last move on at most two lines, and the height of the picture."""
    size, shapes = LAST * pen, list[Shape]()
    if caption.last:
        y += 3 * pen
    for line in lettering.wrapped(caption.last, width - 2 * margin, size, lines=2):
        y += (LAST + 5) * pen
        shapes.append(Text(margin, y, line, size, "told", on="paper"))
    return shapes, y + TOP * pen


def _added(shapes: list[Shape | Sheet], column: Column) -> float:
    """Collects the shapes of a column; returns the height below them."""
    while True:
        try:
            shapes.append(next(column))
        except StopIteration as end:
            return float(end.value)
