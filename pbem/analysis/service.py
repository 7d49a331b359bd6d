"""Requests for analyses and hints, and their results."""

from __future__ import annotations

from datetime import datetime

from games.engine.analysis import Analysis
from pbem.analysis.models import STUDY, AnalysisJob, AnalysisRequest
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match, Seat
from pbem.players.models import Player
from pbem.queue.enqueue import enqueue_on_commit
from pbem.refusals import Code, Refused

SHORTEST = 6  # plies
Kind, Status = AnalysisJob.Kind, AnalysisJob.Status


def may_be_analysed(match: Match) -> bool:
    return match.status == Match.Status.OVER and match.ply >= SHORTEST


def ask_for_analysis(match: Match, player: Player, *, now: datetime) -> tuple[AnalysisRequest, bool]:
    """Requests an analysis. Returns the wish and whether it is new. Raises Refused: H01 (not over), H02
    (short)."""
    if match.status != Match.Status.OVER:
        raise Refused(Code.ANALYSED_AT_THE_END, match=match)
    if match.ply < SHORTEST:
        raise Refused(Code.TOO_SHORT_TO_ANALYSE, match=match)
    return wish(match, Kind.ANALYSIS, player, now=now)


def wish(
    match: Match, kind: AnalysisJob.Kind, player: Player, *, now: datetime, stage: int = 1
) -> tuple[AnalysisRequest, bool]:
    """Requests a study of the match as it stands. Returns the wish, and whether it is new.

    A failed or void study is tried again, and an analysis that another version made. The caller holds the lock on
    the match, so that a result found meanwhile is sent too.
    """
    facts = {"created_at": now, "due_at": now}
    study, fresh = AnalysisJob.objects.get_or_create(
        match=match, kind=kind, ply=match.ply, position=match.position, defaults=facts
    )
    outdated = study.status == Status.DONE and kind == Kind.ANALYSIS and found_in(study) is None
    if outdated or study.status in (Status.FAILED, Status.VOID):
        study.status, study.tries, study.due_at, study.trouble = Status.WAITING, 0, now, ""
        study.save(update_fields=["status", "tries", "due_at", "trouble"])
        fresh = True
    wanted, new = AnalysisRequest.objects.get_or_create(
        study=study, player=player, stage=stage, defaults={"asked_at": now}
    )
    if fresh:
        enqueue_on_commit(STUDY, study.pk)
    return wanted, new


def analysis_of(match: Match) -> Analysis | None:
    """Returns the analysis of the match as it ended. None when none was done."""
    if match.status != Match.Status.OVER:
        return None
    done = AnalysisJob.objects.filter(match=match, kind=Kind.ANALYSIS, status=Status.DONE)
    study = done.filter(ply=match.ply, position=match.position).first()
    return found_in(study) if study else None


def found_in(study: AnalysisJob) -> Analysis | None:
    """Returns the analysis in a study. None when it is malformed, or from another version."""
    try:
        found = Analysis.from_json(study.found)
    except (KeyError, TypeError, ValueError):
        return None
    return found if len(found.chances) == study.ply + 1 else None


# Hints: against a robot, or when both play to learn, never when they would help in another match

IDEA, MOVE = 1, 2  # stages
MOST = 3  # positions of a match, for each player


def are_agreed(match: Match) -> bool:
    """Tells whether hints are allowed: unrated, and agreed with the opponent or against a robot."""
    robot = any(seat.player.robot for seat in match.seated)
    return not match.agreed.rated and (match.agreed.learning or robot)


def ask_for_hint(seat: Seat, stage: int, *, now: datetime) -> tuple[AnalysisRequest, bool]:
    """Requests a hint. Returns the wish, and whether it is new. Raises Refused: G02, G03, G11, H04 (hints
    were not agreed), H05 (the same position in another match), H06 (the limit)."""
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
    if not hints_left(match, seat.player, besides=match.ply):
        raise Refused(Code.TOO_MANY_HINTS, match=match)
    wanted, fresh = wish(match, AnalysisJob.Kind.HINT, seat.player, now=now, stage=stage)
    if fresh:
        record_event(match, Event.Kind.HINTED, side=seat.side, now=now, stage=stage)
    return wanted, fresh


def hints_left(match: Match, player: Player | None, besides: int = -1) -> int:
    """Counts the positions for which the player can still ask for hints, not counting one at ply `besides`."""
    asked = AnalysisRequest.objects.filter(player=player, study__match=match, study__kind=Kind.HINT)
    plies = set(asked.values_list("study__ply", flat=True)) - {besides}
    return max(0, MOST - len(plies))


def stands_elsewhere(seat: Seat) -> bool:
    """Tells whether a match of theirs without hints has the same position, by the rules of repetition."""
    match = seat.match
    alike = Match.objects.of(seat.player).filter(status=Match.Status.PLAYING, game_name=match.game_name)
    others = alike.exclude(pk=match.pk).prefetch_related("seats__player")
    key = match.current().key()
    return any(not are_agreed(other) and other.current().key() == key for other in others)
