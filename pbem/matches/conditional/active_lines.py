"""The conditional lines that wait in a match, followed turn by turn while it goes on."""

from __future__ import annotations

from typing import Any

from games.protocol import Position
from pbem.matches.conditional.line import Unplayable, answer, follow
from pbem.matches.conditional.reasons import reason
from pbem.matches.models import ConditionalLine, Match, Turn

Fate = ConditionalLine.Fate


class Waiting:
    """The lines that wait in a match, of both players. One without any costs no query."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.rows: dict[int, list[ConditionalLine]] = {
            seat.side: list(seat.lines.waiting()) if seat.conditionals else [] for seat in match.seated
        }
        self._left: list[ConditionalLine] = []

    def follow(self, turn: Turn, before: Position, move: Any) -> None:
        """A turn has been played: what is not in step with it, or is played out, waits no longer."""
        for side, rows in self.rows.items():
            begun = {row.line: row for row in rows if row.ply <= turn.ply}
            if not begun:
                continue
            going, missed = follow(self.match.game, list(begun), before, move, turn.ply)
            for line in missed:
                self._leave(begun[line], Fate.MISSED, turn.ply)
            for line in going:
                if line.end == turn.ply + 1:
                    self._leave(begun[line], Fate.PLAYED, turn.ply)
            self.rows[side] = [row for row in rows if not row.fate]

    def answer(self) -> tuple[Any, list[dict[str, Any]]]:
        """What the player to move has said that they play now (None: nothing), and what of it cannot be played."""
        match = self.match
        side = match.to_move
        rows = (
            {row.line: row for row in self.rows.get(side, []) if row.ply < match.ply}
            if side is not None
            else {}
        )
        if not rows:
            return None, []
        move, failed = answer(match.game, list(rows), match.current(), match.ply)
        for line, _ in failed:
            self._leave(rows[line], Fate.FAILED, match.ply - 1)
        self.rows[side or 0] = [row for row in self.rows[side or 0] if not row.fate]
        return move, [_failure(rows[line], match.ply, why) for line, why in failed]

    def save(self) -> None:
        if self._left:
            ConditionalLine.objects.bulk_update(self._left, ["fate", "left_at"])

    def _leave(self, row: ConditionalLine, fate: Fate, ply: int) -> None:
        row.fate, row.left_at = fate, ply
        self._left.append(row)


def _failure(row: ConditionalLine, ply: int, why: Unplayable) -> dict[str, Any]:
    """What an event keeps of an answer that could not be played."""
    text = row.moves[ply - row.ply]
    found = reason(why).get("objection")
    objection = [found.code, found.cells, found.pieces, found.numbers] if found else None
    return {"side": row.seat.side, "text": text, "objection": objection}
