"""Which of the matches that were agreed on as rated count, and why others do not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.db.models import Count, F, Q

from pbem.matches.arbitration.adjudication import ADJUDICATED
from pbem.matches.models import Event, Match, Seat, Turn
from pbem.players.models import Address
from pbem.ratings.models import Rated

Why = Rated.Uncounted
LEAST_TURNS = 2  # of each player
MOST_OF_A_PAIR, WITHIN = 10, timedelta(days=90)
_TIME = "time"  # the reason that the record gives


def why_not(match: Match) -> str:
    """ "" where it counts. It is asked once, when the match ends: what a letter has said stays true."""
    return next((why for why, applies in _REASONS if applies(match)), "")


def _short(match: Match) -> bool:
    """So is a match to which somebody never came."""
    played = match.live_turns().order_by().values("side").annotate(turns=Count("pk"))
    return len([side for side in played if side["turns"] >= LEAST_TURNS]) < 2


def _decided(match: Match) -> bool:
    return match.reason == ADJUDICATED


def _replaced(match: Match) -> bool:
    return match.events.filter(kind=Event.Kind.REPLACED).exists()


def _with_a_robot(match: Match) -> bool:
    """It plays against anybody, and again and again."""
    return any(seat.player.robot or seat.player.program for seat in match.seated)


def _one_mailbox(match: Match) -> bool:
    one, other = (Address.objects.verified().filter(player=seat.player_id) for seat in match.seated)
    return one.filter(email__in=other.values("email")).exists()


def _often(match: Match) -> bool:
    assert match.ended_at
    lately = Rated.objects.filter(uncounted="", at__gt=match.ended_at - WITHIN, at__lte=match.ended_at)
    for seat in match.seated:
        lately = lately.filter(match__seats__player=seat.player_id)
    return len(lately.exclude(match=match).values_list("pk")[:MOST_OF_A_PAIR]) >= MOST_OF_A_PAIR


def _in_a_series(match: Match) -> bool:
    """A player who lets all matches run out loses one of them: they have moved nowhere since the last time."""
    if match.reason != _TIME or match.winner is None:
        return False
    sleeper = match.seated[1 - match.winner].player_id
    before = Rated.objects.filter(
        match__reason=_TIME,
        match__seats__player=sleeper,
        match__seats__side=1 - F("match__winner"),
        at__lte=match.ended_at,
    )
    last = before.exclude(match=match).order_by("-at").values_list("at", flat=True).first()
    if last is None:
        return False
    since = Q(match__ended_at=None) | Q(match__ended_at__gte=last)
    seats = Seat.objects.filter(since, player=sleeper, match__ply__gt=0)
    played = Turn.objects.filter(match__seats__in=seats, side=F("match__seats__side"), how="")
    return not played.filter(played_at__gt=last).exists()


# In the order in which they are told: the first that applies.
_REASONS: tuple[tuple[Why, Callable[[Match], bool]], ...] = (
    (Why.SHORT, _short),
    (Why.DECIDED, _decided),
    (Why.REPLACED, _replaced),
    (Why.ROBOT, _with_a_robot),
    (Why.MAILBOX, _one_mailbox),
    (Why.SERIES, _in_a_series),
    (Why.OFTEN, _often),
)
