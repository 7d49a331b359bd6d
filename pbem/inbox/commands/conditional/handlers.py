"""Handlers for conditional moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.conditional.grammar import ClearIfs, If, Ifs, Next
from pbem.inbox.digests import NO_TURN
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.matches import conditional as keeping
from pbem.matches.automatic_moves import promise
from pbem.matches.models import Seat
from pbem.refusals import Code, Refused


def said_with(context: CommandContext, seat: Seat) -> Callable[[], None]:
    """Returns a callback that stores conditional moves after the letter's move, before automatic replies."""
    lines = [
        line
        for line in context.commands
        if isinstance(line, If | Next) and _about(context, line) == seat.match_id
    ]

    def keep() -> None:
        for line in lines:
            try:
                keeping.say(seat, line.moves, now=context.now, letter=context.row.pk)
                context.attached[line] = None
            except Refused as refused:
                context.attached[line] = refused

    return keep


def _promise(context: CommandContext, line: If | Next) -> None:
    seat = context.seat(line.match)
    if line not in context.attached:
        if context.waits_for_move(line, seat):
            return
        arrived, ply = context.arrival_in(seat), context.ply_of(seat) if line.ply is None else line.ply
        if ply == NO_TURN:
            raise Refused(Code.STALE_TURN, match=seat.match, text=line.line)
        promise(seat, line.moves, ply=ply, now=context.now, arrived=arrived, letter=context.row.pk)
    elif refused := context.attached[line]:
        raise refused
    _list(context, seat)


def _ifs(context: CommandContext, ifs: Ifs) -> None:
    _list(context, context.seat(ifs.match))


def _clear(context: CommandContext, clear: ClearIfs) -> None:
    seat = context.seat(clear.match)
    keeping.clear(seat, clear.number)
    _list(context, seat)


def _list(context: CommandContext, seat: Seat) -> None:
    context.reply({"kind": "conditionals", "match": seat.match_id}, match=seat.match)


def _about(context: CommandContext, line: If | Next) -> int | None:
    try:
        return context.seat(line.match).match_id
    except Refused:
        return None


HANDLERS: Mapping[type[Command], Handler] = {
    If: _promise,
    Next: _promise,
    Ifs: _ifs,
    ClearIfs: _clear,
}
