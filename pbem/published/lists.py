"""Lists of matches: keys first, then both seats of those few, and of them what is shown.

A join of matches, seats and players would sort all of them for a page far back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from games.protocol import Side
from pbem.matches.models import Match, Seat, Turn
from pbem.players.models import Player
from pbem.published.match_page import MatchPage, hashed
from pbem.published.visible import is_indexed, shown

SHOWN = 50  # matches on a page, at most; half as many are enough where others are hidden
MOST_LOOKED_AT = 4  # times that keys are fetched for one page, where most matches are hidden
FEWEST = 12  # keys at a time: of a few matches some are hidden
WINNERS = {"first": Side.FIRST, "second": Side.SECOND, "draw": None}
# Of a hundred rows for a page: what `visible` asks of players, and what lines show.
READ = (
    "match",
    "side",
    *(f"player__{name}" for name in ("name", "robot", "site", "site_asked_at", "suspended_at")),
    *(
        f"match__{name}"
        for name in ("game_name", "rules_version", "setup", "terms", "status", "ply", "position")
    ),
    *(f"match__{name}" for name in ("winner", "reason", "started_at", "ended_at")),
)
Keys = Callable[[int | None, int], Sequence[int]]  # those before a key, at most as many, the newest first


@dataclass(frozen=True)
class Row(MatchPage):
    """A match in a list, with the position that its small board shows."""

    board: str

    @property
    def digest_of_board(self) -> str:
        return hashed((self.game_name, self.board))


@dataclass(frozen=True)
class Page:
    """Matches, and the key before which older ones begin. None when there are no older ones."""

    rows: tuple[Row, ...]
    older: int | None


def over(
    *,
    game: str = "",
    players: Sequence[Player] = (),
    result: str = "",
    before: int | None = None,
    now: datetime,
    most: int = SHOWN,
) -> Page:
    """Returns finished matches, the newest first: of a variant by its name, of all of the players, with a result
    of WINNERS.
    """

    def keys(before: int | None, most: int) -> Sequence[int]:
        if players:
            first, *others = players
            seats = Seat.objects.filter(player=first, match__status=Match.Status.OVER)
            for other in others:
                seats = seats.filter(match__in=Seat.objects.filter(player=other).values("match"))
            seats = seats.filter(match__lt=before) if before else seats
            seats = seats.filter(match__game_name=game) if game else seats
            seats = seats.filter(match__winner=WINNERS[result]) if result else seats
            return list(seats.order_by("-match_id").values_list("match_id", flat=True)[:most])
        found = Match.objects.filter(status=Match.Status.OVER)
        found = found.filter(game_name=game) if game else found
        found = found.filter(winner=WINNERS[result]) if result else found
        found = found.filter(pk__lt=before) if before else found
        return list(found.order_by("-pk").values_list("pk", flat=True)[:most])

    return _page(keys, before, now, most)


def playing(now: datetime, most: int = SHOWN, player: Player | None = None) -> tuple[Row, ...]:
    """Returns the matches that go on, as late as they are shown, the latest move first."""
    going = Match.objects.filter(status=Match.Status.PLAYING).order_by("-to_move_since", "-pk")
    going = going.filter(seats__player=player) if player else going
    keys = list(going.values_list("pk", flat=True)[: most * 3 // 2])
    return _late([row for row in _rows(keys, now) if row.plies][:most])


def of(keys: Sequence[int], now: datetime) -> tuple[Row, ...]:
    """Returns what is shown of these matches, over or not."""
    rows = [row for row in _rows(keys, now) if row.plies]
    return (*_late([row for row in rows if row.shown.live]), *(row for row in rows if not row.shown.live))


def for_search(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Returns the matches for a page that search engines keep: without names that their bearers do not want there."""
    found = []
    for row in rows:
        named = zip(row.shown.names, row._match.seated, strict=True)
        first, second = (name if is_indexed(seat.player) else "" for name, seat in named)
        found.append(replace(row, shown=replace(row.shown, names=(first, second))))
    return tuple(found)


def _late(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Returns matches that go on with the positions that are shown. One query."""
    wanted = {row.number: row.plies for row in rows}
    turns = Turn.objects.filter(match__in=wanted, undone_by=None).filter(
        ply__in={n - 1 for n in wanted.values()}
    )
    boards = {turn.match_id: turn.position for turn in turns if wanted[turn.match_id] == turn.ply + 1}
    return tuple(Row(row._match, row.shown, boards[row.number]) for row in rows if row.number in boards)


def _page(keys: Keys, before: int | None, now: datetime, most: int) -> Page:
    rows, looked_at = list[Row](), max(most, FEWEST)
    for _ in range(MOST_LOOKED_AT):
        found = keys(before, looked_at + 1)
        for row in _rows(found[:looked_at], now):
            if len(rows) == most:
                return Page(tuple(rows), before)
            rows.append(row)
            before = row.number
        if len(found) <= looked_at:
            return Page(tuple(rows), None)
        before = found[looked_at - 1] if len(rows) < most else before
        if len(rows) * 2 >= max(most, SHOWN):
            break
    return Page(tuple(rows), before)


def _rows(keys: Sequence[int], now: datetime) -> Iterator[Row]:
    """Yields what is shown of the matches, in the order of the keys. One query."""
    matches: dict[int, list[Seat]] = {}
    for seat in Seat.objects.filter(match__in=keys).select_related("match", "player").only(*READ):
        matches.setdefault(seat.match_id, []).append(seat)
    for key in filter(matches.__contains__, keys):
        match = matches[key][0].match
        match.seat(matches[key])
        if seen := shown(match, now):
            yield Row(match, seen, match.position)
