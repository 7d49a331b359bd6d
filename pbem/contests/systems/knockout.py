"""Knockout: two matches with the sides changed; who is ahead goes on. Level, the quicker win counts, then they meet
again, and after that the higher seed goes on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbem.contests.systems.settings import Settings, within
from pbem.contests.systems.values import DRAWN, LOST, Draw, Game, Line, Pair, Seen, seeded

_NOBODY = 0


@dataclass(frozen=True)
class Knockout(Settings):
    """A round is one pair of matches of all who are left, and a second one of those who stand level."""

    ties: tuple[str, ...] = ()

    def draw(self, seen: Seen) -> Draw | None:
        bracket = _Bracket(seen)
        if again := bracket.level():
            return Draw(tuple(pair for one, other in again for pair in _both(one, other)))
        left = bracket.left()
        if len(left) < 2:
            return None
        duels = _duels(left)
        return Draw(tuple(pair for one, other in duels for pair in _both(one, other)))

    def places(self, seen: Seen) -> tuple[Line, ...]:
        """The winner, then all others by how far they came."""
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

    def rounds(self, players: int) -> int:
        within(players, self.least(), self.most())
        return (players - 1).bit_length()


def _both(one: int, other: int) -> tuple[Pair, Pair]:
    return Pair(one, other), Pair(other, one)


class _Bracket:
    """Who has met in which stage, read from the games in the order of rounds; a replay belongs to its duel's stage."""

    def __init__(self, seen: Seen) -> None:
        self.seeds = {entrant.player: n for n, entrant in enumerate(seeded(seen.entrants), start=1)}
        self.active = {entrant.player for entrant in seen.active()}
        self.duels: dict[frozenset[int], list[Game]] = defaultdict(list)
        self.first_round: dict[frozenset[int], int] = {}
        for game in sorted(seen.games, key=lambda game: game.round):
            duel = frozenset((game.first, game.second))
            self.duels[duel].append(game)
            self.first_round.setdefault(duel, game.round)
        starts = sorted(set(self.first_round.values()))
        self.stages = len(starts) + 1
        self.lost_in: dict[int, int] = {}
        for duel, games in self.duels.items():
            if (winner := self.winner(duel, games)) != _NOBODY:
                (loser,) = duel - {winner}
                self.lost_in[loser] = starts.index(self.first_round[duel]) + 1

    def winner(self, duel: frozenset[int], games: Sequence[Game]) -> int:
        """0 while it goes on, and after a first pair that left them level."""
        one, other = sorted(duel, key=lambda player: self.seeds[player])
        gone = [player for player in (one, other) if player not in self.active]
        if gone:
            return other if gone == [one] else one
        if any(game.points is None for game in games):
            return _NOBODY
        if decided := ahead(games, one, other):
            return decided
        return one if len({game.round for game in games}) > 1 else _NOBODY

    def level(self) -> list[tuple[int, int]]:
        """Who has to meet again."""
        found = (
            tuple(sorted(duel, key=lambda player: self.seeds[player]))
            for duel, games in self.duels.items()
            if self.winner(duel, games) == _NOBODY and all(game.points is not None for game in games)
        )
        return sorted(((one, other) for one, other in found), key=lambda pair: self.seeds[pair[0]])

    def left(self) -> list[int]:
        """Best seed first: each takes over the seed of the better of the two."""
        best = dict(self.seeds)
        for duel in sorted(self.duels, key=lambda duel: self.first_round[duel]):
            winner = self.winner(duel, self.duels[duel])
            if winner != _NOBODY:
                best[winner] = min(best[player] for player in duel)
        still = [player for player in self.seeds if player in self.active and player not in self.lost_in]
        return sorted(still, key=lambda player: best[player])


def ahead(games: Iterable[Game], one: int, other: int) -> int:
    """By points, then by the fewer half-moves of the wins; 0 where neither is."""
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
    """The best against the last. At first as many as are missing to a power of two are free: the best seeds."""
    power = 1 << (len(left) - 1).bit_length()
    free = power - len(left)
    playing = left[free:]
    half = len(playing) // 2
    return list(zip(playing[:half], reversed(playing[half:]), strict=True))
