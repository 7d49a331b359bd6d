"""Shows trapdoor chess as a scene: the men, the trap, and both halves of the last turn."""

from __future__ import annotations

from games.kit.chess.men import Kind
from games.kit.chess.view import lost_men, man, standing
from games.kit.scene import Arrow, Mark, Piece, Scene
from games.protocol import Remark, Side
from games.trapdoor_chess.board import BITS, BOARD, BY_KING, BY_SIDE, NAMES, names
from games.trapdoor_chess.objections import en_passant, victim
from games.trapdoor_chess.position import Move
from games.trapdoor_chess.rules import Position

TRAP = Piece("trap", "grey", hatch=True)
COMPLETE = {Kind.PAWN: 8, Kind.KNIGHT: 2, Kind.BISHOP: 2, Kind.ROOK: 2, Kind.QUEEN: 1, Kind.KING: 1}

WORTH_A_WORD = 60  # quiet moves of either side, from which on the fifty-move rule is mentioned


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the `move` that led to it from `before`, if any."""
    pieces = standing(BOARD, after.men)
    if after.trap:
        pieces[NAMES[after.trap]] = (TRAP,)
    over = after.outcome()
    turn = (before, move) if before and move else None
    return Scene(
        shape="square",
        cells=BOARD.scene_cells,
        pieces=pieces,
        edges=BOARD.scene_edges,
        men=(man(Side.FIRST, Kind.KING), man(Side.SECOND, Kind.KING)),
        to_move=None if over else after.to_move,
        marks=_marks(*turn) if turn else (),
        arrows=(Arrow((turn[1].origin, turn[1].target)),) if turn else (),
        trays=lost_men(after.men, COMPLETE),
        changes=_changes(*turn, after) if turn else (),
        notes=() if over else _notes(after),
    )


def _lost(before: Position, move: Move) -> tuple[tuple[str, Piece], ...]:
    """Returns the men that left the board, with their squares: captured, then fallen."""
    side, step = before.to_move, before.step(move)
    passes = step.kind == Kind.PAWN and step.target == before.passed
    lost = []
    if move.capture:
        taken = victim(before) if passes else step.target
        lost.append((NAMES[taken], man(side.other, before.men.kind(taken))))
    if step.target == before.trap:
        lost.append((move.target, man(side, step.kind)))
    return tuple(lost)


def _marks(before: Position, move: Move) -> tuple[Mark, ...]:
    marks = [Mark("from", move.origin), Mark("to", move.target)]
    if BITS[move.target] == before.trap:
        marks.pop()  # it fell
    if move.trap and BITS[move.trap] != before.trap:
        marks.append(Mark("to", move.trap))
    return (*marks, *(Mark("captured", cell, lost) for cell, lost in _lost(before, move)))


def _changes(before: Position, move: Move, after: Position) -> tuple[Remark, ...]:
    side, step = before.to_move, before.step(move)
    mover = man(side, step.kind).kind
    cells = (move.origin, move.target)
    castling = BY_KING.get((step.origin, step.target)) if step.kind == Kind.KING else None
    changes = [Remark(f"castles_{castling.letter.lower()}" if castling else "moves", cells, (mover,))]
    for cell, lost in _lost(before, move):
        code = "falls" if lost.kind == mover else "captures" if cell == move.target else "passes"
        changes.append(Remark(code, (cell,), (lost.kind,)))
    if step.promotion:
        changes.append(Remark("promotes", (move.target,), (man(side, step.promotion).kind,)))
    changes += _trap_changes(before, move)
    return (*changes, Remark("checks")) if after.checked else tuple(changes)


def _trap_changes(before: Position, move: Move) -> tuple[Remark, ...]:
    if not before.trap:
        return (Remark("opens", (move.trap,)),) if move.trap else ()
    if not move.trap:
        return (Remark("waits", (NAMES[before.trap],)),)
    if BITS[move.trap] == before.trap:
        return (Remark("pinned", (move.trap,)),)
    return (Remark("shifts", (NAMES[before.trap], move.trap)),)


def _notes(position: Position) -> tuple[Remark, ...]:
    notes = []
    if position.checked:
        notes.append(
            Remark("check_still" if position.trap_stays() else "check", (), (_king(position.to_move),))
        )
    if position.rules.trap:
        notes.append(Remark("trap", names(position.trap)) if position.trap else Remark("no_trap"))
    if pawns := en_passant(position):
        taken = NAMES[victim(position)]
        notes.append(Remark("en_passant", (taken, NAMES[position.passed], *(NAMES[pawn] for pawn in pawns))))
    for side in Side:
        if gone := _gone_rights(position, side):
            notes.append(Remark(f"no_castling_{gone}", (), (_king(side),)))
    if position.quiet >= WORTH_A_WORD:
        notes.append(Remark("quiet", numbers=(position.quiet // 2,)))
    return tuple(notes)


def _gone_rights(position: Position, side: Side) -> str:
    """Returns the castlings lost although king and rook are at home."""
    rooks, kings = (position.men[kind] & position.men.of(side) for kind in (Kind.ROOK, Kind.KING))
    return "".join(
        one.letter.lower()
        for one in BY_SIDE[side]
        if kings & one.king and rooks & one.rook & ~position.castling
    )


def _king(side: Side) -> str:
    return man(side, Kind.KING).kind
