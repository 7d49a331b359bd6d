"""Handlers for messages."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox import personal
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.commands.talking.grammar import Message, Say, is_organiser
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.inbox.handling.talk import tell_opponent, write_to
from pbem.mail.authentication.policy import Dmarc
from pbem.matches.models import Seat
from pbem.players.models import Player
from pbem.refusals import Code, Refused


def _say(context: CommandContext, command: Say) -> None:
    """Sends the text; the lines below join it when it is empty, or they are for the same opponent."""
    seat = context.seat(command.match)
    text = command.text
    if not text or _goes_on(context, command, seat):
        text, context.chat = f"{text}\n{context.chat}".strip(), ""
    if text:
        tell_opponent(context, seat, text)


def _goes_on(context: CommandContext, say: Say, seat: Seat) -> bool:
    """Whether the lines below are for the same opponent, and no move below takes them along."""
    below = context.commands[context.commands.index(say) + 1 :]
    return context.own == seat.match_id and not any(isinstance(other, Move) for other in below)


def _message(context: CommandContext, command: Message) -> None:
    """Sends the text; the lines below join it, unless they go to the letter's opponent."""
    if is_organiser(command.who):
        _to_organiser(context, command)
        return
    reader = Player.objects.reachable().called(command.who)
    if reader is None:
        raise Refused(
            Code.NO_SUCH_READER, name=command.who, nearest=Player.objects.reachable().near(command.who)
        )
    if text := _with_lines_below(context, command):
        write_to(context, reader, text)


def _to_organiser(context: CommandContext, command: Message) -> None:
    if text := _with_lines_below(context, command):
        doubted = context.row.reading.get("dmarc") != Dmarc.PASS
        personal.keep(context, subject="", text=text, doubted=doubted)
        context.reply({"kind": "to_organiser"})


def _with_lines_below(context: CommandContext, command: Message) -> str:
    text = command.text
    if not text or not context.says(context.chat):
        text, context.chat = f"{text}\n{context.chat}".strip(), ""
    return text


HANDLERS: Mapping[type[Command], Handler] = {
    Say: _say,
    Message: _message,
}
