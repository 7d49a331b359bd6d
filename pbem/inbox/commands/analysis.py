"""Analyses and hints by a robot."""

from __future__ import annotations

from pbem.analysis.models import AnalysisJob, AnalysisRequest
from pbem.analysis.service import IDEA, MOVE, ask_for_analysis, ask_for_hint
from pbem.inbox.commands.line import CommandLine, match_of, plain
from pbem.inbox.commands.match_commands import Analyse, Hint
from pbem.inbox.handling.context import CommandContext, Verbs, count
from pbem.outbox.notifications.notify import Section
from pbem.refusals import Code
from pbem.robots.engine import is_spent
from pbem.robots.studies import section_of
from pbem.wording import fold, wording

_MORE = wording(__name__).words("more")


def _read_analyse(line: CommandLine) -> Analyse | None:
    match, rest = match_of(line)
    return None if plain(rest) else Analyse(match)


def _read_hint(line: CommandLine) -> Hint | None:
    """Reads `HINT 2` (more of the same), `HINT 105` (a match), `HINT 105 2` (both)."""
    match, rest = (line.match, line.rest) if fold(plain(line.rest)) in _MORE else match_of(line)
    said = fold(plain(rest))
    if said and said not in _MORE:
        return None
    return Hint(match, MOVE if said else IDEA)


def _analyse(context: CommandContext, command: Analyse) -> None:
    match = context.seat(command.match).match
    wish, fresh = ask_for_analysis(match, context.player, now=context.now)
    if fresh:
        count("analyses", context, refusal=Code.TOO_MANY_ANALYSES)
    answer(context, wish)


def _hint(context: CommandContext, command: Hint) -> None:
    wish, _ = ask_for_hint(context.seat(command.match), command.stage, now=context.now)
    answer(context, wish)


def answer(context: CommandContext, wish: AnalysisRequest) -> None:
    """Replies with the finished study, or that it will come."""
    if wish.study.status == AnalysisJob.Status.DONE:
        context.reply(section_of(wish), match=wish.study.match)
        AnalysisRequest.objects.filter(pk=wish.pk).update(told_at=context.now)
    else:
        AnalysisRequest.objects.filter(pk=wish.pk).update(told_at=None)
        told: Section = {"kind": "analysed", "match": wish.study.match_id}
        told |= {"hint": wish.study.kind == AnalysisJob.Kind.HINT, "late": is_spent(context.now)}
        context.reply(told, match=wish.study.match)


VERBS: Verbs = {
    Analyse: (_read_analyse, _analyse),
    Hint: (_read_hint, _hint),
}
