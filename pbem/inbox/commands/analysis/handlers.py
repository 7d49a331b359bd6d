"""Handlers for analyses and hints."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.analysis.models import AnalysisJob, AnalysisRequest
from pbem.analysis.service import ask_for_analysis, ask_for_hint
from pbem.inbox.commands.analysis.grammar import Analyse, Hint
from pbem.inbox.commands.command import Command
from pbem.inbox.handling.context import CommandContext, Handler, count
from pbem.outbox.notifications.notify import Section
from pbem.refusals import Code
from pbem.robots.engine import is_spent
from pbem.robots.studies import section_of


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


HANDLERS: Mapping[type[Command], Handler] = {Analyse: _analyse, Hint: _hint}
