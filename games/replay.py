"""Replays games written one move per line and tells, ply by ply, what was read.

Games are parted by blank lines; a first line `setup TEXT` gives the set-up. A forced pass is a ply of
its own: it may be written, and is played where the line says something else, as no player is ever
asked for it. No pass is added after the last line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from games.errors import GameOver, IllegalMove
from games.kit.words import speech
from games.protocol import Notation, Position
from games.record import Course
from games.registry import AnyGame

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
