"""Hints: in matches that both play to learn, or against a robot, and never where they would help in another match."""

from __future__ import annotations

from datetime import datetime

from pbem.analysis.models import Study, Wish
from pbem.analysis.service import wish
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match, Seat
from pbem.refusals import Code, Refused

IDEA, MOVE = 1, 2  # stages
MOST = 3  # positions of a match, for each player


def are_agreed(match: Match) -> bool:
    """Nobody's rating hangs on it, and the opponent has agreed, or is a robot."""
    robot = any(seat.player.robot for seat in match.seated)
    return not match.agreed.rated and (match.agreed.learning or robot)


def ask_for_hint(seat: Seat, stage: int, *, now: datetime) -> tuple[Wish, bool]:
    """And whether they ask for the first time. Refuses G02, G03, G11, H04 (hints were not agreed), H05 (another match
    of theirs stands alike), H06 (they have had as many as there are)."""
    match = seat.match
    if match.status == Match.Status.PROPOSED:
        raise Refused(Code.NOT_BEGUN, match=match)
    if match.status != Match.Status.PLAYING:
        raise Refused(Code.MATCH_OVER, match=match)
    if not are_agreed(match):
        raise Refused(Code.NO_HINTS, match=match)
    if not seat.is_to_move:
        raise Refused(Code.NOT_YOUR_TURN, match=match)
    if stands_elsewhere(seat):
        raise Refused(Code.HINT_FOR_ANOTHER, match=match)
    asked = Wish.objects.filter(player=seat.player, study__match=match, study__kind=Study.Kind.HINT)
    plies = set(asked.values_list("study__ply", flat=True)) - {match.ply}
    if len(plies) >= MOST:
        raise Refused(Code.TOO_MANY_HINTS, match=match)
    wanted, fresh = wish(match, Study.Kind.HINT, seat.player, now=now, stage=stage)
    if fresh:
        record_event(match, Event.Kind.HINTED, side=seat.side, now=now, stage=stage)
    return wanted, fresh


def stands_elsewhere(seat: Seat) -> bool:
    """Whether a match of theirs without hints stands in the same position, by the rules of repetition."""
    match = seat.match
    alike = Match.objects.of(seat.player).filter(status=Match.Status.PLAYING, game_name=match.game_name)
    others = alike.exclude(pk=match.pk).prefetch_related("seats__player")
    key = match.current().key()
    return any(not are_agreed(other) and other.current().key() == key for other in others)
