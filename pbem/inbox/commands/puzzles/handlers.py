"""Handlers for puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pbem.analysis import puzzles
from pbem.analysis.models import Attempt, PuzzleWish
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.puzzles.grammar import GetPuzzle, Puzzles, Solve
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.outbox.notifications.notify import Section
from pbem.refusals import Code, Refused


def _puzzle(context: CommandContext, command: GetPuzzle) -> None:
    attempt = puzzles.give(context.player, command.game, now=context.now)
    context.reply({"kind": "puzzle", "attempt": attempt.pk, "step": attempt.step})


def _solve(context: CommandContext, command: Solve) -> None:
    open_ones = Attempt.objects.filter(player=context.player, status=Attempt.Status.OPEN)
    attempt = open_ones.select_for_update(of=("self",)).last()
    if attempt is None:
        raise Refused(Code.NO_OPEN_PUZZLE)
    asked = attempt.step
    said = puzzles.solve(attempt, command.text, now=context.now)
    section: Section = {"kind": "puzzle", "attempt": attempt.pk, "step": attempt.step, "asked": asked}
    context.reply(section | cast(Section, said) | {"streak": puzzles.streak(context.player)})


def _puzzles(context: CommandContext, command: Puzzles) -> None:
    if command.gives is None:
        wish = PuzzleWish.objects.filter(player=context.player).first() or PuzzleWish()
    else:
        wish = puzzles.let(context.player, command.gives)
    context.reply({"kind": "puzzles", "gives": wish.gives})


HANDLERS: Mapping[type[Command], Handler] = {
    GetPuzzle: _puzzle,
    Solve: _solve,
    Puzzles: _puzzles,
}
