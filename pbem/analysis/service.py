"""Asking a robot to look into a match, and what it has found of one."""

from __future__ import annotations

from datetime import datetime

from games.robots.analysis import Analysis
from pbem.analysis.models import STUDY, Study, Wish
from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.queue.enqueue import enqueue_on_commit
from pbem.refusals import Code, Refused

SHORTEST = 6  # plies: less is no game
Kind, Status = Study.Kind, Study.Status


def may_be_analysed(match: Match) -> bool:
    return match.status == Match.Status.OVER and match.ply >= SHORTEST


def ask_for_analysis(match: Match, player: Player, *, now: datetime) -> tuple[Wish, bool]:
    """And whether they ask for the first time. Refuses H01 (a match that is not over), H02 (one that is too short)."""
    if match.status != Match.Status.OVER:
        raise Refused(Code.ANALYSED_AT_THE_END, match=match)
    if match.ply < SHORTEST:
        raise Refused(Code.TOO_SHORT_TO_ANALYSE, match=match)
    return wish(match, Kind.ANALYSIS, player, now=now)


def wish(
    match: Match, kind: Study.Kind, player: Player, *, now: datetime, stage: int = 1
) -> tuple[Wish, bool]:
    """Of the match as it stands, and whether the player asks for the first time. What has failed or was void before
    is tried anew. The match is locked: what is found meanwhile is told to them too."""
    facts = {"created_at": now, "due_at": now}
    study, fresh = Study.objects.get_or_create(
        match=match, kind=kind, ply=match.ply, position=match.position, defaults=facts
    )
    if study.status in (Status.FAILED, Status.VOID):
        study.status, study.tries, study.due_at, study.trouble = Status.WAITING, 0, now, ""
        study.save(update_fields=["status", "tries", "due_at", "trouble"])
        fresh = True
    wanted, new = Wish.objects.get_or_create(
        study=study, player=player, stage=stage, defaults={"asked_at": now}
    )
    if fresh:
        enqueue_on_commit(STUDY, study.pk)
    return wanted, new


def analysis_of(match: Match) -> Analysis | None:
    """What was found of the match as it ended; None if nobody has asked."""
    if match.status != Match.Status.OVER:
        return None
    done = Study.objects.filter(match=match, kind=Kind.ANALYSIS, status=Status.DONE)
    study = done.filter(ply=match.ply, position=match.position).first()
    return found_in(study) if study else None


def found_in(study: Study) -> Analysis | None:
    """None where what was found makes no sense, or is of another version of ours."""
    try:
        found = Analysis.from_json(study.found)
    except (KeyError, TypeError, ValueError):
        return None
    return found if len(found.chances) == study.ply + 1 else None
