"""Rankings by points and tie-breaks (FIDE Handbook, C.07), and points of circuits.

A bye counts as a draw against oneself in tie-breaks.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
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


# Circuits

USUAL_POINTS = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)  # by place


@dataclass(frozen=True)
class Result:
    """A place in one event. `name` may be a player of an outside event."""

    name: str
    event: str
    place: int


@dataclass(frozen=True)
class Standing:
    """A line of a circuit: `counted` points of the best results, `left_out` of the others, highest first."""

    name: str
    place: int
    tied: bool
    points: float
    counted: tuple[float, ...]
    left_out: tuple[float, ...] = ()


class BadLine(ValueError):
    """A line of an import that cannot be read, with its number (from 1) and text."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(f"{number}: {text}")
        self.number, self.text = number, text


def standing(
    results: Iterable[Result], *, points: Sequence[float] = USUAL_POINTS, best: int = 0
) -> tuple[Standing, ...]:
    """Returns the table. `best` results of each player count, 0: all.

    Players with the same place share the points of the places that they fill. Equal sums are ordered by the
    highest single results.
    """
    events: dict[str, list[Result]] = defaultdict(list)
    for result in set(results):
        events[result.event].append(result)
    earned: dict[str, list[float]] = defaultdict(list)
    for event in events.values():
        for result in event:
            sharing = sum(other.place == result.place for other in event)
            filled = [_worth_circuit(place, points) for place in range(result.place, result.place + sharing)]
            earned[result.name].append(sum(filled) / sharing)
    scores = {name: tuple(sorted(theirs, reverse=True)) for name, theirs in earned.items()}
    counted = {name: theirs[:best] if best else theirs for name, theirs in scores.items()}
    order = sorted(scores, key=lambda name: (-sum(counted[name]), [-each for each in counted[name]], name))
    lines: list[Standing] = []
    for name in order:
        alike = [other for other in order if counted[other] == counted[name]]
        place = order.index(alike[0]) + 1
        rest = scores[name][len(counted[name]) :]
        lines.append(Standing(name, place, len(alike) > 1, sum(counted[name]), counted[name], rest))
    return tuple(lines)


def read_results(text: str, event: str) -> tuple[Result, ...]:
    """Reads CSV with a place and a name per line, separated by commas, semicolons or tabs.

    A first line without a place is a heading. Raises BadLine.
    """
    lines = text.lstrip("\ufeff").splitlines()
    parting = next((sign for sign in "\t;," if any(sign in line for line in lines)), ",")
    found: list[Result] = []
    for number, fields in enumerate(csv.reader(StringIO("\n".join(lines)), delimiter=parting), start=1):
        said = [field.strip() for field in fields]
        if not any(said):
            continue
        place = said[0].rstrip(".=°ª")
        if len(said) < 2 or not said[1] or not (place.isascii() and place.isdecimal()) or int(place) < 1:
            if number == 1:
                continue
            raise BadLine(number, parting.join(fields))
        found.append(Result(said[1], event, int(place)))
    return tuple(found)


def _worth_circuit(place: int, points: Sequence[float]) -> float:
    return points[place - 1] if place <= len(points) else 0.0
