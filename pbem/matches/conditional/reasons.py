"""Why a move of a conditional line cannot be played, as the facts that a refusal or an event keeps."""

from __future__ import annotations

from typing import Any

from games.errors import AmbiguousMove, GameOver, IllegalMove, UnreadableMove
from games.protocol import Objection
from pbem.matches.conditional.line import Unplayable


def reason(why: Unplayable) -> dict[str, Any]:
    """`objection`, `readings`, or nothing where it cannot be read."""
    match why:
        case IllegalMove():
            return {"objection": why.objection}
        case AmbiguousMove():
            return {"readings": why.readings}
        case GameOver():
            return {"objection": Objection("finished")}
        case UnreadableMove():
            return {}
