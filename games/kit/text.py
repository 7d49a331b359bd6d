"""Renders a scene as monospaced text, at most 72 columns wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, groupby, zip_longest
from math import sqrt
from textwrap import wrap

from games.kit.scene import (
    Body,
    Cell,
    Edge,
    MarkKind,
    Piece,
    Scene,
    Shape,
    Tray,
    are_neighbours,
    is_chequered,
    segments,
)
from games.kit.words import Speech, capital, label
from games.protocol import Side

# The board: ruled squares; rings and printed squares in rows without rules

COLUMNS = 72

# Signs on an empty place, in order of precedence.
SIGNS: Mapping[MarkKind, str] = {"captured": "*", "removed": "#", "target": "+"}
# Signs around what is printed on a square, with or without a piece.
BRACKETS: Mapping[MarkKind, tuple[str, str]] = {
    "hint": ("<", ">"),
    "from": ("[", "]"),
    "to": ("[", "]"),
    "captured": (" ", "*"),
    "removed": (" ", "#"),
    "target": ("(", ")"),
}
SPARSE = 4  # minimum pitch of squares that touch at corners: about as wide as their two lines are high
MOVED: Set[MarkKind] = frozenset(("from", "to"))
TURNED = "(", ")"  # around what has changed sides, on points and on squares without printed lines
NONE: Set[MarkKind] = frozenset()
ROW = {"square": 1.0} | dict.fromkeys(("ring", "point", "spot"), sqrt(3) / 2)  # the height of a row, in units

Canvas = list[tuple[int, int, str]]  # line, column (in any range) and text; later texts cover earlier ones


def grid(scene: Scene, speech: Speech) -> list[str]:
    """Returns the lines of the board and its coordinates, without trailing blanks."""
    plan = _plan(scene.shape, scene.cells, scene.edges, tuple(label(edge, speech) for edge in scene.edges))
    room = max(1, plan.widest - plan.sign)
    tops = {cell: _shown(cell, scene, speech, room) for cell, stack in scene.pieces.items() if stack}
    tops |= {cell.name: f"{tops.get(cell.name, '')}{cell.free}" for cell in scene.cells if cell.free}
    seen = {cell: body for body in scene.bodies for cell in body.cells}
    tops |= {cell: _dot(cell, body, speech) for cell, body in seen.items()}
    width = DOT if plan.shape == "spot" else max(map(len, tops.values()), default=1) + plan.sign
    ground = plan.ground(width)
    marks: dict[str, set[MarkKind]] = {}
    for mark in scene.marks:
        marks.setdefault(mark.cell, set()).add(mark.kind)
    rows = [list(row) for row in ground.rows]
    for cell in scene.cells:
        line, column = ground.places[cell.name]
        shown = _place(cell, plan, tops.get(cell.name, ""), width, marks.get(cell.name, NONE))
        rows[line][column : column + len(shown)] = shown
    _join(rows, scene, seen, ground.places)
    return ["".join(row).rstrip() for row in rows]


DOT = 2  # characters of a piece over several cells on each of them: its owner's letter and its level


def _dot(cell: str, body: Body, speech: Speech) -> str:
    """Returns the letter of a body's owner, a capital on its chief cell, and its level above the board."""
    letter = str(speech.phrases["pieces"][body.owner]["letter"])
    return f"{letter.upper() if cell == body.cells[0] else letter.lower()}{body.level or ''}"


def _join(
    rows: Sequence[list[str]],
    scene: Scene,
    seen: Mapping[str, Body],
    places: Mapping[str, tuple[int, int]],
) -> None:
    """Draws lines between neighbouring cells on which the same body is seen."""
    cells = {cell.name: cell for cell in scene.cells}
    for body in scene.bodies:
        visible = [name for name in body.cells if seen[name] is body]
        for one, other in combinations(sorted(visible, key=places.__getitem__), 2):
            (line, column), (below, beside) = places[one], places[other]
            if not are_neighbours(cells[one], cells[other]):
                continue
            if line == below:
                for at in range(column + 1, beside + 1):
                    rows[line][at] = rows[line][at].replace(" ", "-")
            else:
                rows[line + 1][(column + beside) // 2 + 1] = "\\" if beside > column else "/"


@dataclass(frozen=True)
class _Ground:
    """An empty board, and the line and column of each of its places."""

    rows: Sequence[str]
    places: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class _Plan:
    """The layout common to all boards with the same cells and labels."""

    shape: Shape
    cells: tuple[Cell, ...]
    edges: tuple[Edge, ...]
    labels: tuple[str, ...]

    @cached_property
    def chequered(self) -> bool:
        return is_chequered(self.shape, self.cells)

    @cached_property
    def sign(self) -> int:
        """Returns the width of the lines printed on a place."""
        return max((len(cell.lines) for cell in self.cells), default=0)

    @cached_property
    def widest(self) -> int:
        """Returns how many characters a place may have for the board to fit."""
        xs = [cell.x for cell in self.cells] or [0.0]
        beside = sum(
            max((len(text) + 2 for edge, text in self._labelled() if edge.dx * way > 0), default=0)
            for way in (-1, 1)
        )
        pitch = int((COLUMNS - 1 - beside) / (max(xs) - min(xs) + 1))
        if self.chequered:
            return max(1, 2 * pitch - 4)
        if self.shape == "point":
            across = max(xs) - min(xs)
            fits = (
                width
                for width in range(COLUMNS, 1, -1)
                if across * self._pitch(width) + width + 2 + beside <= COLUMNS
            )
            return next(fits, 1)
        return max(1, pitch - {"square": 3, "ring": 4, "spot": 2}[self.shape])

    def ground(self, width: int) -> _Ground:
        """Returns the empty board with places of `width` characters."""
        if width not in self._grounds:
            self._grounds[width] = self._drawn(width)
        return self._grounds[width]

    @cached_property
    def _grounds(self) -> dict[int, _Ground]:
        return {}

    def _drawn(self, width: int) -> _Ground:
        pitch = self._pitch(width)
        spots = {cell.name: _spot(cell, self.shape, pitch) for cell in self.cells}
        canvas: Canvas = []
        # Not where they would be taken for printed lines, or where squares touch at corners only.
        if self.shape == "square" and not self.sign and not self.chequered:
            for cell in self.cells:
                if cell.ground != "gone":
                    _rule(canvas, spots[cell.name], width)
        if self.shape == "point":
            for one, other in segments(self.cells):
                _segment(canvas, spots[one], spots[other])
        for spot in spots.values():
            _put(canvas, spot, " " * (width + 2), _start(width))
        for edge, text in self._labelled():
            _coordinate(canvas, edge, text, _beyond(edge, spots[edge.cell], pitch), width, self.shape)
        if not canvas:
            return _Ground((), {})
        top, left = min(line for line, _, _ in canvas), min(column for _, column, _ in canvas)
        places = {name: (line - top, column + _start(width) - left) for name, (line, column) in spots.items()}
        return _Ground(_lines(canvas, top, left), places)

    def _labelled(self) -> Iterator[tuple[Edge, str]]:
        return zip(self.edges, self.labels, strict=True)

    def _pitch(self, width: int) -> int:
        """Returns the columns between the middles of places one unit apart."""
        if self.chequered:
            return max(SPARSE, (width + 4) // 2)
        if self.shape == "square":
            return width + 3
        if self.shape == "spot":
            return width + 2
        # Rows of rings and points are shifted by half a pitch, so it must be even.
        return (width + 4) // 2 * 2 if self.shape == "ring" or width == 1 else (max(width, 3) + 3) // 2 * 2


_plan = lru_cache(maxsize=64)(_Plan)


def is_printed(scene: Scene) -> bool:
    """Tells whether squares have printed lines, shown beside their pieces and between `BRACKETS`."""
    return scene.shape == "square" and any(cell.lines for cell in scene.cells)


def _shown(cell: str, scene: Scene, speech: Speech, widest: int) -> str:
    """Returns the letters of a stack, of a lettered one bottom first; of a counted one its top, its height, and its
    badge where it fits: W3R.
    """
    stack, letters = scene.pieces[cell], speech.phrases["pieces"]
    if scene.lettered:
        return speech.letters(stack)
    if not scene.counted or len(stack) == 1:
        return _column(stack, speech, widest)
    badge = scene.badged(cell)
    short = f"{letters[stack[-1].kind]['letter']}{len(stack)}"
    return f"{short}{letters[badge.kind]['letter'] if badge and len(short) < widest else ''}"[:widest]


def _column(stack: Sequence[Piece], speech: Speech, widest: int) -> str:
    """Returns the letters of a stack from the top down, such as W2B3; if too wide, its top and height."""
    runs = [(kind, len(list(run))) for kind, run in groupby(reversed(stack), lambda piece: piece.kind)]
    letters = speech.phrases["pieces"]
    whole = "".join(f"{letters[kind]['letter']}{n if n > 1 else ''}" for kind, n in runs)
    if len(whole) <= widest:
        return whole
    return f"{letters[stack[-1].kind]['letter']}{len(stack)}"[:widest]


def _spot(cell: Cell, shape: Shape, pitch: int) -> tuple[int, int]:
    """Returns the line and column of a cell's middle. Every second line lies between rows."""
    return 2 * round(cell.y / ROW[shape]), round(cell.x * pitch)


def _start(width: int) -> int:
    """Returns the first column of a place, relative to its middle."""
    return -(width // 2) - 1


def _rule(canvas: Canvas, spot: tuple[int, int], width: int) -> None:
    """Draws the border of a square, shared with its neighbours."""
    edge = -(width // 2) - 2
    for line in (-1, 1):
        _put(canvas, (spot[0] + line, spot[1]), f"+{'-' * (width + 2)}+", edge)
    _put(canvas, spot, "|", edge)
    _put(canvas, spot, "|", edge + width + 3)


def _segment(canvas: Canvas, one: tuple[int, int], other: tuple[int, int]) -> None:
    """Draws the line between two neighbouring points."""
    (line, column), (below, beside) = sorted((one, other))
    middle = (column + beside) // 2
    if line == below:
        _put(canvas, (line, middle), "-", 0)
    else:
        _put(canvas, (line + 1, middle), "\\" if beside > column else "/", 0)


def _place(cell: Cell, plan: _Plan, top: str, width: int, marks: Set[MarkKind]) -> str:
    """Returns a cell's content and brackets, width + 2 characters."""
    gone, square = cell.ground == "gone" or (cell.free == 0 and not top), plan.shape == "square"
    empty = (
        ("/" if square else ".")
        if gone
        else "o"
        if cell.outer
        else "."
        if plan.shape in ("point", "spot")
        else " "
    )
    moved = not marks.isdisjoint(MOVED)
    if plan.chequered and not gone and not moved:
        empty = "."
    if cell.lines and square and not gone:
        left, right = next((both for kind, both in BRACKETS.items() if kind in marks), (" ", " "))
        return f"{left}{top + cell.lines:>{width}}{right}"
    if not top:
        top = next((sign for kind, sign in SIGNS.items() if kind in marks), empty) if marks else empty
    inside = (top if gone else top + cell.lines).center(width, "/" if gone and square else " ")
    if plan.shape == "spot":
        inside = top  # with brackets that are near, and room for the level of others
    if moved or "hint" in marks:
        left, right = BRACKETS["hint" if "hint" in marks else "to"]
        return f"{left}{inside}{right}"
    if plan.shape == "ring":
        return f" {inside} " if gone else f"({inside})"
    before, behind = ("/", "/") if gone and square else TURNED if "turned" in marks else (" ", " ")
    return f"{before}{inside}{behind}"


def _beyond(edge: Edge, spot: tuple[int, int], pitch: int) -> tuple[int, int]:
    """Returns the last place, with or without a cell, before a coordinate that lies further out."""
    down, right = (int(way - way / abs(way)) if abs(way) > 1 else 0 for way in (edge.dy, edge.dx))
    return spot[0] + 2 * down, spot[1] + pitch * right


def _coordinate(
    canvas: Canvas, edge: Edge, text: str, spot: tuple[int, int], width: int, shape: Shape
) -> None:
    """Writes a coordinate beside the cell, after a blank."""
    half, border = width // 2 + 2, 1 if shape == "square" else 0
    line = spot[0] + (0 if not edge.dy else 1 + border if edge.dy > 0 else -1 - border)
    start = (width - len(text)) // 2 - width // 2
    if edge.dx < 0:
        start = -half - border - len(text)
    elif edge.dx > 0:
        start = width - width // 2 + 2 + border
    _put(canvas, (line, spot[1]), text, start)


def _put(canvas: Canvas, spot: tuple[int, int], text: str, start: int) -> None:
    if text:
        canvas.append((spot[0], spot[1] + start, text))


def _lines(canvas: Canvas, top: int, left: int) -> list[str]:
    bottom, right = max(line for line, _, _ in canvas), max(column + len(text) for _, column, text in canvas)
    rows = [[" "] * (right - left) for _ in range(top, bottom + 1)]
    for line, column, text in canvas:
        rows[line - top][column - left : column - left + len(text)] = text
    return ["".join(row) for row in rows]


# Players and trays

CELL = 4  # columns of a count
TURN = "> "  # before the side to move


def roster(scene: Scene, speech: Speech, room: int) -> list[str]:
    """Lists the players, the side to move, and a column for each kind of captured piece.

    Men in hand are counted in words, without a column, and claimed colours have their letters. Lost men have a line
    below their owner.
    """
    captured = [tray for tray in scene.trays if tray.held == "captured"]
    kinds = tuple(dict.fromkeys(piece for tray in captured for piece, _ in tray.pieces))
    named = [(_named(tray, scene, speech), tray) for tray in scene.trays]
    shown = {tray.owner for tray in scene.trays}
    if scene.men:
        named += [(_side(side, scene, speech), Tray(side, ())) for side in Side if side not in shown]
    counts = [_counts(tray, kinds, speech) for _, tray in named]
    widest = max((len(name) for name, _ in named), default=0)
    width = min(widest, room - max(map(len, counts), default=0))
    lines = [
        f"{_cut(name, width):{width}}{count}".rstrip() for (name, _), count in zip(named, counts, strict=True)
    ]
    lines = [
        line
        for (_, tray), first in zip(named, lines, strict=True)
        for line in (first, *_lost(tray, speech, room))
    ]
    if not kinds:
        return lines
    letters = (speech.phrases["pieces"][piece.kind]["letter"] for piece in kinds)
    return [" " * width + "".join(f"{letter:>{CELL}}" for letter in letters), *lines]


def _named(tray: Tray, scene: Scene, speech: Speech) -> str:
    if tray.owner is None:
        return " " * len(TURN) + capital(speech.tray(tray))
    return _side(tray.owner, scene, speech)


def _side(side: Side, scene: Scene, speech: Speech) -> str:
    turn = TURN if scene.to_move == side else " " * len(TURN)
    letter = f"{speech.phrases['pieces'][scene.men[side].kind]['letter']} " if scene.men else ""
    return f"{turn}{letter}{' '.join(speech.side(side).split())}"


def _lost(tray: Tray, speech: Speech, room: int) -> list[str]:
    if tray.held != "lost" or not tray.pieces:
        return []
    letters = [(speech.phrases["pieces"][piece.kind]["letter"], n) for piece, n in tray.pieces]
    men = " ".join(f"{letter}{n if n > 1 else ''}" for letter, n in letters)
    indent = " " * 2 * len(TURN)
    return wrap(f"{speech.kit['lost']} {men}", room, initial_indent=indent, subsequent_indent=indent)


def _cut(name: str, width: int) -> str:
    return name if len(name) <= width else f"{name[: max(0, width - 3)]}..."[:width]


def _counts(tray: Tray, kinds: tuple[Piece, ...], speech: Speech) -> str:
    if tray.held == "hand":
        count = sum(n for _, n in tray.pieces)
        return f"  {speech.kit['in_hand'].format(n=f'{count:>2}')}"
    if tray.held in ("claimed", "stock"):
        letters = ((speech.letters((piece,)), n) for piece, n in tray.pieces)
        return " " + "".join(f" {letter}{'' if tray.owner is None else n}" for letter, n in letters)
    counts = dict(tray.pieces)
    return "".join(f"{counts[piece]:>{CELL}}" if piece in counts else " " * CELL for piece in kinds)


APART = 4  # blanks between the board and the text beside it
NARROWEST = 20  # minimum width of the text beside the board; narrower text moves below it


def board(scene: Scene, speech: Speech) -> str:
    """Draws the board with its coordinates; players, trays, notes and a legend are beside or below it."""
    picture = grid(scene, speech)
    width = max(map(len, picture), default=0)
    beside = COLUMNS - width - APART
    if beside < NARROWEST:
        return "\n".join([*picture, "", *_aside(scene, speech, COLUMNS)]).rstrip()
    aside = _aside(scene, speech, beside)
    above = [""] * max(0, (len(picture) - len(aside)) // 2)
    both = zip_longest(picture, [*above, *aside], fillvalue="")
    return "\n".join(f"{left:{width + APART}}{right}".rstrip() for left, right in both)


def _aside(scene: Scene, speech: Speech, room: int) -> list[str]:
    """Returns players and trays, notes and legend, separated by blank lines."""
    notes = [line for note in scene.notes for line in wrap(speech.remark("notes", note), room)]
    parts = (roster(scene, speech, room), notes, list(_legend(scene, speech, room)))
    return [line for part in parts if part for line in (*part, "")][:-1]


def _legend(scene: Scene, speech: Speech, room: int) -> Iterator[str]:
    """Explains the signs on the board: those of the game, then those of the last move."""
    words = {**speech.kit["legend"], **speech.phrases.get("legend", {})}
    yield from wrap(words.get("board", ""), room)
    if any(mark.kind in ("from", "to") for mark in scene.marks):
        yield f"[ ] {words['move']}"
    if any(mark.kind == "turned" for mark in scene.marks):
        yield f"{' '.join(TURNED)} {words['turned']}"
    if any(mark.kind == "hint" for mark in scene.marks):
        yield f"< > {words['hint']}"
    printed = is_printed(scene)
    for kind, sign in SIGNS.items():
        cells = [mark.cell for mark in scene.marks if mark.kind == kind]
        if printed and cells:
            yield f"{' '.join(BRACKETS[kind])} {words[kind]}"
        elif not all(map(scene.pieces.get, cells)):
            yield f" {sign}  {words[kind]}"
