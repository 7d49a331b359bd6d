"""Knockout: two matches with sides changed; then the shorter win, a second pair, and the seed decide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import zip_longest

from pbem.competitions.systems.settings import Settings, within
from pbem.competitions.systems.values import DRAWN, LOST, Draw, Game, Line, Pair, StandingsInput, seeded

_NOBODY = 0


class By(StrEnum):
    """What decides a duel."""

    POINTS = "points"
    QUICKER = "quicker"
    SEED = "seed"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class Duel:
    """A duel in the bracket: `players`, the better seed first, 0 for one not known yet; one alone has a bye.

    `points` are theirs, none before a game is over; `winner` is 0 while it goes on. The winners of those `below` meet.
    """

    players: tuple[int, ...] = ()
    points: tuple[float, ...] = ()
    winner: int = _NOBODY
    by: By = By.POINTS
    below: tuple[Duel, ...] = ()


@dataclass(frozen=True)
class Knockout(Settings):
    """A round is a pair of matches for each remaining duel, or a second pair for those that are level."""

    ties: tuple[str, ...] = ()

    def draw(self, seen: StandingsInput) -> Draw | None:
        bracket = _Bracket(seen)
        if again := bracket.level():
            return Draw(tuple(pair for one, other in again for pair in _both(one, other)))
        left = bracket.left()
        if len(left) < 2:
            return None
        duels = _duels(left)
        return Draw(tuple(pair for one, other in duels for pair in _both(one, other)))

    def places(self, seen: StandingsInput) -> tuple[Line, ...]:
        """Returns the winner, then the others by the stage they reached."""
        bracket = _Bracket(seen)
        reached: dict[int, list[int]] = defaultdict(list)
        left = set(bracket.left())
        for entrant in seeded(seen.entrants):
            lost_in = bracket.lost_in.get(entrant.player, bracket.stages if entrant.player in left else 0)
            reached[lost_in].append(entrant.player)
        points = {
            entrant.player: sum(game.points_of(entrant.player) or LOST for game in seen.games)
            for entrant in seen.entrants
        }
        lines: list[Line] = []
        for stage in sorted(reached, reverse=True):
            place, tied = len(lines) + 1, len(reached[stage]) > 1
            lines += [Line(player, place, tied, points[player]) for player in sorted(reached[stage])]
        return tuple(lines)

    def bracket(self, seen: StandingsInput) -> list[list[tuple[Duel, int]]]:
        """Returns the bracket by lines: the duels that begin in each, stage by stage, with their heights in lines."""
        return _Bracket(seen).lines()

    def rounds(self, players: int) -> int:
        within(players, self.least(), self.most())
        return (players - 1).bit_length()


def _both(one: int, other: int) -> tuple[Pair, Pair]:
    return Pair(one, other), Pair(other, one)


class _Bracket:
    """The duels by stage, read from the games in order; a replay belongs to the stage of its duel."""

    def __init__(self, seen: StandingsInput) -> None:
        self.seeds = {entrant.player: n for n, entrant in enumerate(seeded(seen.entrants), start=1)}
        self.active = {entrant.player for entrant in seen.active()}
        self.duels: dict[frozenset[int], list[Game]] = defaultdict(list)
        self.first_round: dict[frozenset[int], int] = {}
        self.last: dict[int, frozenset[int]] = {}
        for game in sorted(seen.games, key=lambda game: game.round):
            duel = frozenset((game.first, game.second))
            self.duels[duel].append(game)
            self.first_round.setdefault(duel, game.round)
            self.last |= dict.fromkeys(duel, duel)
        starts = sorted(set(self.first_round.values()))
        self.stages = len(starts) + 1
        self.lost_in: dict[int, int] = {}
        for duel, games in self.duels.items():
            if (winner := self.winner(duel, games)) != _NOBODY:
                (loser,) = duel - {winner}
                self.lost_in[loser] = starts.index(self.first_round[duel]) + 1

    def winner(self, duel: frozenset[int], games: Sequence[Game]) -> int:
        """Returns the winner of the duel; 0 while it goes on, and when a first pair is level."""
        one, other = sorted(duel, key=lambda player: self.seeds[player])
        # A player who withdraws loses the last duel alone: those they have beaten do not come back.
        gone = [player for player in (one, other) if player not in self.active and self.last[player] == duel]
        if gone:
            return other if gone == [one] else one
        if any(game.points is None for game in games):
            return _NOBODY
        if decided := ahead(games, one, other):
            return decided
        return one if len({game.round for game in games}) > 1 else _NOBODY

    def level(self) -> list[tuple[int, int]]:
        """Returns the duels that need a second pair."""
        found = (
            tuple(sorted(duel, key=lambda player: self.seeds[player]))
            for duel, games in self.duels.items()
            if self.winner(duel, games) == _NOBODY and all(game.points is not None for game in games)
        )
        return sorted(((one, other) for one, other in found), key=lambda pair: self.seeds[pair[0]])

    def left(self) -> list[int]:
        """Returns the remaining players by seed; winners inherit the better seed of their duels."""
        best = dict(self.seeds)
        for duel in sorted(self.duels, key=lambda duel: self.first_round[duel]):
            winner = self.winner(duel, self.duels[duel])
            if winner != _NOBODY:
                best[winner] = min(best[player] for player in duel)
        still = [player for player in self.seeds if player in self.active and player not in self.lost_in]
        return sorted(still, key=lambda player: best[player])

    def lines(self) -> list[list[tuple[Duel, int]]]:
        """Returns the lines of the bracket, also of what is not drawn yet. Empty before the first draw."""
        columns = self.columns()
        depth, duels = len(columns) - 1, list[Duel]()
        for column in columns:
            above: list[Duel] = []
            for duel in column:
                below = [each for each in duels if {*each.players} & {*duel.players}]
                duels = [each for each in duels if each not in below]
                above.append(replace(duel, below=tuple(below)))
            duels = above + [Duel(below=(each,)) for each in duels]  # without a winner who goes on
        while len(duels) > 1:
            half, depth = (len(duels) + 1) // 2, depth + 1
            pairs = zip_longest(duels[:half], reversed(duels[half:]))
            met = [tuple(each for each in pair if each) for pair in pairs]
            duels = [Duel(tuple(map(self._goes_on, both)), below=both) for both in met]
        return _lines(duels[0], depth) if duels else []

    def columns(self) -> list[list[Duel]]:
        """Returns the duels and byes of each stage that is drawn, in the order in which the draw ranks them."""
        best, found = dict(self.seeds), list[list[Duel]]()
        for start in sorted(set(self.first_round.values())):
            duels = [duel for duel, first in self.first_round.items() if first == start]
            later = {player for player, duel in self.last.items() if self.first_round[duel] > start}
            free = (later | {*self.left()}).difference(*duels)
            column = [*map(self._told, duels), *(Duel((player,), winner=player) for player in free)]
            for each in column:
                best[each.winner] = min(best[player] for player in each.players)
            found.append(sorted(column, key=lambda each: min(best[player] for player in each.players)))
        return found

    def _told(self, duel: frozenset[int]) -> Duel:
        games, players = self.duels[duel], tuple(sorted(duel, key=lambda player: self.seeds[player]))
        over = [game for game in games if game.points is not None]
        points = tuple(sum(game.points_of(player) or LOST for game in over) for player in players)
        winner, by = self.winner(duel, games), By.POINTS
        if winner != _NOBODY and points[players.index(winner)] <= min(points):
            quicker = By.QUICKER if ahead(over, *players) == winner else By.SEED
            by = quicker if {*players} <= self.active else By.WITHDRAWN
        return Duel(players, points if over else (), winner, by)

    def _goes_on(self, duel: Duel) -> int:
        return duel.winner if duel.winner in self.active else _NOBODY


def _lines(duel: Duel, depth: int) -> list[list[tuple[Duel, int]]]:
    lines = [line for below in duel.below for line in _lines(below, depth - 1)] or [[(Duel(), 1)] * depth]
    return [[*lines[0], (duel, len(lines))], *lines[1:]]


def ahead(games: Iterable[Game], one: int, other: int) -> int:
    """Returns the player with more points, then with the shortest win; 0 when equal."""
    points: Mapping[int, float] = {
        player: sum(game.points_of(player) or LOST for game in games) for player in (one, other)
    }
    if points[one] != points[other]:
        return one if points[one] > points[other] else other
    shortest = {
        player: min((game.plies for game in games if (game.points_of(player) or LOST) > DRAWN), default=None)
        for player in (one, other)
    }
    quick, slow = shortest[one], shortest[other]
    if quick is None or slow is None or quick == slow:
        return _NOBODY
    return one if quick < slow else other


def _duels(left: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs the best with the last. In the first round the best seeds fill up to a power of two by byes."""
    power = 1 << (len(left) - 1).bit_length()
    free = power - len(left)
    playing = left[free:]
    half = len(playing) // 2
    return list(zip(playing[:half], reversed(playing[half:]), strict=True))
