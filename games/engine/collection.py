"""Collects the puzzles that a game comes with: mined from games between robots, the easiest first.

`puzzles.json` in the package of a game has them, as `python -m games.engine puzzles` prints them with `--sure 85`
and what follows. Those of `gipf`, `lyngk`, `othello`, `tamsk`, `tzaar` and `yinsh` were found again with four
times the nodes.

- `bashni 1 2 --games 250 --nodes 1500`
- `cheshire 1 2 --games 200 --nodes 3000`
- `dvonn 1 2 --games 200 --nodes 3000`, and the first of `dvonn 1 2 --games 24 --seed 2 --nodes 3000`
- `emergo 2 2 --games 260 --nodes 1500`
- `gemma 1 2 --games 250 --nodes 1000`
- `gipf 2 2 --games 86 --nodes 3000 --last 12`
- `insert 1 2 --games 240 --nodes 500`
- `loa 1 2 --games 300 --nodes 1500`
- `lyngk 2 2 --games 147 --nodes 2000 --last 12`
- `othello 2 2 --games 190 --nodes 10000 --last 11`
- `tamsk 2 2 --games 150 --nodes 10000 --last 11`, with `tamsk 2 2 --games 80 --nodes 10000 --last 6`
- `trapdoor 1 1 --games 235 --nodes 3000 --last 6`
- `tzaar 2 2 --games 90 --nodes 2000 --last 4`
- `yinsh 2 2 --games 120 --nodes 5000 --last 12`
- `zertz 2 2 --games 250 --nodes 4000 --last 10`
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import Any

from games.engine.matches import Played
from games.engine.puzzles import LONGEST_SOLUTION, SURE, find_puzzles
from games.registry import AnyGame, canonical

FILE = "puzzles.json"
FEWEST_TURNS = 3  # legal ones: of two, one can be guessed


@dataclass(frozen=True)
class Collected:
    """A puzzle of a collection: its position in the notation of the game named `game`."""

    game: str
    position: str
    accepted: tuple[tuple[str, ...], ...]
    replies: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> Collected:
        accepted = tuple(map(tuple, facts["accepted"]))
        return cls(facts["game"], facts["position"], accepted, tuple(facts["replies"]))


def collection(game: AnyGame) -> tuple[Collected, ...]:
    """Returns the puzzles that the game comes with. Empty when there is no file."""
    return _read(game.package)


@cache
def _read(package: str) -> tuple[Collected, ...]:
    file = files(package).joinpath(FILE)
    return tuple(map(Collected.from_json, json.loads(file.read_text("utf-8")))) if file.is_file() else ()


Mined = tuple[Collected, int]  # a puzzle and the number of legal turns


def mine(
    game: AnyGame,
    games: Iterable[Played],
    last: int | None = None,
    nodes: int | None = None,
    sure: float = SURE,
) -> Iterator[Mined]:
    """Yields the puzzles of decided games, in which the solver never has to pass. `last` limits the search to the
    last plies of each game.
    """
    passing = str(game.forced_pass)
    for played in games:
        positions = played.positions
        since = len(positions) - last if last else 0
        for puzzle in (
            find_puzzles(game, positions, nodes, since, sure) if played.outcome.winner is not None else ()
        ):
            at = positions[puzzle.ply]
            passes = any(passing in step for step in puzzle.accepted)
            if not passes and (turns := at.count()) >= FEWEST_TURNS:
                name = canonical(game, at.rules)
                yield Collected(name, str(at), puzzle.accepted, puzzle.replies), turns


def chosen(mined: Iterable[Mined], most: int) -> list[Collected]:
    """Returns at most `most` puzzles, as many of each length as there are, the easiest first."""
    found = {each.position: (each, turns) for each, turns in mined}
    by_length = [
        [each for each in found.values() if len(each[0].accepted) == n + 1] for n in range(LONGEST_SOLUTION)
    ]
    balanced = [each for row in zip_longest(*by_length) for each in row if each][:most]
    return [puzzle for puzzle, _ in sorted(balanced, key=lambda each: (len(each[0].accepted), each[1]))]
