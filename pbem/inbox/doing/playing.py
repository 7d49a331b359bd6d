"""What is done at the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.playing import Draw, Move, Resign
from pbem.inbox.doing.conditional import said_with
from pbem.inbox.doing.talk import riding
from pbem.inbox.doing.work import Doer
from pbem.matches import services

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _move(doing: Doing, move: Move) -> None:
    seat = doing.seat(move.match)
    doing.moved.add(seat.match_id)
    services.play(
        seat,
        move.text,
        ply=move.ply - 1 if move.ply is not None else doing.ply_of(seat),
        now=doing.now,
        arrived=doing.arrival_in(seat),
        letter=doing.row.pk,
        message=riding(doing, seat),
        then=said_with(doing, seat),
    )
    doing.chat = ""


def _draw(doing: Doing, draw: Draw) -> None:
    seat = doing.seat(draw.match)
    services.offer_draw(seat, now=doing.now, arrived=doing.arrival_in(seat), letter=doing.row.pk)


def _resign(doing: Doing, resign: Resign) -> None:
    services.resign(doing.seat(resign.match), now=doing.now, asked_at=doing.asked_at, letter=doing.row.pk)


DO: Mapping[type[Command], Doer] = {
    Move: _move,
    Draw: _draw,
    Resign: _resign,
}
