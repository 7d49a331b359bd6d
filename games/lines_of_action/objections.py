"""Why a man may not slide there."""

from __future__ import annotations

from games.kit.square import Line, SquareBoard
from games.lines_of_action.slides import Move
from games.protocol import Objection


def slide_objection(board: SquareBoard, mine: int, theirs: int, move: Move) -> Objection | None:
    """Why the side with the men `mine` may not make `move`; None when it may."""
    for cell in (move.origin, move.target):
        if cell not in board.bits:
            return Objection("off_board", (cell,))
    origin, target = board.bits[move.origin], board.bits[move.target]
    if not origin & mine:
        return Objection("not_yours" if origin & theirs else "empty", (move.origin,))
    line = next((line for line in board.lines if origin in line and target in line), None)
    if line is None or origin == target:
        return Objection("off_line", (move.origin, move.target))
    return _on_line(board, mine, theirs, move, line)


def _on_line(board: SquareBoard, mine: int, theirs: int, move: Move, line: Line) -> Objection | None:
    start, end = (line.index(board.bits[cell]) for cell in (move.origin, move.target))
    distance = ((mine | theirs) & sum(line)).bit_count()
    if abs(end - start) != distance:
        return Objection("distance", (move.origin, move.target), numbers=(distance, abs(end - start)))
    crossed = sum(line[min(start, end) + 1 : max(start, end)])
    if crossed & theirs:
        return Objection("blocked", (move.origin, *board.cells(crossed & theirs)))
    if line[end] & mine:
        return Objection("own_man", (move.target,))
    if move.capture and not line[end] & theirs:
        return Objection("no_capture", (move.target,))
    if not move.capture and line[end] & theirs:
        return Objection("unmarked_capture", (move.target,))
    return None
