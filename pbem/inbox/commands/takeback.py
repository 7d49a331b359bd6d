"""Takebacks: UNDO."""

from __future__ import annotations

from django.db import transaction

from pbem.inbox.commands.line import CommandLine, number_of, plain
from pbem.inbox.commands.match_commands import Undo
from pbem.inbox.handling.context import CommandContext, Verbs, count
from pbem.matches import takeback
from pbem.refusals import Code


def _read_undo(line: CommandLine) -> Undo | None:
    # In a reply a lone number counts turns, unless it is that of the match.
    match, rest = number_of(plain(line.rest))
    more, last = number_of(rest)
    if last or (line.match is not None and more is not None):
        return None
    if line.match is not None:
        match, more = line.match, match
    elif match is not None and more is None and line.own not in (None, match):
        match, more = None, match
    if more is not None and not 0 < more < 1000:
        return None
    return Undo(match, more)


@transaction.atomic
def _undo(context: CommandContext, undo: Undo) -> None:
    seat = context.seat(undo.match)
    count("asks", context, seat=seat, refusal=Code.TOO_MUCH_ASKED)
    takeback.undo(seat, undo.plies, now=context.now, arrived=context.arrival_in(seat), letter=context.row.pk)


VERBS: Verbs = {
    Undo: (_read_undo, _undo),
}
