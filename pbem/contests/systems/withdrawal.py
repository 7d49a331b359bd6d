"""What of the games of a player who withdraws stays in the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pbem.contests.systems.values import Game


@dataclass(frozen=True)
class Withdrawal:
    """`erased`: all of their results leave the table. Else what is over stays, and what is open is lost."""

    erased: bool


def withdrawal(player: int, games: Iterable[Game], planned: int) -> Withdrawal:
    """`planned` is how many games they would have played. Before half of them is over nothing stays: else those who
    met them early would have points that the others could no longer make."""
    over = sum(1 for game in games if game.points_of(player) is not None and not game.is_bye)
    return Withdrawal(erased=2 * over < planned)


def without(games: Iterable[Game], erased: Iterable[int]) -> tuple[Game, ...]:
    gone = set(erased)
    return tuple(game for game in games if not {game.first, game.second} & gone)
