"""Moves chosen by clicks on cells and on words, for boards on pages.

The path of a move is its cells and words in order; a word is a letter, such as a colour or a promotion. A step with one
continuation needs no click, except the last one of a move. So a row of clicks falls apart into moves by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.export import Step
from games.protocol import Position
from games.record import Course

Path = tuple[str, ...]
DONE = "done"  # ends a turn that might go on
_CLICK = re.compile(r"[a-z][0-9]{1,2}|[A-Z]")


@dataclass(frozen=True)
class Choice:
    """The turns that clicks have chosen, the path of the next move so far, and what can be clicked next.

    Nothing can when the game is over.
    """

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
    steps, (node, way) = list[Step](), _begun(course)
    for click in clicks:
        if click not in node:
            raise ValueError(f"{click!r} is none of {tuple(node)}")
        node, way = _settled(node[click], (*way, click))
        if not isinstance(node, dict):
            move = node
            while move is not None:
                before = course.position
                steps.append(Step(ply + len(steps), before, move, course.play(move)))
                move = course.forced_pass()
            node, way = _begun(course)
    return Choice(tuple(steps), way, tuple(node))


def clicks_of(position: Position, move: Any, read: Callable[[str], Path] = path) -> Path:
    """Returns the clicks that choose a legal move."""
    full, clicks = (*read(str(move)), DONE), list[str]()
    node, way = _settled(_trie(position, read), ())
    while isinstance(node, dict):
        clicks.append(full[len(way)])
        node, way = _settled(node[clicks[-1]], (*way, clicks[-1]))
    return tuple(clicks)


def _begun(course: Course) -> tuple[Any, Path]:
    return _settled({} if course.outcome() else _trie(course.position, course.game.clicks or path), ())


def _settled(node: Any, way: Path) -> tuple[Any, Path]:
    """Takes the steps with one continuation. `node` is a move or maps clicks to nodes."""
    while isinstance(node, dict) and len(node) == 1:
        [(click, below)] = node.items()
        if not isinstance(below, dict):
            break
        node, way = below, (*way, click)
    return node, way


@lru_cache(maxsize=16)
def _trie(position: Position, read: Callable[[str], Path]) -> dict[str, Any]:
    paths = {read(str(move)): move for move in position.moves()}
    begun = {way[:end] for way in paths for end in range(1, len(way))}
    trie: dict[str, Any] = {}
    for way, move in paths.items():
        *first, last = (*way, DONE) if way in begun else way
        node = trie
        for click in first:
            node = node.setdefault(click, {})
        node[last] = move
    return trie
