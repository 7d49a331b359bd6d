"""Eligibility for challenges, and the reliability of players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from operator import attrgetter
from statistics import median_low
from typing import NamedTuple

from django.conf import settings
from django.db.models import F, Q

from pbem.matches.models import Match, MatchQuerySet, Seat, Turn
from pbem.players.blocks import refuses
from pbem.players.models import Player
from pbem.refusals import Code, Refused


def may_challenge(challenger: Player, opponent: Player, game: str, now: datetime) -> bool:
    """Returns whether `opponent` takes a challenge of `challenger` to the game with this key now."""
    # Limits and refusals are deliberately not distinguished.
    return not refuses(opponent, challenger, game) and has_room(opponent, game)


def against_a_wish() -> MatchQuerySet:
    """Returns tournament matches, hardly begun, of a player against an opponent they refuse."""
    of_game = Q(match__game_name__startswith=F("player__refusings__game"))  # "" is of all
    seats = Seat.objects.filter(
        Q(player__refusings__blocked=True) | of_game,
        player__refusings__refused=F("match__seats__player"),
        match__tournament__isnull=False,
        match__status=Match.Status.PLAYING,
        match__ply__lt=2,
    )
    return Match.objects.filter(pk__in=seats.values("match"))


def has_room(player: Player, game: str) -> bool:
    """Returns whether the player's limits allow another match of the game with this key."""
    limits = {limit.game: limit.most for limit in player.limits.filter(game__in=("", game))}
    return all(_running(player, key) < most for key, most in limits.items())


def check_room_for_robots(player: Player) -> None:
    """Refuses C25: a player may play only so many matches with robots at a time."""
    if with_robots(player).count() >= settings.ROBOT_MATCHES:
        raise Refused(Code.TOO_MANY_ROBOTS, limit=settings.ROBOT_MATCHES)


def with_robots(player: Player) -> MatchQuerySet:
    """Returns the player's running matches with robots."""
    playing = Match.objects.of(player).filter(status=Match.Status.PLAYING)
    return playing.filter(seats__in=Seat.objects.filter(player__robot__isnull=False))


def _running(player: Player, key: str) -> int:
    """Returns the number of the player's running matches of the game; key "": all games."""
    playing = Match.objects.of(player).filter(status=Match.Status.PLAYING)
    named = Q(game_name=key) | Q(game_name__startswith=f"{key}:")
    return (playing.filter(named) if key else playing).count()


# Reliability

# Limits of what is examined.
MATCHES = 20
TURNS = 1000
NEWCOMER = 10  # fewer turns give no percentage


@dataclass(frozen=True)
class Reliability:
    """The reliability of a player in their latest matches.

    `on_time` is the percentage of turns that ended with a move rather than the clock, None for newcomers;
    `moves` counts them, `timeouts` those that the clock ended. `median_reply` is in real time, nights and
    holidays included.
    """

    on_time: int | None
    moves: int
    median_reply: timedelta | None
    last_seen: datetime | None
    timeouts: int
    program: bool = False  # declared by the player


def reliability_of(player: Player, now: datetime) -> Reliability:
    """Returns the reliability in the latest matches until `now`. Two queries."""
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
    ran_out: bool  # this player lost on time


class _Played(NamedTuple):
    match: int
    ply: int
    side: int
    at: datetime
    own: bool


def _latest(player: Player, now: datetime) -> dict[int, _Seat]:
    """Returns the latest matches with people that have begun."""
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
    """Yields the duration of each own move after an opponent's."""
    for _, of_match in groupby(sorted(turns), key=attrgetter("match")):
        for before, after in pairwise(of_match):
            if after.own and not before.own:
                yield after.at - before.at
