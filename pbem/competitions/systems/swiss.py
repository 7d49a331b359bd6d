"""Swiss system: players with equal scores meet, no two twice, and no player has two byes.

Pairs by FIDE's rules where py4swiss is installed, else by a simple algorithm.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec

from pbem.competitions.systems.settings import Settings, within
from pbem.competitions.systems.tie_breaks import SWISS, Book, ranked
from pbem.competitions.systems.values import Draw, Game, Line, Pair, StandingsInput, seeded

MOST_ROUNDS, MOST_PLAYERS = 9, 64
_STEPS = 20_000  # limit of the search, reached when nearly all players have met


@dataclass(frozen=True)
class Swiss(Settings):
    """A Swiss tournament of `length` rounds."""

    ties: tuple[str, ...] = SWISS
    length: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        within(self.length, 1, MOST_ROUNDS)

    def least(self) -> int:
        return self.length + 1

    def most(self) -> int:
        return MOST_PLAYERS

    def draw(self, seen: StandingsInput) -> Draw | None:
        if seen.begun >= self.length:
            return None
        return (_paired_by_fide(seen, self.length) if has_fide() else None) or paired(seen)

    def places(self, seen: StandingsInput) -> tuple[Line, ...]:
        return ranked(seen.listed(), seen.games, self.ties)

    def rounds(self, players: int) -> int:
        within(players, self.least(), self.most())
        return self.length


def has_fide() -> bool:
    """Returns whether the extra `swiss` is installed."""
    return find_spec("py4swiss") is not None


def _paired_by_fide(seen: StandingsInput, length: int) -> Draw | None:
    """Returns FIDE's pairing. None in a small field, or while games go on."""
    # Where half of the field meets all others, FIDE's rules may allow no last round.
    if 2 * length > len(seen.active()) or any(game.points is None for game in seen.games):
        return None
    from pbem.competitions.systems.dutch import paired_by_fide  # noqa: PLC0415 - an extra, of 10 MiB

    return paired_by_fide(seen, length)


@dataclass(frozen=True)
class _Past:
    """Past games: opponents, byes, and the balance of first and second moves."""

    games: tuple[Game, ...]

    @cached_property
    def met(self) -> Mapping[int, set[int]]:
        found: dict[int, set[int]] = defaultdict(set)
        for game in self.games:
            found[game.first].add(game.second)
            found[game.second].add(game.first)
        return found

    @cached_property
    def balance(self) -> Counter[int]:
        count: Counter[int] = Counter()
        for game in self.games:
            if not game.is_bye:
                count[game.first] += 1
                count[game.second] -= 1
        return count

    @cached_property
    def last_first(self) -> Mapping[int, int]:
        """Returns the round of each player's last game: positive when they moved first, else negative."""
        found: dict[int, int] = {}
        for game in sorted(self.games, key=lambda game: game.round):
            if not game.is_bye:
                found[game.first], found[game.second] = game.round, -game.round
        return found


def paired(seen: StandingsInput) -> Draw | None:
    """Returns the next round. None when all pairings would repeat a game."""
    past = _Past(seen.games)
    book = Book(frozenset(entrant.player for entrant in seen.entrants), seen.games)
    seeds = {entrant.player: number for number, entrant in enumerate(seeded(seen.entrants))}
    order = sorted(
        (entrant.player for entrant in seen.active()),
        key=lambda player: (-book.points[player], seeds[player]),
    )
    for free in _frees(order, past):
        rest = [player for player in order if player != free]
        if (found := _Search(past, book.points).pairs(rest)) is not None:
            sides = tuple(Pair(*_sides(one, other, past, seeds)) for one, other in found)
            return Draw(sides, (free,) if free is not None else ())
    return None


def _frees(order: Sequence[int], past: _Past) -> Sequence[int | None]:
    """Returns the candidates for a bye who had none, from the bottom; (None,) for an even number."""
    if len(order) % 2 == 0:
        return (None,)
    return [player for player in reversed(order) if player not in past.met[player]]


@dataclass
class _Search:
    """A depth-first search, which backtracks when the remaining players cannot be paired."""

    past: _Past
    points: Mapping[int, float]
    steps: int = 0

    def pairs(self, order: Sequence[int]) -> list[tuple[int, int]] | None:
        if not order:
            return []
        self.steps += 1
        if self.steps > _STEPS:
            return None
        first, *others = order
        for other in self._fitting(first, others):
            rest = self.pairs([player for player in others if player != other])
            if rest is not None:
                return [(first, other), *rest]
        return None

    def _fitting(self, player: int, others: Sequence[int]) -> list[int]:
        """Returns possible opponents by points, then by sides, then by nearness to half a bracket below."""
        free = [other for other in others if other not in self.past.met[player]]
        bracket = [other for other in free if self.points[other] == self.points[player]]
        half = len(bracket) // 2
        place = {other: number for number, other in enumerate(bracket)}
        balance = self.past.balance

        def rank(other: int) -> tuple[float, int, int]:
            alike = abs(balance[player] + balance[other])
            return (
                self.points[player] - self.points[other],
                0 if alike < 2 or balance[player] * balance[other] < 0 else alike,
                abs(place.get(other, 0) - half),
            )

        return sorted(free, key=rank)


def _sides(one: int, other: int, past: _Past, seeds: Mapping[int, int]) -> tuple[int, int]:
    """Gives the first move to the player with fewer of them, then with the older one, then by seed."""
    balance, last = past.balance, past.last_first
    if balance[one] != balance[other]:
        return (one, other) if balance[one] < balance[other] else (other, one)
    if last.get(one, 0) != last.get(other, 0):
        return (one, other) if last.get(one, 0) < last.get(other, 0) else (other, one)
    higher, lower = sorted((one, other), key=lambda player: seeds[player])
    return (higher, lower) if seeds[higher] % 2 == 0 else (lower, higher)
