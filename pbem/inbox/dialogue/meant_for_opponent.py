"""Text that we asked about and that was meant for the opponent, which a NO delivers."""

from __future__ import annotations

from pbem.inbox.commands.command import Command, Games, Help, Rating, Report, Set, SetName
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.match_commands import Clock, Describe, History, RecordOf, Show, Status
from pbem.inbox.commands.verbs import VERBS_OF
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.models import OK, Confirmation
from pbem.matches.models import Match, Seat
from pbem.players.blocks import may_write_to
from pbem.refusals import Refused
from pbem.wording import fold

_SAID_TO_PEOPLE = (Set, SetName, Clock, Status, Show, History, Describe, RecordOf, Games, Rating)


def reader(asked: Confirmation) -> str:
    """The opponent that gets the text after a NO. Empty when it stays undelivered."""
    seat = _seat(asked)
    return seat.opponent.player.name if seat and _words(asked) else ""


def tell(context: CommandContext, asked: Confirmation) -> str:
    seat = _seat(asked)
    assert seat
    try:
        talk.tell_opponent(context, seat, _words(asked))
    except Refused as refused:
        return context.refuse(refused)
    return OK


def _words(asked: Confirmation) -> str:
    return str(asked.letter.reading.get("chat", ""))


def _seat(asked: Confirmation) -> Seat | None:
    """The player's seat, when the opponent is a person and accepts messages."""
    match = asked.match
    commands = [read_alone(line) for line in asked.lines]
    if (
        match is None
        or not asked.near
        or asked.doubted
        or asked.has_move
        or not all(map(_is_harmless, commands))
    ):
        return None
    if match.status != Match.Status.PLAYING:
        return None
    seat = next((seat for seat in match.seated if seat.player_id == asked.player_id), None)
    heard = seat and seat.opponent.player.robot is None and may_write_to(seat.player, seat.opponent.player)
    return seat if heard else None


def _is_harmless(command: Command | None) -> bool:
    """Whether it is a command that people also say to each other, such as one that only reads."""
    if isinstance(command, Help):
        return not any(verb.command is Report for verb in VERBS_OF.get(fold(command.topic), ()))
    return isinstance(command, _SAID_TO_PEOPLE)
