"""Whether what somebody writes has the shape of a move, in one of the matches that they play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from games import spoken
from games.errors import AmbiguousMove, IllegalMove, UnreadableMove
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.matches.models import Match, Seat
from pbem.matches.questions import may_begin
from pbem.players.models import Player


@dataclass(frozen=True)
class MoveShapes:
    """Answers whether a text has the shape of a move in one of the player's matches."""

    player: Player | None
    seat: Seat | None

    def __call__(self, text: str, number: int | None) -> bool:
        match = self._match(number)
        if match is None or self.player is None:
            return False
        try:
            spoken.read(match.game, match.current(), text, self.player.notation)
        except UnreadableMove:
            return False
        except (AmbiguousMove, IllegalMove):
            return True
        return True

    def _match(self, number: int | None) -> Match | None:
        if number is None:
            return self.seat.match if self.seat else self._only
        if number not in self._matches:
            self._matches[number] = (
                Match.objects.of(self.player).filter(pk=number).first() if self.player else None
            )
        return self._matches[number]

    @cached_property
    def _matches(self) -> dict[int, Match | None]:
        return {}

    @cached_property
    def _only(self) -> Match | None:
        return only_match(self.player) if self.player else None


def legal_moves(player: Player | None, seat: Seat | None, ply: int | None) -> LegalMoves | None:
    """Those on the board after `ply` turns, which a letter showed, if it is the seat's turn there now, or would be
    with their yes."""
    if player is None or seat is None:
        return None
    match = seat.match
    playing = match.status == Match.Status.PLAYING and seat.is_to_move
    if not playing and not may_begin(seat):
        return None
    return LegalMoves(match.game, match.current(), player.notation) if ply == match.ply else None


def only_match(player: Player) -> Match | None:
    """The match that a player with a single one need not name."""
    alive = list(Match.objects.of(player).alive()[:2])
    return alive[0] if len(alive) == 1 else None
