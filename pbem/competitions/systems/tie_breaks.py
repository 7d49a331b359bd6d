"""Rankings by points and tie-breaks (FIDE Handbook, C.07).

A bye counts as a draw against oneself in tie-breaks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from pbem.competitions.systems.values import DRAWN, WON, Game, Line


@dataclass(frozen=True)
class Book:
    """The finished games, by player."""

    players: frozenset[int]
    games: tuple[Game, ...]

    @cached_property
    def played(self) -> Mapping[int, Sequence[tuple[int, float]]]:
        """Returns opponents and own points of each player, with byes."""
        found: dict[int, list[tuple[int, float]]] = defaultdict(list)
        for game in self.games:
            if game.points is None or not {game.first, game.second} <= self.players:
                continue
            found[game.first].append((game.second, game.points))
            if not game.is_bye:
                found[game.second].append((game.first, WON - game.points))
        return found

    @cached_property
    def points(self) -> Mapping[int, float]:
        return {player: sum(points for _, points in self.of(player)) for player in self.players}

    def of(self, player: int) -> Sequence[tuple[int, float]]:
        return self.played.get(player, ())


TieBreak = Callable[[Book, Collection[int]], Mapping[int, float]]


def _each(value: Callable[[Book, int], float]) -> TieBreak:
    return lambda book, tied: {player: value(book, player) for player in tied}


def _sonneborn_berger(book: Book, player: int) -> float:
    return sum(_worth(player, other, points) * book.points[other] for other, points in book.of(player))


def _worth(player: int, other: int, points: float) -> float:
    return DRAWN if other == player else points


def _wins(book: Book, player: int) -> float:
    return sum(points == WON and other != player for other, points in book.of(player))


def _koya(book: Book, player: int) -> float:
    """Returns the points against opponents with at least half of their possible points."""
    return sum(
        points
        for other, points in book.of(player)
        if other != player and 2 * book.points[other] >= len(book.of(other))
    )


def _buchholz(book: Book, player: int) -> float:
    return sum(book.points[other] for other, _ in book.of(player))


def _buchholz_cut(book: Book, player: int) -> float:
    """Returns the sum of the opponents' points, without the lowest."""
    return sum(sorted(book.points[other] for other, _ in book.of(player))[1:])


def _direct(book: Book, tied: Collection[int]) -> Mapping[int, float]:
    """Returns the points among the tied players. Zero for all unless all have met."""
    met = {(player, other): 0.0 for player in tied for other, _ in book.of(player) if other in tied}
    if not all(pair in met for pair in combinations(tied, 2)):
        return dict.fromkeys(tied, 0.0)
    return {
        player: sum(points for other, points in book.of(player) if other in tied and other != player)
        for player in tied
    }


TIE_BREAKS: Mapping[str, TieBreak] = {
    "direct": _direct,
    "sonneborn_berger": _each(_sonneborn_berger),
    "wins": _each(_wins),
    "koya": _each(_koya),
    "buchholz_cut": _each(_buchholz_cut),
    "buchholz": _each(_buchholz),
}
USUAL = ("direct", "sonneborn_berger", "wins", "koya")
SWISS = ("buchholz_cut", "buchholz", "sonneborn_berger")


def ranked(
    players: Iterable[int], games: Iterable[Game], ties: Sequence[str] = USUAL, table: str = ""
) -> tuple[Line, ...]:
    """Returns the table, best first; equal players share a place. Raises KeyError for unknown tie-breaks."""
    book = Book(frozenset(players), tuple(games))
    groups = _split([sorted(book.players)], lambda group: {player: book.points[player] for player in group})
    values: dict[int, list[float]] = {player: [] for player in book.players}
    for name in ties:
        found: dict[int, float] = {}
        for group in groups:
            found |= TIE_BREAKS[name](book, group)
        for player, value in found.items():
            values[player].append(value)
        groups = _split(groups, lambda group, found=found: found)  # type: ignore[misc]
    lines: list[Line] = []
    for group in groups:
        place, tied = len(lines) + 1, len(group) > 1
        lines += [Line(p, place, tied, book.points[p], tuple(values[p]), table) for p in group]
    return tuple(lines)


def _split(groups: Iterable[list[int]], told: Callable[[list[int]], Mapping[int, float]]) -> list[list[int]]:
    """Splits each group by value, the highest first."""
    parts: list[list[int]] = []
    for group in groups:
        values = told(group)
        for value in sorted({values[player] for player in group}, reverse=True):
            parts.append([player for player in group if values[player] == value])
    return parts
