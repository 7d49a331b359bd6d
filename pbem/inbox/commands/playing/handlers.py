"""What is done at the board."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands import Command
from pbem.inbox.commands.conditional.handlers import said_with
from pbem.inbox.commands.playing.grammar import Draw, Move, Resign
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.handler import Handler
from pbem.inbox.handling.talk import riding
from pbem.matches import services


def _move(context: CommandContext, move: Move) -> None:
    seat = context.seat(move.match)
    context.moved.add(seat.match_id)
    services.play(
        seat,
        move.text,
        ply=move.ply - 1 if move.ply is not None else context.ply_of(seat),
        now=context.now,
        arrived=context.arrival_in(seat),
        letter=context.row.pk,
        message=riding(context, seat),
        then=said_with(context, seat),
    )
    context.chat = ""


def _draw(context: CommandContext, draw: Draw) -> None:
    seat = context.seat(draw.match)
    services.offer_draw(seat, now=context.now, arrived=context.arrival_in(seat), letter=context.row.pk)


def _resign(context: CommandContext, resign: Resign) -> None:
    services.resign(
        context.seat(resign.match), now=context.now, asked_at=context.asked_at, letter=context.row.pk
    )


HANDLERS: Mapping[type[Command], Handler] = {
    Move: _move,
    Draw: _draw,
    Resign: _resign,
}
