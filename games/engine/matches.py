"""Plays matches between robots, to measure their strength, and prints analyses as table rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games.engine.analysis import Analysis
from games.engine.child import answered, question_of
from games.engine.robot import LEVELS, think
from games.move_numbers import mark
from games.protocol import Outcome, Position, Side
from games.record import Course
from games.registry import AnyGame

OPENING = 2  # random plies, so that openings differ; each opening is played with both colours
LONGEST = 300  # plies; a longer game is a draw

Player = Callable[[AnyGame, Position, str, Sequence[Position]], Any]  # returns the move of any player


@dataclass(frozen=True)
class Played:
    """One game; `points` are 2 when the first of both players won, 1 for a draw."""

    number: int
    first_moves: bool  # whether the first of both players moved first
    outcome: Outcome
    positions: tuple[Position, ...]

    @property
    def plies(self) -> int:
        return len(self.positions) - 1

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
    """Returns the player of another program (`games.engine.child`), asked for the highest level."""

    def moves(game: AnyGame, position: Position, seed: str, earlier: Sequence[Position]) -> Any:
        asked = question_of(game, position, earlier, max(LEVELS), seed)
        return answered(command, game, position, asked).move

    return moves


def by_lot(game: AnyGame, position: Position, seed: str, earlier: Sequence[Position]) -> Any:
    """Plays random moves, as a baseline."""
    return position.sample(Random(f"{seed} {len(earlier)}"))


def games_between(
    game: AnyGame, rules: Any, players: tuple[Player, Player], numbers: range, seed: int
) -> Iterator[Played]:
    """Plays the games with these numbers; the same arguments give the same games."""
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
    return Played(number, first_moves, outcome or Outcome(None, "unfinished"), tuple(positions))


def _opening(game: AnyGame, rules: Any, seed: str) -> tuple[Course, list[Position]]:
    """Returns the game after a random opening, and its positions; redrawn when the opening ends the game."""
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


# Analyses as table rows

Row = tuple[object, ...]


def rows(analysis: Analysis, moves: Sequence[Any]) -> Iterator[Row]:
    """Yields the rows of an analysis.

    They are `number, move, first side's per cent after it, mark` for each turn; `moment`, its number, the
    mover's per cent before and after it, and the better line; `decided` and a number, or `-`.
    """
    for ply, move in enumerate(moves):
        yield mark(ply), move, round(100 * analysis.chances[ply + 1]), analysis.marks.get(ply, "")
    for moment in analysis.moments:
        before, after = (round(100 * chance) for chance in (moment.before, moment.after))
        yield "moment", mark(moment.ply), before, after, " ".join(moment.line)
    yield "decided", "-" if analysis.decided is None else mark(analysis.decided)
