"""What a letter about several matches showed, and what of it is still so."""

from __future__ import annotations

from dataclasses import dataclass

from games.move_numbers import MoveNumber
from pbem.matches.models import Seat
from pbem.outbox.models import OutboundMail

NEVER = MoveNumber(0)  # moves are counted from 1
NO_TURN = 2**31 - 1  # the ply of a board that is gone: no match gets there, and a row can hold it


@dataclass(frozen=True)
class Shown:
    """A board of the letter. `number` is what its answer begins with, `ply` the turn that it showed.

    `current`: the match still stands there, and the reader's reply addresses were not `renewed` since.
    """

    number: int
    match: int
    ply: int
    current: bool
    renewed: bool = False

    @property
    def guard(self) -> str:
        """What keeps a move from being played on another board: `#7.`"""
        return f"#{MoveNumber.of(self.ply) if self.current else NEVER}"

    @property
    def seen(self) -> int:
        """The turn from which lines of IF are read: after a takeback there may be another board with as many."""
        return NO_TURN if self.renewed else self.ply


def shown_in(letter: OutboundMail) -> tuple[Shown, ...]:
    """The boards of a digest, in its order; of other letters none."""
    rows = letter.sections[0].get("shown", ()) if letter.sections else ()
    of_reader = Seat.objects.filter(player=letter.player_id, match__in=[row["match"] for row in rows])
    seats = {seat.match_id: seat for seat in of_reader.select_related("match")} if rows else {}
    return tuple(_shown(seats[row["match"]], row) for row in rows if row["match"] in seats)


def _shown(seat: Seat, row: dict[str, int]) -> Shown:
    renewed = len(seat.revoked_salts) != row["renewed"]
    current = seat.match.ply == row["ply"] and not renewed
    return Shown(row["number"], row["match"], row["ply"], current, renewed)
