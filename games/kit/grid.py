"""The board of a scene in characters: squares as a ruled grid, rings and printed squares row by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import sqrt

from games.kit.frame import label
from games.kit.scene import Cell, Edge, MarkKind, Piece, Scene
from games.kit.words import Speech

COLUMNS = 72

# What an empty place shows; of several marks on one the first named here.
SIGNS: Mapping[MarkKind, str] = {"captured": "*", "removed": "#", "target": "+"}
# The same around what is printed on a square, whether or not a piece stands there.
BRACKETS: Mapping[MarkKind, tuple[str, str]] = {
    "from": ("[", "]"),
    "to": ("[", "]"),
    "captured": (" ", "*"),
    "removed": (" ", "#"),
    "target": ("(", ")"),
}
SPARSE = 4  # the least pitch where squares meet at their corners: two lines high, about as wide
ROW = {"square": 1.0, "ring": sqrt(3) / 2}  # the height of a row, in units

Canvas = dict[tuple[int, int], str]  # (line, column) -> character, in any range


def grid(scene: Scene, speech: Speech) -> list[str]:
    """The lines of the board and its coordinates, without blanks at their ends."""
    labels = [label(edge, speech) for edge in scene.edges]
    widest = _widest(scene, labels)
    sign = max((len(cell.lines) for cell in scene.cells), default=0)
    tops = {
        cell: _column(stack, speech, max(1, widest - sign)) for cell, stack in scene.pieces.items() if stack
    }
    width = max(map(len, tops.values()), default=1) + sign
    pitch = _pitch(width, scene)
    spots = {cell.name: _spot(cell, scene, pitch) for cell in scene.cells}
    canvas: Canvas = {}
    # Ruled lines would pass for printed ones, and rule squares where there are none.
    if scene.shape == "square" and not is_printed(scene) and not scene.chequered:
        for cell in scene.cells:
            if cell.ground != "gone":
                _rule(canvas, spots[cell.name], width)
    for cell in scene.cells:
        _put(canvas, spots[cell.name], _place(cell, scene, tops, width), -(width // 2) - 1)
    for edge, text in zip(scene.edges, labels, strict=True):
        _coordinate(canvas, edge, text, _beyond(edge, spots[edge.cell], pitch), width, scene)
    return _lines(canvas)


def is_printed(scene: Scene) -> bool:
    """Whether squares have lines of their own, shown beside their pieces and between `BRACKETS`."""
    return scene.shape == "square" and any(cell.lines for cell in scene.cells)


def _pitch(width: int, scene: Scene) -> int:
    """From the middle of a place to that of the next, a unit further on."""
    if scene.chequered:
        return max(SPARSE, (width + 4) // 2)
    # Rows of rings are shifted by half a place: its width must be even.
    return width + 3 if scene.shape == "square" else (width + 4) // 2 * 2


def _widest(scene: Scene, labels: Sequence[str]) -> int:
    """How many characters a place may show for the board to fit."""
    xs = [cell.x for cell in scene.cells] or [0.0]
    beside = sum(
        max(
            (len(text) + 2 for edge, text in zip(scene.edges, labels, strict=True) if edge.dx * way > 0),
            default=0,
        )
        for way in (-1, 1)
    )
    pitch = int((COLUMNS - 1 - beside) / (max(xs) - min(xs) + 1))
    if scene.chequered:
        return max(1, 2 * pitch - 4)
    return max(1, pitch - {"square": 3, "ring": 4}[scene.shape])


def _column(stack: Sequence[Piece], speech: Speech, widest: int) -> str:
    """The letters of a stack from the top down, W2B3; where that is too wide its top and its height."""
    runs = [(kind, len(list(run))) for kind, run in groupby(reversed(stack), lambda piece: piece.kind)]
    letters = speech.phrases["pieces"]
    whole = "".join(f"{letters[kind]['letter']}{n if n > 1 else ''}" for kind, n in runs)
    if len(whole) <= widest:
        return whole
    return f"{letters[stack[-1].kind]['letter']}{len(stack)}"[:widest]


def _spot(cell: Cell, scene: Scene, pitch: int) -> tuple[int, int]:
    """The line and column of a cell's middle. Every second line lies between rows."""
    return 2 * round(cell.y / ROW[scene.shape]), round(cell.x * pitch)


def _rule(canvas: Canvas, spot: tuple[int, int], width: int) -> None:
    """The border of a square; neighbours share theirs."""
    edge = -(width // 2) - 2
    for line in (-1, 1):
        _put(canvas, (spot[0] + line, spot[1]), f"+{'-' * (width + 2)}+", edge)
    _put(canvas, spot, "|", edge)
    _put(canvas, spot, "|", edge + width + 3)


def _place(cell: Cell, scene: Scene, tops: Mapping[str, str], width: int) -> str:
    """What stands on a cell and around it, width + 2 characters."""
    marks = {mark.kind for mark in scene.marks if mark.cell == cell.name}
    gone = cell.ground == "gone"
    empty = {"square": "/" if gone else " ", "ring": "." if gone else " "}[scene.shape]
    if scene.chequered and not gone and not marks & {"from", "to"}:
        empty = "."
    if cell.lines and scene.shape == "square" and not gone:
        left, right = next((both for kind, both in BRACKETS.items() if kind in marks), (" ", " "))
        return f"{left}{tops.get(cell.name, '') + cell.lines:>{width}}{right}"
    top = tops.get(cell.name) or next((sign for kind, sign in SIGNS.items() if kind in marks), empty)
    filler = "/" if gone and scene.shape == "square" else " "
    inside = (top if gone else top + cell.lines).center(width, filler)
    if marks & {"from", "to"}:
        return f"[{inside}]"
    if scene.shape == "ring":
        return f" {inside} " if gone else f"({inside})"
    return f"/{inside}/" if gone else f" {inside} "


def _beyond(edge: Edge, spot: tuple[int, int], pitch: int) -> tuple[int, int]:
    """The last place, perhaps without a cell, before an edge that is further out."""
    down, right = (int(way - way / abs(way)) if abs(way) > 1 else 0 for way in (edge.dy, edge.dx))
    return spot[0] + 2 * down, spot[1] + pitch * right


def _coordinate(
    canvas: Canvas, edge: Edge, text: str, spot: tuple[int, int], width: int, scene: Scene
) -> None:
    """Beside the cell in the direction of the edge, a blank between."""
    half, border = width // 2 + 2, 1 if scene.shape == "square" else 0
    line = spot[0] + (0 if not edge.dy else 1 + border if edge.dy > 0 else -1 - border)
    start = (width - len(text)) // 2 - width // 2
    if edge.dx < 0:
        start = -half - border - len(text)
    elif edge.dx > 0:
        start = width - width // 2 + 2 + border
    _put(canvas, (line, spot[1]), text, start)


def _put(canvas: Canvas, spot: tuple[int, int], text: str, start: int) -> None:
    for i, character in enumerate(text):
        canvas[spot[0], spot[1] + start + i] = character


def _lines(canvas: Canvas) -> list[str]:
    if not canvas:
        return []
    left = min(column for _, column in canvas)
    first, last = min(line for line, _ in canvas), max(line for line, _ in canvas)
    right = max(column for _, column in canvas) + 1
    rows = (
        "".join(canvas.get((line, column), " ") for column in range(left, right))
        for line in range(first, last + 1)
    )
    return [row.rstrip() for row in rows]
