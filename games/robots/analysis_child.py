"""Runs one analysis in a separate process, as `games.robots.child` runs a think."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from games.protocol import Outcome, Side
from games.registry import find
from games.robots import puzzles
from games.robots.analysis import analyse
from games.robots.child import serve

_WINNERS = {"1-0": Side.FIRST, "0-1": Side.SECOND}


def answer(question: Mapping[str, Any], nodes: int | None = None) -> dict[str, Any]:
    """Analyses a game.

    `game` is a name, `setup` and `moves` are as in a record, `result` is the score or "*"; with `puzzles`,
    the game's puzzles are added. `nodes` is the budget per ply.
    """
    game, rules = find(question["game"])
    start = game.start(rules, question["setup"])
    score = question["result"]
    result = None if score == "*" else Outcome(_WINNERS.get(score), "")
    moves = [game.move(text) for text in question["moves"]]
    found = analyse(game, start, moves, result, nodes).as_json()
    if question.get("puzzles"):
        positions = [start]
        for move in moves:
            positions.append(positions[-1].play(move))
        found["puzzles"] = [puzzle.as_json() for puzzle in puzzles.find(game, positions, nodes)]
    return found


def main() -> None:
    """Runs `python -m games.robots.analysis_child SECONDS MEBIBYTES`."""
    seconds, mebibytes = map(int, sys.argv[1:])
    serve(sys.stdin, sys.stdout, seconds=seconds, mebibytes=mebibytes, answers=answer)


if __name__ == "__main__":
    main()
