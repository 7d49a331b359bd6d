"""The interface of a game: positions, moves, notation, scenes to draw, and the errors raised.

A position is an immutable value that carries its rules; a move is a small value; one turn is one move,
however many steps it has. Games answer with codes and cells (`Remark`), which `games.kit.words` turns into
sentences with the phrases of the game's folder. The values of `games.values` are exported here too.
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
    """One moment of a game: immutable and hashable; `str()` is one line without the rules."""

    @property
    def rules(self) -> Any:
        """The rules, with any changes made by the set-up."""
        ...

    @property
    def to_move(self) -> Side: ...
    def __hash__(self) -> int: ...
    def moves(self) -> Iterator[Any]:
        """Yields each legal move once: only the pass where the rules force one, none when the game is over."""
        ...

    def count(self) -> int:
        """Counts `moves()`, in bulk where possible."""
        ...

    def sample(self, rng: Random) -> Any:
        """Draws one of `moves()` uniformly. The position must not be finished."""
        ...

    def objection(self, move: Any) -> Objection | None:
        """Returns why `move` is illegal here. None when it is legal."""
        ...

    def play(self, move: Any) -> Self:
        """Returns the position after a legal `move`; the result of an illegal one is undefined."""
        ...

    def outcome(self) -> Outcome | None:
        """Returns how the game ended, except by repetition (see `games.record`). None while it goes on."""
        ...

    def key(self) -> str:
        """Returns a key that is equal for positions that count as repetitions."""
        ...


P = TypeVar("P", bound=Position)
M = TypeVar("M")
R = TypeVar("R")


@dataclass(frozen=True)
class Switch(Generic[R]):
    """One choice in the rules: `values[0]` is the default, `apply(rules, value)` sets it, `value(rules)`
    reads it.
    """

    values: tuple[str, ...]
    apply: Callable[[R, str], R]
    value: Callable[[R], str]


@dataclass(frozen=True)
class Game(Generic[P, M, R]):
    """Everything that the service, records and renderers need of a game.

    `package` holds the phrases and rules pages. `start`, `position` and `move` raise ValueError for a bad
    text. `read` returns a legal move, or raises `UnreadableMove`, `AmbiguousMove` or `IllegalMove`.
    """

    key: str
    package: str
    version: int
    sides: tuple[str, str]  # keys of the phrases' `sides` table, in the order of moving
    presets: Mapping[str, R]  # the first, named "", is the default
    switches: Mapping[str, Switch[R]]
    repetition: int | None  # a draw after this many occurrences
    draw_setup: Callable[[R, Random], str] | None  # a random set-up as text, stored with the match
    start: Callable[[R, str], P]  # from a set-up; "" where the game has none
    position: Callable[[R, str], P]  # from the one-line text
    move: Callable[[str], M]  # exact inverse of str(move)
    forced_pass: M | None  # played automatically where the rules force a pass
    read: Callable[[P, str, Notation], M]
    write: Callable[[P, M, Notation], str]
    scene: Callable[[P | None, M | None, P], Scene]  # before, move, after
    facing: bool = False  # whether the sides sit opposite each other and each has its own view
    family: str = "other"  # a key of the kit's phrases
    pie: bool = False  # whether the second player may take over the first move by default
    cell: Callable[[R, str, Notation], str] = field(default=lambda rules, name, notation: name)
    clicks: Callable[[str], tuple[str, ...]] | None = None  # of a canonical move, if not as it is written

    def phrases(self, language: str) -> Mapping[str, Any]:
        """Returns the game's nouns and sentences, from `phrases.<language>.toml`."""
        return phrases_of(self.package, language)

    def rules_page(self, language: str) -> str:
        """Returns the rules page, as Markdown."""
        return files(self.package).joinpath(f"rules.{language}.md").read_text("utf-8")


@cache
def phrases_of(package: str, language: str) -> Mapping[str, Any]:
    """Reads the `phrases.<language>.toml` of a package, once."""
    text = files(package).joinpath(f"phrases.{language}.toml").read_text("utf-8")
    return tomllib.loads(text)


# Errors in a written move or name


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
    """The text comes after the end of the game; `outcome` says how it ended."""

    def __init__(self, text: str, outcome: Outcome) -> None:
        super().__init__(f"{text!r} comes after the end of the game: {outcome.score} {outcome.reason}")
        self.text = text
        self.outcome = outcome


class UnknownName(ValueError):
    """No game or variant is called `text`; `nearest` are existing names."""

    def __init__(self, text: str, why: str, nearest: tuple[str, ...] = ()) -> None:
        advice = f"; nearest: {', '.join(nearest)}" if nearest else ""
        super().__init__(f"{text!r}: {why}{advice}")
        self.text = text
        self.nearest = nearest
