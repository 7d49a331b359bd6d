"""Shows Cheshire Cat Chess as a scene: the men, the squares that have vanished, and the last move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from games.cheshire.rules import Position, start
from games.kit.chess.men import Kind, Move
from games.kit.chess.view import lost_men, man, standing
from games.kit.scene import Arrow, Mark, Scene
from games.protocol import Remark, Side


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the `move` that led to it from `before`, if any."""
    board, over = after.rules.board, after.outcome()
    gone = set(board.cells(after.at.gone))
    turn = (before, move) if before and move else None
    return Scene(
        shape="square",
        cells=tuple(
            replace(cell, ground="gone") if cell.name in gone else cell for cell in board.scene_cells
        ),
        pieces=standing(board, after.men),
        edges=board.scene_edges,
        men=(man(Side.FIRST, Kind.KING), man(Side.SECOND, Kind.KING)),
        to_move=None if over else after.to_move,
        marks=_marks(*turn) if turn else (),
        arrows=(Arrow((turn[1].origin, turn[1].target)),) if turn else (),
        trays=lost_men(after.men, _complete(after)),
        changes=tuple(_changes(*turn, after)) if turn else (),
        notes=() if over else tuple(_notes(after)),
    )


def _complete(position: Position) -> Counter[Kind]:
    """Returns how many men of each kind a side has at the start."""
    men = start(position.rules, "").men
    return Counter({kind: (men[kind] & men.white).bit_count() for kind in Kind})


def _captured(before: Position, move: Move) -> str:
    """Returns the square of the captured man. Empty when there is none."""
    if not move.capture:
        return ""
    board = before.rules.board
    target = board.bits[move.target]
    return board.names[target if target & before.men.all else before.steps.victim(before.at)]


def _marks(before: Position, move: Move) -> tuple[Mark, ...]:
    marks = (Mark("from", move.origin), Mark("to", move.target))
    cell = _captured(before, move)
    return (
        (*marks, Mark("captured", cell, standing(before.rules.board, before.men)[cell][0])) if cell else marks
    )


def _changes(before: Position, move: Move, after: Position) -> Iterator[Remark]:
    bits, step = before.rules.board.bits, before.step(move)
    yield Remark("moves", (move.origin, move.target), (before.men.name(step.origin),))
    if cell := _captured(before, move):
        yield Remark("captures" if cell == move.target else "passes", (cell,), (before.men.name(bits[cell]),))
    if step.promotion:
        yield Remark("promotes", (move.target,), (man(before.to_move, step.promotion).kind,))
    if after.checked:
        yield Remark("checks")


def _notes(position: Position) -> Iterator[Remark]:
    men, at, steps = position.men, position.at, position.steps
    board = steps.board
    if threats := steps.threats(at, men):
        far = threats & men.kings
        yield Remark("check_by_king" if far else "check", (), (men.name(men.king(at.to_move)),))
    legal = (step for step, _ in steps.safe(at, steps.of(at)))
    if takers := [step.origin for step in legal if (step.kind, step.target) == (Kind.PAWN, at.passed)]:
        cells = (steps.victim(at), at.passed, *takers)
        yield Remark("en_passant", tuple(board.names[cell] for cell in cells))
    kings = [men.name(men.king(side)) for side in Side if men.king(side) & at.unmoved]
    if kings:
        yield Remark("unmoved_both" if len(kings) > 1 else "unmoved", (), tuple(kings[:1]))
