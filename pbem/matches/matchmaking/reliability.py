"""What others may know of a player before they play them: whether they move, how soon, and when they were last seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from operator import attrgetter
from statistics import median_low
from typing import NamedTuple

from pbem.matches.models import Match, Seat, Turn
from pbem.players.models import Player

# What is looked at: enough to tell, and never more, however long they have played here.
MATCHES = 20
TURNS = 1000
NEWCOMER = 10  # anyone who has made fewer moves is not judged by them


@dataclass(frozen=True)
class Reliability:
    """Of their latest matches: `on_time`, in per cent, is the share of their turns that ended with a move and not
    with the clock, None for a newcomer; `moves` how many those were, `timeouts` how often the clock ended one.

    `median_reply` is from the opponent's move to their own by everybody's clock, nights and holidays included.
    """

    on_time: int | None
    moves: int
    median_reply: timedelta | None
    last_seen: datetime | None
    timeouts: int
    program: bool = False  # plays for them, as they say


def reliability_of(player: Player, now: datetime) -> Reliability:
    """Two queries, over the turns of their latest matches until `now`."""
    matches = _latest(player, now)
    live = Turn.objects.filter(match__in=matches, undone_by__isnull=True, played_at__lte=now)
    latest = live.order_by("-pk").values_list("match", "ply", "side", "played_at")[:TURNS]
    turns = [_Played(*row, own=row[2] == matches[row[0]].side) for row in latest]
    moves, timeouts = sum(turn.own for turn in turns), sum(seat.ran_out for seat in matches.values())
    judged, replies = moves + timeouts, list(_replies(turns))
    return Reliability(
        on_time=100 * moves // judged if judged >= NEWCOMER else None,
        moves=moves,
        median_reply=median_low(replies) if replies else None,
        last_seen=max((turn.at for turn in turns if turn.own), default=None),
        timeouts=timeouts,
        program=player.program,
    )


class _Seat(NamedTuple):
    side: int
    ran_out: bool  # whether it was this player's time that ended the match


class _Played(NamedTuple):
    match: int
    ply: int
    side: int
    at: datetime
    own: bool


def _latest(player: Player, now: datetime) -> dict[int, _Seat]:
    """Their latest matches with people that have begun; among so many that they are challenged to there are some."""
    facts = ("match", "side", "match__started_at", "match__status", "match__reason", "match__winner")
    with_robots = Seat.objects.filter(player__robot__isnull=False).values("match")
    seats = Seat.objects.filter(player=player).exclude(match__in=with_robots)
    rows = seats.order_by("-match_id").values_list(*facts)[: 3 * MATCHES]
    begun = [row for row in rows if row[2] is not None and row[2] <= now][:MATCHES]
    return {
        match: _Seat(side, status == Match.Status.OVER and reason == "time" and winner == 1 - side)
        for match, side, _, status, reason, winner in begun
    }


def _replies(turns: Iterable[_Played]) -> Iterator[timedelta]:
    """How long each of their moves took that answers another in the same match."""
    for _, of_match in groupby(sorted(turns), key=attrgetter("match")):
        for before, after in pairwise(of_match):
            if after.own and not before.own:
                yield after.at - before.at
