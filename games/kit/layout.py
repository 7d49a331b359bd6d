"""Lays out a picture: title, board, plates of the players, notes and the last move."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from games.kit import raster
from games.kit.diagram import diagram, gutter
from games.kit.drawing import Box, Drawing, Frame, Point, Shape, Sheet, Text
from games.kit.men import lettered, man
from games.kit.scene import Scene, Tray
from games.kit.words import Speech, capital
from games.protocol import Side

# Plates and notes below the board

Column = Generator[Shape, None, float]  # yields shapes from a height downwards; returns the height below them

# In pens: the height of a plate, and the gap between plates.
HIGH, APART = 34, 4
TYPE = 17.5  # font size: 12 px where the picture is 360 wide
PIECE, ITEM = 10, 45  # the radius of a piece; the width of a piece and its number
LOST = 37  # the width of a lost man and its number: there are five kinds, and fewer than ten men of each
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
    """Writes the notes in lines `room` pixels wide, and what numbers on a pile or dots on a ring mean."""
    said = [speech.remark("notes", note) for note in scene.notes]
    # not below each board of a strip, which shows no men beside it
    stacks = scene.pieces.values() if scene.men else ()
    counted = scene.counted and any(len(stack) > 1 or (stack and stack[-1].figure) for stack in stacks)
    if counted or (scene.lettered and scene.trays):
        said.append(str(speech.phrases["legend"]["stack"]))
    elif any(len(set(stack)) > 1 for stack in stacks):
        said.append(str(speech.kit["two_on_two"]))
    elif stacks and any(cell.free is not None for cell in scene.cells):
        said.append(str(speech.kit["dots"]))
    for note in said:
        for line in raster.wrapped(note, room, TYPE * pen, LINES):
            y += 23 * pen
            yield Text(x, y, line, TYPE * pen, "muted", on="paper")
    return y


def _needed(side: Side, scene: Scene, speech: Speech, pen: float) -> float:
    """Returns the width of a plate without cut text, whether or not the side is to move."""
    held = (_in_hand(tray, speech) for tray in scene.trays if tray.owner == side and tray.held == "hand")
    return (
        raster.width(speech.side(side), TYPE * pen, bold=True)
        + (MOVES + (MAN if scene.men else 0)) * pen
        + sum(raster.width(words, TYPE * pen) for words in held)
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
            end = yield from _tray(tray, scene.lettered, speech, end, middle, pen)
    to_move = owner is not None and scene.to_move == owner
    pool = next((capital(speech.tray(tray)) for tray in scene.trays if tray.owner is None), "")
    name = speech.side(owner) if owner is not None else pool
    if owner is not None and scene.men:
        yield from man(scene.men[owner], (start + PIECE * pen, middle), PIECE * pen, pen, "ground")
        start += MAN * pen
    baseline, space = (
        middle + raster.MIDDLE * TYPE * pen,
        end - start - (MOVES if to_move else STANDS) * pen,
    )
    name = raster.fitted(name, space, TYPE * pen, to_move)
    yield Text(start, baseline, name, TYPE * pen, "dark" if to_move else "label", to_move, on="ground")
    if to_move:
        start += raster.width(name, TYPE * pen, bold=True) + 7 * pen
        yield Text(start, baseline, TURN, 13 * pen, "dark", on="ground")


def _tray(
    tray: Tray, with_letters: bool, speech: Speech, end: float, middle: float, pen: float
) -> Generator[Shape, None, float]:
    """Draws the tray's pieces up to the end of the plate; returns where they begin."""
    baseline = middle + raster.MIDDLE * TYPE * pen
    if tray.held == "hand":
        held, some = _in_hand(tray, speech), any(n for _, n in tray.pieces)
        yield Text(end, baseline, held, TYPE * pen, "dark" if some else "label", anchor="end", on="ground")
        return end - raster.width(held, TYPE * pen)
    item, count = (LOST * pen, 22 * pen) if tray.held == "lost" else (ITEM * pen, 24 * pen)
    if bare := tray.held == "claimed" and tray.owner is None:
        item = MAN * pen
    start = end - len(tray.pieces) * item
    for number, (piece, n) in enumerate(tray.pieces):
        left = start + number * item
        at = left + PIECE * pen, middle
        if with_letters:
            yield from lettered((piece,), speech.letters((piece,)), at, PIECE * pen, pen)
        else:
            yield from man(piece, at, PIECE * pen, pen, "ground")
        if not bare:
            yield Text(left + count, baseline, str(n), TYPE * pen, "dark" if n else "label", on="ground")
    if tray.held != "lost" or not tray.pieces:
        return start
    lost = str(speech.kit["has_lost"])
    yield Text(start - 7 * pen, baseline, lost, TYPE * pen, "label", anchor="end", on="ground")
    return start - 7 * pen - raster.width(lost, TYPE * pen)


def _in_hand(tray: Tray, speech: Speech) -> str:
    return str(speech.kit["in_hand"]).format(n=sum(n for _, n in tray.pieces))


# The width of a cell at the edge, in units (the distance between neighbouring cells).
# Around points there is room for coordinates.
BREADTH: Mapping[str, float] = {"square": 1.0, "ring": 0.93, "point": 1.9}
RADIUS: Mapping[str, float] = {"square": 0.42, "ring": 0.365, "point": 0.42}  # of a single man, in units
WITHIN, STACKED = 0.27, 0.38  # of a man on a ring with dots, which stay visible, and of lettered stacks
LARGEST = 134  # pens of a cell: small boards do not fill the width
SMALLEST = 9  # pixels of a cell

# Pixels of a picture 400 wide; all of them scale with the width.
WIDTH, USUAL = 520, 400
DENSE = 780  # pixels of a picture shown at WIDTH in a letter: half as many again as CSS pixels
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
) -> Drawing:
    """Lays out the whole picture, `width` pixels wide and as high as needed; the board takes the full width.

    Lines and letters are measured in pens of `pen` pixels, by default in proportion to the width. Texts begin
    at `margin`.
    """
    pen = pen or width / USUAL
    margin = margin or MARGIN * pen
    header, top = heading(caption, width, pen, margin)
    board = _placed(scene, speech, width, pen, round(top))
    shapes: list[Shape | Sheet] = [*header, *diagram(scene, speech, board, width)]
    bottom = round(top) + board.height + board.gutter[1]
    edge = min(EDGE * pen, (width - board.width - board.gutter[0]) / 2)
    y = bare = bottom + GAP * pen
    y = _added(shapes, side_panels(scene, speech, edge, y, width - 2 * edge, pen, margin - edge))
    y = _added(shapes, notes(scene, speech, margin, y, width - 2 * margin, pen))
    footer, end = _footer(caption, y - NEARER * pen if y == bare else y, width, pen, margin)
    return Drawing(width, round(end), (*shapes, *footer), board)


def _placed(scene: Scene, speech: Speech, width: int, pen: float, top: int) -> Frame:
    """Fits the largest board into a picture, in the middle together with the coordinates outside."""
    places, (beside, below) = tuple((cell.x, cell.y) for cell in scene.cells), gutter(scene, speech, pen)
    board = _frame(places, scene.shape, width - beside, pen)
    return replace(
        board.moved(beside + round((width - beside - board.width) / 2), top),
        gutter=(beside, below),
        man=STACKED
        if scene.lettered
        else WITHIN
        if any(cell.free is not None for cell in scene.cells)
        else board.man,
    )


@lru_cache(maxsize=64)
def _frame(places: tuple[Point, ...], shape: str, room: int, pen: float) -> Frame:
    breadth, odd = BREADTH[shape], shape == "square"
    xs, ys = [x for x, _ in places], [y for _, y in places]
    across, down = max(xs) - min(xs) + breadth, max(ys) - min(ys) + breadth
    line = max(1, round(1.2 * pen))
    unit = max(SMALLEST, min(round(LARGEST * pen), int((room - 2 * line) / across)))
    unit -= odd and 1 - unit % 2
    left, top = (min(xs) - breadth / 2) * unit - line, (min(ys) - breadth / 2) * unit - line
    width, height = (round(span * unit) + 2 * line for span in (across, down))
    return Frame(-left, -top, unit, width, height, pen, RADIUS[shape])


def lay_out_series(
    stills: Sequence[Still], speech: Speech, width: int = WIDTH, pen: float = 0, margin: float = 0
) -> tuple[Drawing, ...]:
    """Lays out pictures of one size, with common parts in the same place."""
    drawings = [lay_out(still.scene, speech, still.caption, width, pen, margin=margin) for still in stills]
    height = max(drawing.height for drawing in drawings)
    return tuple(replace(drawing, height=height) for drawing in drawings)


def heading(caption: Caption, width: int, pen: float, margin: float) -> tuple[list[Shape], float]:
    """Returns the title and subtitle, and the height at which the board may begin."""
    y, room, shapes = TOP * pen, width - 2 * margin, list[Shape]()
    if caption.title:
        y += (TITLE + 1) * pen
        title = raster.fitted(caption.title, room, TITLE * pen, bold=True)
        shapes.append(Text(margin, y - 3 * pen, title, TITLE * pen, "ink", bold=True, on="paper"))
    if caption.subtitle:
        y += (SUBTITLE + 5) * pen
        subtitle = raster.fitted(caption.subtitle, room, SUBTITLE * pen)
        shapes.append(Text(margin, y - 3 * pen, subtitle, SUBTITLE * pen, "muted", on="paper"))
    return shapes, y + GAP * pen if shapes else 0


def _footer(caption: Caption, y: float, width: int, pen: float, margin: float) -> tuple[list[Shape], float]:
    """Returns the last move on at most two lines, and the height of the picture."""
    size, shapes = LAST * pen, list[Shape]()
    if caption.last:
        y += 3 * pen
    for line in raster.wrapped(caption.last, width - 2 * margin, size, lines=2):
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
