"""Handlers for puzzles."""

from __future__ import annotations

from collections.abc import Mapping

from games.registry import games
from pbem.analysis import puzzles
from pbem.analysis.models import Attempt, PuzzleWish
from pbem.inbox.commands import Command
from pbem.inbox.commands.puzzles.grammar import GetPuzzle, Puzzles, Solve, Subscribe, Unsubscribe
from pbem.inbox.handling.context import CommandContext, Handler
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
    section = {"kind": "puzzle", "attempt": attempt.pk, "step": attempt.step, "asked": asked, **said}
    context.reply(section | {"streak": puzzles.streak(context.player)})


def _puzzles(context: CommandContext, command: Puzzles) -> None:
    if command.gives is None:
        _tell(context, PuzzleWish.objects.filter(player=context.player).first())
    else:
        _tell(context, puzzles.let(context.player, command.gives))


def _subscribe(context: CommandContext, command: Subscribe) -> None:
    _tell(context, puzzles.subscribe(context.player, command.game, now=context.now))


def _unsubscribe(context: CommandContext, command: Unsubscribe) -> None:
    _tell(context, puzzles.unsubscribe(context.player))


def _tell(context: CommandContext, wish: PuzzleWish | None) -> None:
    wish = wish or PuzzleWish()
    game = games().get(wish.game_name)
    title = game.phrases(context.player.language)["name"] if game else ""
    weekly = wish.next_at is not None
    context.reply({"kind": "puzzles", "weekly": weekly, "title": title, "gives": wish.gives})


HANDLERS: Mapping[type[Command], Handler] = {
    GetPuzzle: _puzzle,
    Solve: _solve,
    Puzzles: _puzzles,
    Subscribe: _subscribe,
    Unsubscribe: _unsubscribe,
}
