"""What players say beforehand: alone, or with the move that it comes after."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.conditional import ClearIfs, If, Ifs, Next
from pbem.inbox.digest import NO_TURN
from pbem.inbox.doing.work import Doer
from pbem.matches.cascade import promise
from pbem.matches.conditional import keeping
from pbem.matches.models import Seat
from pbem.refusals import Refused

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def said_with(doing: Doing, seat: Seat) -> Callable[[], None]:
    """What keeps the lines of this letter once its move is on the board, before anything answers it."""
    lines = [
        line
        for line in doing.commands
        if isinstance(line, If | Next) and _about(doing, line) == seat.match_id
    ]

    def keep() -> None:
        for line in lines:
            try:
                keeping.say(seat, line.moves, now=doing.now, letter=doing.row.pk)
                doing.ridden[line] = None
            except Refused as refused:
                doing.ridden[line] = refused

    return keep


def _promise(doing: Doing, line: If | Next) -> None:
    seat = doing.seat(line.match)
    if line not in doing.ridden:
        if doing.waits_for_move(line, seat):
            return
        arrived, ply = doing.arrival_in(seat), doing.ply_of(seat) if line.ply is None else line.ply
        if ply == NO_TURN:
            raise Refused("G04", match=seat.match, text=line.line)
        promise(seat, line.moves, ply=ply, now=doing.now, arrived=arrived, letter=doing.row.pk)
    elif refused := doing.ridden[line]:
        raise refused
    _list(doing, seat)


def _ifs(doing: Doing, ifs: Ifs) -> None:
    _list(doing, doing.seat(ifs.match))


def _clear(doing: Doing, clear: ClearIfs) -> None:
    seat = doing.seat(clear.match)
    keeping.clear(seat, clear.number)
    _list(doing, seat)


def _list(doing: Doing, seat: Seat) -> None:
    doing.tell({"kind": "conditionals", "match": seat.match_id}, match=seat.match)


def _about(doing: Doing, line: If | Next) -> int | None:
    try:
        return doing.seat(line.match).match_id
    except Refused:
        return None


DO: Mapping[type[Command], Doer] = {
    If: _promise,
    Next: _promise,
    Ifs: _ifs,
    ClearIfs: _clear,
}
