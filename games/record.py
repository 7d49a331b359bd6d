"""The written game: what a match leaves behind, and what it can be replayed from."""

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


# Replays games written one move per line and tells, ply by ply, what was read. Games are parted by
# blank lines; a first line `setup TEXT` gives the set-up. A forced pass is a ply of its own: it may
# be written, and is played where the line says something else, as no player is ever asked for it.
# No pass is added after the last line.

Row = tuple[object, ...]
SETUP = "setup "


def written_games(lines: Iterable[str]) -> Iterator[list[str]]:
    """The lines of each game, blanks tidied."""
    tidy = (" ".join(line.split()) for line in lines)
    return (list(game) for written, game in groupby(tidy, bool) if written)


@dataclass(frozen=True)
class Replay:
    """How to replay: the game, how its moves are written, whether to count the legal ones."""

    game: AnyGame
    rules: Any
    notation: Notation
    counts: bool = False

    def rows(self, lines: list[str]) -> Iterator[Row]:
        """`ply [count] move` for each ply, then `result` and `position`.

        What cannot be played is `illegal ply text why` and ends the game; a set-up that cannot be
        leaves nothing to tell.
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
        """What the line says, after the forced pass that it leaves out."""
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
