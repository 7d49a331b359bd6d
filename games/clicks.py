"""Moves chosen by clicks on cells and on words, for boards on pages.

The path of a move is its cells and words in order; a word is a letter, such as a colour or a promotion. A step with one
continuation needs no click, except the last one of a move. So a row of clicks falls apart into moves by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from games.export import Step
from games.protocol import Position
from games.record import Course

Path = tuple[str, ...]
DONE = "done"  # the click that ends a turn which might go on
_CLICK = re.compile(r"[a-z][0-9]{1,2}|[A-Z]")


@dataclass(frozen=True)
class Choice:
    """Turns, the path of the next move so far, and what can be clicked next: nothing when the game is over."""

    steps: tuple[Step, ...]
    path: Path
    following: Path


def path(text: str) -> Path:
    """Returns the path of a canonical move. One that names no cell is a word itself."""
    return tuple(_CLICK.findall(text)) or (text,)


def choose(course: Course, clicks: Iterable[str], ply: int = 0) -> Choice:
    """Plays the chosen moves and the passes that they force. `ply` is the number of the first turn.

    Raises ValueError for a click that leads nowhere.
    """
    steps, node = list[Step](), _begun(course)
    for click in clicks:
        if click not in node.following:
            raise ValueError(f"{click!r} is none of {tuple(node.following)}")
        node = node.following[click].settled()
        if not node.following:
            _, move = node.moves[0]
            while move is not None:
                before = course.position
                steps.append(Step(ply + len(steps), before, move, course.play(move)))
                move = course.forced_pass()
            node = _begun(course)
    way = node.moves[0][0][: node.depth] if node.moves else ()
    return Choice(tuple(steps), way, tuple(node.following))


def clicks_of(position: Position, move: Any, read: Callable[[str], Path] = path) -> Path:
    """Returns the clicks that choose a legal move."""
    node, way, clicks = _trie(position, read).settled(), (*read(str(move)), DONE), list[str]()
    while node.following:
        clicks.append(way[node.depth])
        node = node.following[clicks[-1]].settled()
    return tuple(clicks)


@dataclass(frozen=True, eq=False)
class _Node:
    """A trie that grows where it is read: moves with their paths, equal up to `depth`, and DONE at the end of each."""

    moves: Sequence[tuple[Path, Any]]
    depth: int = 0

    @cached_property
    def following(self) -> dict[str, _Node]:
        below: dict[str, list[tuple[Path, Any]]] = {}
        for way, move in self.moves:
            if self.depth < len(way):
                below.setdefault(way[self.depth], []).append((way, move))
        return {click: _Node(moves, self.depth + 1) for click, moves in below.items()}

    def settled(self) -> _Node:
        """Takes the steps with one continuation, except the last before DONE."""
        node = self
        while len(node.following) == 1:
            [(click, below)] = node.following.items()
            if click != DONE and [*below.following] == [DONE]:
                break
            node = below
        return node


def _begun(course: Course) -> _Node:
    over = course.outcome()
    return _Node(()) if over else _trie(course.position, course.game.clicks or path).settled()


@lru_cache(maxsize=8)
def _trie(position: Position, read: Callable[[str], Path]) -> _Node:
    return _Node([((*read(str(move)), DONE), move) for move in position.moves()])
