"""What a game provides: sides, positions, moves, notation and a scene to draw.

A position is an immutable value that carries its rules; a move is a small value; one turn is one
move, however many steps it has. Games never speak: they answer with codes and cells (`Remark`),
which `games.kit.words` turns into sentences with the phrases of the game's folder. The values of
`games.values` are to be had here as well: an author imports one module.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any, Generic, Protocol, Self, TypeVar

from games.kit.scene import Scene
from games.values import CANONICAL, COORDINATES, LANGUAGES, Notation, Objection, Outcome, Remark, Side

__all__ = [
    "CANONICAL",
    "COORDINATES",
    "LANGUAGES",
    "Game",
    "Notation",
    "Objection",
    "Outcome",
    "Position",
    "Remark",
    "Side",
    "Switch",
    "phrases_of",
]


class Position(Protocol):
    """One moment of a game: immutable, hashable; `str()` is one line without the rules."""

    @property
    def rules(self) -> Any:
        """The rules it was made with, and what a set-up may have changed in them."""
        ...

    @property
    def to_move(self) -> Side: ...
    def moves(self) -> Iterator[Any]:
        """Each legal move once; exactly the pass where the rules force one; none when finished."""
        ...

    def count(self) -> int:
        """How many `moves()` there are, in bulk where possible."""
        ...

    def sample(self, rng: Random) -> Any:
        """One of `moves()`, each equally likely. The position is not finished."""
        ...

    def objection(self, move: Any) -> Objection | None:
        """Why `move` is illegal here; None when it is legal."""
        ...

    def play(self, move: Any) -> Self:
        """The position after a legal `move`; an illegal one gives no promise."""
        ...

    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on. Never repetition: that is the record's."""
        ...

    def key(self) -> str:
        """Equal for positions that the rules of repetition call the same."""
        ...


P = TypeVar("P", bound=Position)
M = TypeVar("M")
R = TypeVar("R")


@dataclass(frozen=True)
class Switch(Generic[R]):
    """One choice in the rules: `values[0]` is the default; `apply(rules, value)` sets it,
    `value(rules)` tells it."""

    values: tuple[str, ...]
    apply: Callable[[R, str], R]
    value: Callable[[R], str]


@dataclass(frozen=True)
class Game(Generic[P, M, R]):
    """Everything that the service, the record and the renderers need of a game.

    `package` is the package of the folder, where the phrases and the rules pages lie. Raises of the
    callables: `start` and `position` ValueError for a bad text, `move` ValueError, `read`
    `UnreadableMove`, `AmbiguousMove` or `IllegalMove` (a move that it returns is legal).
    """

    key: str
    package: str
    version: int
    sides: tuple[str, str]  # keys of the phrases' table of sides, the first to move first
    presets: Mapping[str, R]  # the first, named "", is the default
    switches: Mapping[str, Switch[R]]
    repetition: int | None  # this many occurrences draw
    draw_setup: Callable[[R, Random], str] | None  # a random set-up as text, stored with the match
    start: Callable[[R, str], P]  # from a set-up, "" where the game has none
    position: Callable[[R, str], P]  # from the one-line text
    move: Callable[[str], M]  # exact inverse of str(move)
    forced_pass: M | None  # what the service plays where the rules force a pass
    read: Callable[[P, str, Notation], M]
    write: Callable[[P, M, Notation], str]
    scene: Callable[[P | None, M | None, P], Scene]  # before, move, after
    facing: bool = False  # whether the sides sit opposite each other, so that each has a view of their own
    pie: bool = False  # whether the second player may take the first move over, where nothing else is agreed
    cell: Callable[[R, str, Notation], str] = field(default=lambda rules, name, notation: name)

    def phrases(self, language: str) -> Mapping[str, Any]:
        """The game's nouns and sentences, as its `phrases.<language>.toml` has them."""
        return phrases_of(self.package, language)

    def rules_page(self, language: str) -> str:
        """The rules as a player reads them (Markdown)."""
        return files(self.package).joinpath(f"rules.{language}.md").read_text("utf-8")


@cache
def phrases_of(package: str, language: str) -> Mapping[str, Any]:
    """What the `phrases.<language>.toml` of a package has, read once."""
    text = files(package).joinpath(f"phrases.{language}.toml").read_text("utf-8")
    return tomllib.loads(text)


# What can be wrong with a written move or name. Each says what was written.


class UnreadableMove(ValueError):
    """The text is not a move in this game's notation."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is not a move in this notation")
        self.text = text


class AmbiguousMove(ValueError):
    """The text fits several legal moves; `readings` are their canonical forms."""

    def __init__(self, text: str, readings: tuple[str, ...]) -> None:
        super().__init__(f"{text!r} may be {' or '.join(readings)}")
        self.text = text
        self.readings = readings


class IllegalMove(ValueError):
    """The text is a move, but the rules forbid it here; `objection` says why."""

    def __init__(self, text: str, objection: Objection) -> None:
        super().__init__(f"{text!r} is illegal: {objection}")
        self.text = text
        self.objection = objection


class GameOver(ValueError):
    """The text comes after the end of the game; `outcome` says how that came."""

    def __init__(self, text: str, outcome: Outcome) -> None:
        super().__init__(f"{text!r} comes after the end of the game: {outcome.score} {outcome.reason}")
        self.text = text
        self.outcome = outcome


class UnknownName(ValueError):
    """No game or variant is called `text`; `nearest` are names that exist."""

    def __init__(self, text: str, why: str, nearest: tuple[str, ...] = ()) -> None:
        advice = f"; nearest: {', '.join(nearest)}" if nearest else ""
        super().__init__(f"{text!r}: {why}{advice}")
        self.text = text
        self.nearest = nearest
