"""Messages to opponents, other players and the organiser."""

from __future__ import annotations

import re

from pbem.inbox import personal
from pbem.inbox.commands.command import Message, Say
from pbem.inbox.commands.line import CommandLine, text_of
from pbem.inbox.commands.match_commands import Move
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.inbox.handling.talk import tell_opponent, write_to
from pbem.mail.authentication.policy import Dmarc
from pbem.matches.models import Seat
from pbem.players.models import Player
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

WHO = re.compile(r"\w[\w.'’-]{0,39}")
_WORDS = wording(__name__)
_ORGANISER = wording(__name__).words("organiser")


def _read_say(line: CommandLine) -> Say | None:
    # After `SAY 105:` come the lines below.
    match, text = text_of(line)
    if not (text and line.clear) and match is None:
        return None
    return Say(text, match)


def _read_message(line: CommandLine) -> Message | None:
    # In small letters only in a letter of its own, with a name: "Message received: thanks" is talk.
    rest = _without_to(line)
    who, colon, text = rest.partition(":")
    if line.match is not None or not colon or not (is_organiser(who) or WHO.fullmatch(who.strip())):
        return None
    meant = line.clear or is_organiser(who) or (line.own is None and rest[:1].isupper())
    return Message(who.strip(), text.strip()) if meant else None


def is_organiser(who: str) -> bool:
    """Whether the name is that of the organiser, which no player can have."""
    return fold(" ".join(who.split())) in _ORGANISER


def _without_to(line: CommandLine) -> str:
    """Removes the preposition of the verb's language: SCRIVO A Carla."""
    for language in _WORDS.languages:
        to = _WORDS.of(language, "to")
        if to and line.word in map(fold, _WORDS.of(language, "verbs", Message.__name__, "words")):
            return re.sub(rf"^(?:{'|'.join(map(re.escape, to))})\s+", "", line.rest, flags=re.IGNORECASE)
    return line.rest


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


VERBS: Verbs = {
    Say: (_read_say, _say),
    Message: (_read_message, _message),
}
