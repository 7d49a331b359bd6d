"""Robots against each other: what tells how strong they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games.move_numbers import mark
from games.protocol import Outcome, Position, Side
from games.record import Course
from games.registry import AnyGame
from games.robots.analysis import Analysis
from games.robots.child import answered, question_of
from games.robots.levels import LEVELS
from games.robots.robot import think

OPENING = 2  # plies by lot, so that no two openings are alike; each of them is played with both colours
LONGEST = 300  # plies; a game that lasts longer is a draw

Player = Callable[[AnyGame, Position, str, Sequence[Position]], Any]  # the move of a robot or any other


@dataclass(frozen=True)
class Played:
    """One game; `points` are 2 for the first of both players if they won, 1 for a draw."""

    number: int
    first_moves: bool  # whether the first of both players moved first
    outcome: Outcome
    plies: int

    @property
    def points(self) -> int:
        if self.outcome.winner is None:
            return 1
        return 2 if (self.outcome.winner == Side.FIRST) == self.first_moves else 0


def robot(level: int) -> Player:
    def moves(game: AnyGame, position: Position, seed: str, earlier: Sequence[Position]) -> Any:
        return think(game, position, level, seed, earlier).move

    return moves


def by_command(command: Sequence[str]) -> Player:
    """Another program (`games.robots.child`), at the highest level that there is."""

    def moves(game: AnyGame, position: Position, seed: str, earlier: Sequence[Position]) -> Any:
        asked = question_of(game, position, earlier, max(LEVELS), seed)
        return answered(command, game, position, asked).move

    return moves


def by_lot(game: AnyGame, position: Position, seed: str, earlier: Sequence[Position]) -> Any:
    """Who plays any move; no opponent, but all others have to beat it."""
    return position.sample(Random(f"{seed} {len(earlier)}"))


def games_between(
    game: AnyGame, rules: Any, players: tuple[Player, Player], numbers: range, seed: int
) -> Iterator[Played]:
    """The games of these numbers, the same each time."""
    for number in numbers:
        yield play(game, rules, players, number, seed)


def play(game: AnyGame, rules: Any, players: tuple[Player, Player], number: int, seed: int) -> Played:
    course, positions = _opening(game, rules, f"{seed} {number // 2}")
    first_moves = number % 2 == 0
    seats = players if first_moves else players[::-1]
    while (outcome := course.outcome()) is None and len(positions) <= LONGEST:
        mover = seats[course.position.to_move]
        move = mover(game, course.position, f"{seed} {number}", positions[:-1])
        positions.append(course.play(move))
    return Played(number, first_moves, outcome or Outcome(None, "unfinished"), len(positions) - 1)


def _opening(game: AnyGame, rules: Any, seed: str) -> tuple[Course, list[Position]]:
    """The game after its first plies, and all positions so far; drawn again where that was all of it."""
    for attempt in range(100):
        rng = Random(f"{seed} {attempt}")
        setup = game.draw_setup(rules, rng) if game.draw_setup else ""
        course = Course(game, game.start(rules, setup))
        positions = [course.position]
        for _ in range(OPENING):
            if course.outcome() is None:
                positions.append(course.play(course.position.sample(rng)))
        if course.outcome() is None:
            return course, positions
    raise ValueError(f"{game.key} is over after {OPENING} plies, however it begins")


# An analysis as lines of a table, for the command line.

Row = tuple[object, ...]


def rows(analysis: Analysis, moves: Sequence[Any]) -> Iterator[Row]:
    """`number, move, per cent of the first side after it, mark` of each turn; `moment` with its number, the mover's
    per cent before it and with it, and the better line; `decided` with a number, or `-`."""
    for ply, move in enumerate(moves):
        yield mark(ply), move, round(100 * analysis.chances[ply + 1]), analysis.marks.get(ply, "")
    for moment in analysis.moments:
        before, after = (round(100 * chance) for chance in analysis.falls[moment.ply])
        yield "moment", mark(moment.ply), before, after, " ".join(moment.line)
    yield "decided", "-" if analysis.decided is None else mark(analysis.decided)
