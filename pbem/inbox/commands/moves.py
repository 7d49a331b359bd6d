"""Moves, draw offers and resignations."""

from __future__ import annotations

from collections.abc import Callable

from games.protocol import Side
from pbem.inbox.commands.line import CommandLine, match_of
from pbem.inbox.commands.line_parser import read_move
from pbem.inbox.commands.match_commands import Accept, Decline, Draw, If, Move, Next, Resign
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.inbox.handling.talk import riding
from pbem.mail.authentication.policy import Dmarc
from pbem.matches import conditional as keeping
from pbem.matches import plies, services
from pbem.matches.models import Seat
from pbem.matches.offers import may_begin
from pbem.refusals import Refused


def _read_move(line: CommandLine) -> Move | None:
    # Where no move follows the number, the number is the move, as in Nim.
    match, rest = match_of(line)
    if not rest:
        match, rest = line.match, line.rest
    return read_move(rest, match, line.is_move, attempt=True)


def _read_draw(line: CommandLine) -> Draw | None:
    match, rest = match_of(line)
    return None if rest else Draw(match)


def _read_resign(line: CommandLine) -> Resign | None:
    match, rest = match_of(line)
    return None if rest else Resign(match)


def _move(context: CommandContext, move: Move) -> None:
    seat = context.seat(move.match)
    if _accepts(context, move, seat):
        services.accept(seat, now=context.now, arrived=context.arrival_in(seat), letter=context.row.pk)
    context.moved.add(seat.match_id)
    reading = context.row.reading
    vouched, elsewhere = reading.get("dmarc") == Dmarc.PASS, reading.get("elsewhere")
    alarm = (
        ("elsewhere" if elsewhere else "") if vouched else "unvouched"
    )  # why they get a receipt in any case
    services.play(
        seat,
        move.text,
        ply=_ply(context, move, seat),
        now=context.now,
        arrived=context.arrival_in(seat),
        letter=context.row.pk,
        message=riding(context, seat) if context.chat else "",
        facts={"alarm": alarm} if alarm else {},
        then=_said_with(context, seat),
    )
    context.chat = ""


def _said_with(context: CommandContext, seat: Seat) -> Callable[[], None]:
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


def _about(context: CommandContext, line: If | Next) -> int | None:
    try:
        return context.seat(line.match).match_id
    except Refused:
        return None


def _accepts(context: CommandContext, move: Move, seat: Seat) -> bool:
    """Whether a first move accepts the challenge that the letter answers. Refuses an illegal move."""
    # A player who is mistaken about the move has not agreed.
    answered = any(isinstance(each, (Accept, Decline)) for each in context.commands)
    if answered or context.own != seat.match_id or not may_begin(seat):
        return False
    plies.read(seat, seat.match.current(), move.text)
    return True


def _ply(context: CommandContext, move: Move, seat: Seat) -> int | None:
    """Returns the ply that the move is meant for. None when neither the letter answered nor the move says."""
    shown = context.ply_of(seat)
    if move.number is None:
        return shown
    return move.number.guarded(Side(seat.side), (shown, seat.match.ply))


def _draw(context: CommandContext, draw: Draw) -> None:
    seat = context.seat(draw.match)
    services.offer_draw(seat, now=context.now, arrived=context.arrival_in(seat), letter=context.row.pk)


def _resign(context: CommandContext, resign: Resign) -> None:
    services.resign(
        context.seat(resign.match), now=context.now, asked_at=context.asked_at, letter=context.row.pk
    )


VERBS: Verbs = {
    Move: (_read_move, _move),
    Draw: (_read_draw, _draw),
    Resign: (_read_resign, _resign),
}
