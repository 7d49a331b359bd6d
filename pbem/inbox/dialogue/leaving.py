"""Leaving: a player who asks to be removed while matches run is asked for one of three ways.

The question keeps a RESIGN for each running match, and STOP ALL. YES RESIGN does all of it, YES STOP the last
line alone, and YES ERASE all of it, after which the organiser erases the player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.inbox import consent
from pbem.inbox.commands.command import Command, Letters, Stop
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.match_commands import Resign
from pbem.inbox.commands.phrases import called
from pbem.inbox.commands.verbs import letters_words
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import Confirmation
from pbem.inbox.recipient import MoveRecipient
from pbem.inbox.resolver import answer_address
from pbem.intents import guesses, has_intent
from pbem.matches.models import Match
from pbem.outbox.notifications.notify import Section
from pbem.players.models import Player

WAYS = RESIGN, STOP, ERASE = ("RESIGN", "STOP", "ERASE")
_GONE = ("STOP", "ERASE")  # the intents
_LIKELY = 0.6  # least probability of both together
_FEWEST = 3  # words; shorter text may mean anything (`Stop it.`)


def is_wished(reading: InterpretedMessage) -> bool:
    """Whether a player in running matches asks to leave in words; STOP and UNSUBSCRIBE do not count."""
    player, said = reading.player, reading.understood
    read = (*said.commands, *said.asks)
    written = {reading.summary.subject.strip(), *map(str.strip, reading.letter.lines)}
    if not all(map(_is_of_letters, read)) or any(each.line in written for each in said.commands):
        return False
    return _asks_for_it(reading, read) and player is not None and bool(_played(player))


def _is_of_letters(command: Command) -> bool:
    return isinstance(command, Letters) or (isinstance(command, Stop) and command.sort is None)


def _asks_for_it(reading: InterpretedMessage, read: Sequence[Command]) -> bool:
    """Whether the text asks to leave. To the opponent only clear wording counts."""
    text = " ".join(filter(None, map(str.strip, reading.letter.lines))) or reading.summary.subject
    if any(isinstance(each, Stop) for each in read) or has_intent("ERASE", text):
        return True
    likely = sum(guess.probability for guess in guesses(text) if guess.intent in _GONE)
    to_us = bool(read) or not isinstance(reading.recipient, MoveRecipient)
    return to_us and likely >= _LIKELY and len(text.split()) >= _FEWEST


def stop_all(language: str) -> Stop:
    words = letters_words(language)
    return Stop(None, line=f"{words['stop']} {words['all']}")


def ask(context: CommandContext, reading: InterpretedMessage) -> bool:
    """Asks how to leave. False when there are no running matches."""
    player, language = context.player, context.player.language
    lines = [f"{called('RESIGN', language)} {match.pk}" for match in _played(player)]
    if not lines:
        return False
    if context.may_reply({"kind": "leaving"}):
        asked = Confirmation.objects.create(
            letter=context.row,
            address=player.email,
            player=player,
            lines=[*lines, stop_all(language).line],
            language=language,
            asked_at=context.now,
            near=True,
            vouched=reading.surely_theirs,
        )
        context.reply(section(asked) | {"reply_to": answer_address(asked)})
    return True


def asks_how(asked: Confirmation) -> bool:
    """Whether it is the question how to leave."""
    if asked.player is None or asked.match_id or not asked.near:
        return False
    commands = [read_alone(line) for line in asked.lines]
    resigns = len(commands) > 1 and all(isinstance(each, Resign) for each in commands[:-1])
    return resigns and isinstance(commands[-1], Stop)


def section(asked: Confirmation) -> Section:
    """The section of the question."""
    ways = [consent.word_for(way, asked.language) for way in WAYS]
    return {"kind": "leaving", "matches": list(_resigned(asked)), "ways": ways}


def read(asked: Confirmation, reading: InterpretedMessage) -> tuple[str, consent.Answer]:
    """The way that the answer names, or "", and the answer."""
    exact = [command.line for command in reading.understood.commands]
    question = consent.question(asked, reading.summary.sender_name, exact=exact)
    for way, deeds in ((RESIGN, question.deeds), *((each, (each,)) for each in WAYS)):
        this = replace(question, deeds=deeds)
        said = consent.read(reading.letter.lines, this, reading.letter.signature)
        if said.agreed is not None:
            return (way if said.agreed else ""), said
    return "", consent.Answer()


def lines_of(asked: Confirmation, way: str) -> list[str]:
    """The commands of this way, without matches that have ended meanwhile."""
    stopping: str = asked.lines[-1]
    on = {match.pk for match in _played(asked.player)} if asked.player and way != STOP else set()
    return [*(line for pk, line in _resigned(asked).items() if pk in on), stopping]


def _resigned(asked: Confirmation) -> dict[int, str]:
    """The RESIGN lines by match."""
    read = {line: read_alone(line) for line in asked.lines}
    return {each.match: line for line, each in read.items() if isinstance(each, Resign) and each.match}


def _played(player: Player) -> list[Match]:
    return list(Match.objects.of(player).filter(status=Match.Status.PLAYING).order_by("pk"))
