"""What is said to others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.talking import Message, Say
from pbem.inbox.doing.talk import tell_opponent, write_to
from pbem.inbox.doing.work import Doer
from pbem.players.models import Player
from pbem.refusals import Refused

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _say(doing: Doing, command: Say) -> None:
    """With nothing behind it the lines below are meant, as older servers had it."""
    seat = doing.seat(command.match)
    text, doing.chat = (command.text, doing.chat) if command.text else (doing.chat, "")
    if text:
        tell_opponent(doing, seat, text)


def _message(doing: Doing, command: Message) -> None:
    """The lines below it belong to it, unless the letter has an opponent to whom they go."""
    reader = Player.objects.reachable().called(command.who)
    if reader is None:
        raise Refused("V07", name=command.who, nearest=Player.objects.reachable().near(command.who))
    text = command.text
    if not text or not doing.says(doing.chat):
        text, doing.chat = f"{text}\n{doing.chat}".strip(), ""
    if text:
        write_to(doing, reader, text)


DO: Mapping[type[Command], Doer] = {
    Say: _say,
    Message: _message,
}
