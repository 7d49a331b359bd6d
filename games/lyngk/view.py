"""Shows a position of LYNGK as a scene: stacks with all their pieces, what each side has claimed and won."""

from __future__ import annotations

from collections.abc import Mapping

from games.kit.scene import Arrow, Cell, Edge, Look, Mark, Piece, Scene, Tray
from games.lyngk.board import COLOURS, JOKER, LINES, PASS, PLACES, POINTS, Move
from games.lyngk.rules import FIVE, KINDS, Position
from games.protocol import Remark, Side

_LOOKS: Mapping[str, Look] = {"I": "light", "B": "grey", "R": "red", "G": "pale", "K": "dark", JOKER: "light"}
PIECES = {letter: Piece(KINDS[letter], look) for letter, look in _LOOKS.items()}

_CELLS = tuple(Cell(name, *PLACES[name]) for name in POINTS)
# The lines of one point need their name once.
_EDGES = tuple(
    Edge(line[end], dx, 0) for line in LINES for end, dx in ((0, -1), (-1, 1)) if len(line) > 1 or end == 0
)

Turn = tuple[tuple[Remark, ...], tuple[Mark, ...], tuple[Arrow, ...]]


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the turn that led to it, if any."""
    changes, marks, arrows = _turn(before, move, after) if before and move else ((), (), ())
    return Scene(
        shape="point",
        cells=_CELLS,
        pieces={
            name: tuple(map(PIECES.__getitem__, stack))
            for name, stack in zip(POINTS, after.board, strict=True)
            if stack
        },
        edges=_EDGES,
        to_move=None if after.outcome() else after.to_move,
        marks=marks,
        arrows=arrows,
        trays=_trays(after),
        changes=changes,
        lettered=True,
    )


def _trays(position: Position) -> tuple[Tray, ...]:
    """Returns the colours that are left, without those that neither side can claim any more, and each side's own."""
    left = tuple((PIECES[colour], 0) for colour in COLOURS if position.owner(colour) is None)
    own = ([(PIECES[colour], position.fives(colour)) for colour in claims] for claims in position.claims)
    return Tray(None, left, "claimed"), *(
        Tray(side, tuple(fives), "claimed") for side, fives in zip(Side, own, strict=True)
    )


def _turn(before: Position, move: Move, after: Position) -> Turn:
    if move == PASS:
        return (Remark("passes"),), (), ()
    changes, marks, claimed = list[Remark](), [Mark("from", move.origin), Mark("to", move.target)], before
    if move.claim:
        claimed = before.claimed(move.claim)
        changes.append(Remark("claims", pieces=(KINDS[move.claim],)))
        taken = tuple(name for name in POINTS if before.on(name) and not claimed.on(name))
        if taken:
            changes.append(Remark("wins_waiting", taken))
        marks += (Mark("captured", name, PIECES[move.claim]) for name in taken)
    stack = claimed.on(move.origin)
    changes.append(Remark("moves", (move.origin, move.target), (KINDS[stack[-1]],), (len(stack),)))
    if after.won != claimed.won:
        changes.append(Remark("wins" if before.rules.stack == FIVE else "completes"))
    if not after.on(move.target):
        marks.append(Mark("captured", move.target, PIECES[stack[-1]]))
    return tuple(changes), tuple(marks), (Arrow(before.way(move)),)
