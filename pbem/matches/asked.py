"""What a program that is to move is asked: the position as the game writes it, and those before that may come again."""

from __future__ import annotations

from typing import Any

from pbem.matches.models import Match


def asked(match: Match) -> dict[str, Any]:
    """`game` is a name of `games.registry`; the answer is a move in its canonical form."""
    earlier: list[str] = []
    if match.game.repetition:
        turns = match.live_turns().filter(ply__lt=match.ply - 1).values_list("position", flat=True)
        earlier = [str(match.start_position()), *turns] if match.ply else []
    return {"game": match.game_name, "position": match.position, "earlier": earlier}
