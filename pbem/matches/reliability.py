"""What others may know of a player before they play him: whether he moves, how soon, and when he was last seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from operator import attrgetter
from statistics import median_low

from pbem.matches.models import Match, Seat, Turn
from pbem.players.models import Player

# What is looked at: enough to tell, and never more, however long he has played here.
MATCHES = 20
TURNS = 1000
NEWCOMER = 10  # whoever has made fewer moves is not judged by them


@dataclass(frozen=True)
class Reliability:
    """Of his latest matches: `on_time`, in per cent, is the share of his turns that ended with a move and not
    with the clock, None for a newcomer; `moves` how many those were, `timeouts` how often the clock ended one.

    `median_reply` is from the opponent's move to his own by everybody's clock, nights and holidays included.
    """

    on_time: int | None
    moves: int
    median_reply: timedelta | None
    last_seen: datetime | None
    timeouts: int

    def reaches(self, percent: int | None) -> bool:
        """Whether he is as reliable as somebody wants; newcomers pass."""
        return percent is None or self.on_time is None or self.on_time >= percent


def reliability_of(player: Player, now: datetime) -> Reliability:
    """Two queries, over the turns of his latest matches until `now`."""
    seats = Seat.objects.filter(player=player, match__started_at__lte=now).select_related("match")
    sides = {seat.match_id: seat for seat in seats.order_by("-match")[:MATCHES]}
    turns = Turn.objects.filter(match__in=sides, undone_by__isnull=True, played_at__lte=now).order_by("-pk")
    latest = list(turns.only("match", "ply", "side", "played_at")[:TURNS])
    own = [turn for turn in latest if turn.side == sides[turn.match_id].side]
    timeouts = sum(map(_ran_out, sides.values()))
    judged = len(own) + timeouts
    return Reliability(
        on_time=100 * len(own) // judged if judged >= NEWCOMER else None,
        moves=len(own),
        median_reply=median_low(replies) if (replies := list(_replies(latest, own))) else None,
        last_seen=max((turn.played_at for turn in own), default=None),
        timeouts=timeouts,
    )


def _ran_out(seat: Seat) -> bool:
    """Whether it was this player's time that ended the match."""
    match = seat.match
    return match.status == Match.Status.OVER and match.reason == "time" and match.winner == 1 - seat.side


def _replies(turns: Iterable[Turn], own: Iterable[Turn]) -> Iterator[timedelta]:
    """How long each of his moves took that answers another in the same match."""
    ours = {turn.pk for turn in own}
    in_order = sorted(turns, key=attrgetter("match_id", "ply"))
    for _, of_match in groupby(in_order, key=attrgetter("match_id")):
        for before, after in pairwise(of_match):
            if after.pk in ours and before.pk not in ours:
                yield after.played_at - before.played_at
