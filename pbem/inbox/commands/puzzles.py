"""Puzzles: requests, solutions, consent."""

from __future__ import annotations

from typing import cast

from pbem.analysis import puzzles
from pbem.analysis.models import Attempt, PuzzleWish
from pbem.inbox.commands.line import CommandLine, game_of, key_of, plain
from pbem.inbox.commands.match_commands import GetPuzzle, Puzzles, Solve
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.outbox.notifications.notify import Section
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

_WORDS = wording(__name__)
_YES, _NO = _WORDS.words("yes"), _WORDS.words("no")
_LONGEST = 60  # characters of a move


def _read_puzzle(line: CommandLine) -> GetPuzzle | None:
    if line.match is not None:
        return None
    game = _game(line.words)
    return None if game is None else GetPuzzle(game)


def _read_solve(line: CommandLine) -> Solve | None:
    text = plain(line.rest)
    fits = text and len(text) <= _LONGEST and line.match is None
    return Solve(text) if fits and (line.clear or line.is_move(text, None)) else None


def _read_puzzles(line: CommandLine) -> Puzzles | None:
    said = fold(plain(line.rest))
    if line.match is not None:
        return None
    if not said:
        return Puzzles() if line.clear or line.own is None else None
    return Puzzles(said in _YES) if said in _YES or said in _NO else None


def _game(words: list[str]) -> str | None:
    """Returns the key of the game that the words name; "" for no words, None for other words."""
    if not words:
        return ""
    found = game_of(words)
    return key_of(found) if found else None


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


VERBS: Verbs = {
    GetPuzzle: (_read_puzzle, _puzzle),
    Solve: (_read_solve, _solve),
    Puzzles: (_read_puzzles, _puzzles),
}
