"""The organiser plays a move that a player has made otherwise: by telephone, at a table, in a letter that was lost."""

from __future__ import annotations

from datetime import datetime

from games.protocol import Notation
from pbem.matches import plies
from pbem.matches.models import Match, Turn
from pbem.matches.services import play


def enter(
    match: Match,
    text: str,
    *,
    notation: Notation | None = None,
    reason: str,
    made_at: datetime | None = None,
    now: datetime,
) -> Turn:
    """The move `text` of the one who is to move, in that of `notation`; None: in the player's own.

    Their clock is charged as if their letter had come at `made_at` (None: now). The turn says that it was entered, and
    both players are told, with the reason. Refuses as `play` does.
    """
    plies.check_playing(match)
    assert match.moving is not None
    if notation:
        before = match.current()
        move = plies.read(match.moving, before, text, notation)
        text = match.game.write(before, move, match.moving.player.notation)
    return play(match.moving, text, now=now, arrived=made_at, entered=reason)
