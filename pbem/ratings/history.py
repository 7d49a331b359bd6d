"""Computes a game's ratings from its rated matches, in order. Reads rows and writes none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from pbem.matches.models import Seat
from pbem.ratings import glicko
from pbem.ratings.glicko import Strength
from pbem.ratings.models import RatedGame, Rating

PERIOD = timedelta(days=30)
LEAST_ELSEWHERE = 200.0  # least deviation of a player with a rating in another variant
Moment = tuple[datetime, int]  # the end of a match and its number: the order of history


@dataclass(frozen=True)
class Known:
    """A player's rating in a pool, after the rated matches so far."""

    strength: Strength
    matches: int
    at: datetime

    def aged(self, now: datetime) -> Strength:
        return glicko.aged(self.strength, self.periods(now))

    def periods(self, now: datetime) -> float:
        return max((now - self.at) / PERIOD, 0.0)


Pools = dict[str, Known]  # one player's ratings in a game, by pool
Book = dict[int, Pools]  # by player


@dataclass(frozen=True)
class Entry:
    """A rated match with the players of the first and the second seat."""

    row: RatedGame
    players: tuple[int, int]
    winner: int | None

    @property
    def moment(self) -> Moment:
        return self.row.at, self.row.match_id


def in_game(key: str) -> Q:
    """Selects rows of all pools of the game."""
    return Q(pool=key) | Q(pool__startswith=f"{key}:")


def known_of(rating: Rating) -> Known:
    return Known(rating.strength, rating.matches, rating.at)


def begins_with(pools: Mapping[str, Known], now: datetime) -> Strength:
    """Returns the rating before a first match in a pool: the surest of the game, with more deviation."""
    elsewhere = [pools[pool].aged(now) for pool in sorted(pools)]
    if not elsewhere:
        return Strength()
    best = min(elsewhere, key=lambda strength: strength.deviation)
    return replace(best, deviation=max(best.deviation, LEAST_ELSEWHERE))


def strength_in(pools: Mapping[str, Known], pool: str, now: datetime) -> Strength:
    """Returns the player's rating in the pool at `now`, else the one that a first match would assume."""
    return pools[pool].aged(now) if pool in pools else begins_with(pools, now)


def entries(rows: QuerySet[RatedGame]) -> list[Entry]:
    """Returns the rated matches in the order of history. Two queries."""
    found = list(rows.order_by("at", "match_id").select_related("match"))
    seats = Seat.objects.filter(match__rated__in=rows).values_list("match", "side", "player")
    seated = {(match, side): player for match, side, player in seats}
    return [Entry(row, (seated[row.match_id, 0], seated[row.match_id, 1]), row.match.winner) for row in found]


def play(book: Book, entry: Entry) -> tuple[list[list[float]], list[list[float]]]:
    """Rates the match in the book. Returns the values before and after, by side; empty when uncounted."""
    row, now = entry.row, entry.row.at
    if row.uncounted:
        return [], []
    known = [book.setdefault(player, {}) for player in entry.players]
    own = [pools.get(row.pool) or Known(begins_with(pools, now), 0, now) for pools in known]
    after: list[Strength] = []
    for side, each in enumerate(own):
        score = 0.5 if entry.winner is None else float(entry.winner == side)
        after.append(glicko.update(each.strength, [(own[1 - side].aged(now), score)], each.periods(now)))
    for pools, each, strength in zip(known, own, after, strict=True):
        pools[row.pool] = Known(strength, each.matches + 1, now)
    return [_plain(each.strength) for each in own], [_plain(strength) for strength in after]


def skip(book: Book, entry: Entry) -> None:
    """Updates the book with the result that the row holds."""
    row = entry.row
    for player, strength in zip(entry.players, row.after, strict=False):
        pools = book.setdefault(player, {})
        before = pools[row.pool].matches if row.pool in pools else 0
        pools[row.pool] = Known(Strength(*strength), before + 1, row.at)


def replay(history: Iterable[Entry], book: Book, since: Moment | None = None) -> Iterator[RatedGame]:
    """Brings the book to the end of history. Yields the rows with changed values."""
    for entry in history:
        if since is not None and entry.moment < since:
            skip(book, entry)
            continue
        row = entry.row
        before, after = play(book, entry)
        if (row.before, row.after) != (before, after):
            row.before, row.after = before, after
            yield row


def _plain(strength: Strength) -> list[float]:
    return list(astuple(strength))
