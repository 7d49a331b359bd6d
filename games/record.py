"""Records of games: their result, their course with repetitions, and their replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from games.kit.words import speech
from games.protocol import GameOver, IllegalMove, Notation, Outcome, Position
from games.registry import AnyGame, find

REPETITION = "repetition"


def verdict(game: AnyGame, position: Position, occurrences: int) -> Outcome | None:
    """Returns how the game ends at a position that has occurred this often, now included. None while it goes
    on.
    """
    if outcome := position.outcome():
        return outcome
    if game.repetition and occurrences >= game.repetition:
        return Outcome(None, REPETITION)
    return None


class Course:
    """A game in progress: its position, and how often each position has occurred."""

    def __init__(self, game: AnyGame, start: Position, earlier: Iterable[str] = ()) -> None:
        """`earlier` are the keys of the positions before `start`, if the game began earlier."""
        self.game = game
        self.position = start
        self._occurrences = Counter([*earlier, start.key()])

    def outcome(self) -> Outcome | None:
        return verdict(self.game, self.position, self._occurrences[self.position.key()])

    def forced_pass(self) -> Any:
        """Returns the pass when it is forced. None when a move can be played or the game is over."""
        forced = self.game.forced_pass
        playable = forced is not None and self.outcome() is None and self.position.objection(forced) is None
        return forced if playable else None

    def play(self, move: Any) -> Position:
        """Plays `move` and returns the new position. Raises GameOver or IllegalMove."""
        if outcome := self.outcome():
            raise GameOver(str(move), outcome)
        if objection := self.position.objection(move):
            raise IllegalMove(str(move), objection)
        self.position = self.position.play(move)
        self._occurrences[self.position.key()] += 1
        return self.position


@dataclass(frozen=True)
class Record:
    """A game, finished or not; `game` is its canonical name, `version` that of its rules.

    `moves` are canonical and include forced passes. `result` is how the game ended, on or off the board
    (resigned, out of time), None while it goes on. `players` are in the order of moving. `remarks` is one
    line about what the moves do not show.
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
        """Returns the game before its first move. Raises ValueError when the game or set-up does not exist."""
        game, rules = find(self.game)
        return Course(game, game.start(rules, self.setup))

    def replay(self) -> tuple[Position, ...]:
        """Returns every position from the start on. Raises ValueError for a bad text or an unplayable move."""
        course = self.course()
        return course.position, *map(course.play, map(course.game.move, self.moves))

    def outcome(self) -> Outcome | None:
        """Returns the outcome by board and repetition, else the recorded result. Raises ValueError as
        `replay` does.
        """
        course = self.course()
        for text in self.moves:
            course.play(course.game.move(text))
        return course.outcome() or self.result


# Replay of games with one move per line, separated by blank lines. A first line `setup TEXT` gives the set-
# up. A forced pass is a ply of its own, written or not; none is added after the last line.

Row = tuple[object, ...]
SETUP = "setup "


def written_games(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yields the lines of each game, with blanks normalised."""
    tidy = (" ".join(line.split()) for line in lines)
    return (list(game) for written, game in groupby(tidy, bool) if written)


@dataclass(frozen=True)
class Replay:
    """How to replay: the game, the notation of its moves, whether to count legal moves."""

    game: AnyGame
    rules: Any
    notation: Notation
    counts: bool = False

    def rows(self, lines: list[str]) -> Iterator[Row]:
        """Yields `ply [count] move` for each ply, then `result` and `position`.

        An unplayable move yields `illegal ply text why` and ends the game; after a bad set-up nothing else is
        yielded.
        """
        setup = lines[0].removeprefix(SETUP) if lines[0].startswith(SETUP) else ""
        try:
            course = Course(self.game, self.game.start(self.rules, setup))
        except ValueError as error:
            yield "illegal", 0, lines[0], error
            return
        yield from self._plies(course, lines[1:] if setup else lines)
        outcome = course.outcome()
        yield ("result", outcome.score, outcome.reason) if outcome else ("result", "*", "-")
        yield "position", course.position

    def _plies(self, course: Course, lines: list[str]) -> Iterator[Row]:
        ply = 0
        for line in lines:
            try:
                for move in self._turns(course, line):
                    count = (course.position.count(),) if self.counts else ()
                    course.play(move)
                    yield ply, *count, move
                    ply += 1
            except ValueError as error:
                yield "illegal", ply, line, self._why(course.position, error)
                return

    def _turns(self, course: Course, line: str) -> Iterator[Any]:
        """Yields the forced pass if the line omits it, then the line's move."""
        forced = course.forced_pass()
        if forced is not None and not self._is_pass(course, line):
            yield forced
        if outcome := course.outcome():
            raise GameOver(line, outcome)
        yield self.game.read(course.position, line, self.notation)

    def _is_pass(self, course: Course, line: str) -> bool:
        try:
            return bool(self.game.read(course.position, line, self.notation) == self.game.forced_pass)
        except ValueError:
            return False

    def _why(self, position: Position, error: ValueError) -> str:
        words = speech(self.game, position.rules, self.notation)
        match error:
            case IllegalMove():
                return words.remark("objections", error.objection)
            case GameOver():
                return words.outcome(error.outcome)
            case _:
                return str(error)
