"""The written game: what a match leaves behind, and what it can be replayed from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from games.errors import GameOver, IllegalMove
from games.protocol import Outcome, Position
from games.registry import AnyGame, find

REPETITION = "repetition"


def verdict(game: AnyGame, position: Position, occurrences: int) -> Outcome | None:
    """How the game ends at a position that has now occurred so often, this time included."""
    if outcome := position.outcome():
        return outcome
    if game.repetition and occurrences >= game.repetition:
        return Outcome(None, REPETITION)
    return None


class Course:
    """A game as it goes: where it stands, and how often each position has occurred."""

    def __init__(self, game: AnyGame, start: Position, earlier: Iterable[str] = ()) -> None:
        """`earlier` are the keys of the positions before `start`, where the game begins later."""
        self.game = game
        self.position = start
        self._occurrences = Counter([*earlier, start.key()])

    def outcome(self) -> Outcome | None:
        return verdict(self.game, self.position, self._occurrences[self.position.key()])

    def forced_pass(self) -> Any:
        """The pass, where the rules leave nothing else; None where a move can be played or the game is over."""
        forced = self.game.forced_pass
        playable = forced is not None and self.outcome() is None and self.position.objection(forced) is None
        return forced if playable else None

    def play(self, move: Any) -> Position:
        """The position after `move`. Raises GameOver or IllegalMove."""
        if outcome := self.outcome():
            raise GameOver(str(move), outcome)
        if objection := self.position.objection(move):
            raise IllegalMove(str(move), objection)
        self.position = self.position.play(move)
        self._occurrences[self.position.key()] += 1
        return self.position


@dataclass(frozen=True)
class Record:
    """One game, finished or not; `game` is a canonical name, `version` that of the game's rules.

    `moves` are canonical, forced passes among them. `result` is how the game ended, on the board or
    off it (resigned, out of time), None while it goes on. `players` stand in the order of moving. `remarks`
    is one line about what the moves do not show.
    """

    game: str
    version: int
    moves: tuple[str, ...] = ()
    setup: str = ""
    result: Outcome | None = None
    players: tuple[str, str] = ("", "")
    started: date | None = None
    ended: date | None = None
    remarks: str = ""

    def course(self) -> Course:
        """The game before its first move; ValueError if there is no such game or set-up."""
        game, rules = find(self.game)
        return Course(game, game.start(rules, self.setup))

    def replay(self) -> tuple[Position, ...]:
        """Every position, the start first; ValueError where a text is bad or a move cannot be played."""
        course = self.course()
        return course.position, *map(course.play, map(course.game.move, self.moves))

    def outcome(self) -> Outcome | None:
        """What the board and repetition say, else what was recorded. ValueError as in `replay`."""
        course = self.course()
        for text in self.moves:
            course.play(course.game.move(text))
        return course.outcome() or self.result
