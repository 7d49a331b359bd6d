"""Trying moves without playing them."""

from __future__ import annotations

import re

from pbem.inbox.commands.line import CommandLine, match_of, plain, unnumbered
from pbem.inbox.commands.line_parser import read_move
from pbem.inbox.commands.match_commands import Try
from pbem.inbox.commands.views import seen
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.outbox.rendering.strip import MOST
from pbem.wording import wording

_BETWEEN = re.compile(rf"\s*;\s*|\s+(?:{wording(__name__).either('then')})\s+", re.IGNORECASE)


def _read_try(line: CommandLine) -> Try | None:
    # In capitals one digit is enough: what is tried must not reach the opponent as talk.
    match, rest = match_of(line)
    if not rest:
        match, rest = line.match, line.rest
    moves = tuple(filter(None, (unnumbered(plain(move)) for move in _BETWEEN.split(rest))))
    shaped = all(read_move(move, match, line.is_move, attempt=True) for move in moves)
    if not moves or not (shaped or (line.clear and any(map(str.isdecimal, rest)))):
        return None
    return Try(moves, match)


def _try(context: CommandContext, command: Try) -> None:
    match, ply = seen(context, command.match)
    moves, left = list(command.moves[:MOST]), len(command.moves[MOST:])
    context.reply({"kind": "tried", "match": match.pk, "ply": ply, "moves": moves, "left": left}, match=match)


VERBS: Verbs = {
    Try: (_read_try, _try),
}
