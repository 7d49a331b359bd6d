"""What is said to others."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands import Command
from pbem.inbox.commands.talking.grammar import Message, Say
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.handler import Handler
from pbem.inbox.handling.talk import tell_opponent, write_to
from pbem.players.models import Player
from pbem.refusals import Code, Refused


def _say(context: CommandContext, command: Say) -> None:
    """With nothing behind it the lines below are meant, as older servers had it."""
    seat = context.seat(command.match)
    text, context.chat = (command.text, context.chat) if command.text else (context.chat, "")
    if text:
        tell_opponent(context, seat, text)


def _message(context: CommandContext, command: Message) -> None:
    """The lines below it belong to it, unless the letter has an opponent to whom they go."""
    reader = Player.objects.reachable().called(command.who)
    if reader is None:
        raise Refused(
            Code.NO_SUCH_READER, name=command.who, nearest=Player.objects.reachable().near(command.who)
        )
    text = command.text
    if not text or not context.says(context.chat):
        text, context.chat = f"{text}\n{context.chat}".strip(), ""
    if text:
        write_to(context, reader, text)


HANDLERS: Mapping[type[Command], Handler] = {
    Say: _say,
    Message: _message,
}
