"""Other programs as robots: a command line that reads a question as a line of JSON, and prints its answer as another.

The question has `game` (a name of `games.registry`), `position` and those `earlier` as the game writes them, `level`
and `seed`; the answer has `move` in its canonical form, and may have `score`, `scale`, `depth` and `nodes` as
`Thought` has them.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from games.protocol import Position
from games.registry import AnyGame, canonical
from games.robots.mind import Plain
from games.robots.robot import Thought

ASKED = ("game", "position", "earlier", "level", "seed")


def answered(
    command: Sequence[str], game: AnyGame, position: Position, question: Mapping[str, Any]
) -> Thought:
    """What the command plays in the position. No shell reads it. ValueError, OSError or CalledProcessError if it cannot
    be run, says nothing that makes sense, or plays against the rules."""
    line = json.dumps({key: question[key] for key in ASKED}) + "\n"
    done = subprocess.run(list(command), input=line, stdout=subprocess.PIPE, text=True, check=True)
    told = json.loads(done.stdout)
    if not isinstance(told, dict) or "move" not in told:
        raise ValueError(f"no move in its answer: {done.stdout[:200]!r}")
    move = game.move(str(told["move"]))
    if objection := position.objection(move):
        raise ValueError(f"it plays {move}, which is illegal: {objection.code}")
    numbers = (int(told.get(key, 0)) for key in ("depth", "nodes"))
    return Thought(move, int(told.get("score", 0)), int(told.get("scale", Plain.scale)), *numbers)


def question_of(
    game: AnyGame, position: Position, earlier: Sequence[Position], level: int, seed: int | str
) -> dict[str, Any]:
    """What a command is asked."""
    before = [str(one) for one in earlier] if game.repetition else []
    name = canonical(game, position.rules)
    return {"game": name, "position": str(position), "earlier": before, "level": level, "seed": seed}
