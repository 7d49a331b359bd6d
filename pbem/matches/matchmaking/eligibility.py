"""Who may challenge whom: what a player has said about others, and how many matches are enough for them."""

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
    """Whether `opponent` takes a challenge of `challenger` to the game with this key at present.

    Why not is nobody's business: a limit that is reached and a refusal look the same.
    """
    return not refuses(opponent, challenger, game) and has_room(opponent, game)


def against_a_wish() -> MatchQuerySet:
    """What has hardly begun in a tournament between a player and somebody whose challenges they refuse."""
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
    """Whether the player's own limits leave room for one more match of the game with this key."""
    limits = {limit.game: limit.most for limit in player.limits.filter(game__in=("", game))}
    return all(_running(player, key) < most for key, most in limits.items())


def check_room_for_robots(player: Player) -> None:
    """Refuses C25: a robot is never tired, and others want to play with it, too."""
    if with_robots(player).count() >= settings.ROBOT_MATCHES:
        raise Refused(Code.TOO_MANY_ROBOTS, limit=settings.ROBOT_MATCHES)


def with_robots(player: Player) -> MatchQuerySet:
    """The matches that they play with robots at present."""
    playing = Match.objects.of(player).filter(status=Match.Status.PLAYING)
    return playing.filter(seats__in=Seat.objects.filter(player__robot__isnull=False))


def _running(player: Player, key: str) -> int:
    """How many matches of the game they are playing; key "": of all games."""
    playing = Match.objects.of(player).filter(status=Match.Status.PLAYING)
    named = Q(game_name=key) | Q(game_name__startswith=f"{key}:")
    return (playing.filter(named) if key else playing).count()


# What others may know of a player before they play them: whether they move, how soon, and when they
# were last seen.

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
