"""Which moves somebody asks to take back, or has taken back: `6. g1-g4 a7-c5`."""

from __future__ import annotations

from collections.abc import Iterable

from games.move_numbers import ScoreLine, score
from pbem.matches.models import Event
from pbem.outbox.rendering.board import Board

MOST = 6  # plies: more are counted


def taken_back(event: Event, board: Board) -> str:
    """As the reader writes them; "" where the event is about none, about many, or the board of then is gone."""
    if event.kind == Event.Kind.UNDONE:
        lines = _undone(event, board)
    else:
        first = event.facts.get("ply")
        asked = event.kind == Event.Kind.ASKED and first is not None and board.ply == event.ply
        lines = board.since(first) if asked and event.ply - first <= MOST else ()
    return " ".join(map(str, lines))


def _undone(event: Event, board: Board) -> Iterable[ScoreLine]:
    if not 0 < event.facts["undone"] <= MOST:
        return ()
    match, game = board.match, board.match.game
    turns = list(match.turns.filter(undone_by=event).order_by("ply"))
    earlier = match.turns.filter(ply=event.ply - 1, pk__lt=turns[0].pk).order_by("pk").last()
    before, moves = match.at(earlier.position) if earlier else match.start_position(), []
    for turn in turns:
        moves.append(game.write(before, game.move(turn.move), board.notation))
        before = match.at(turn.position)
    return score(moves, event.ply)
