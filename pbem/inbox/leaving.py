"""A player asks to be removed while their matches go on: they are asked which of three ways, and told what each does.

The question keeps what the widest of them does: a RESIGN for each match that is played, and STOP ALL. The answer names
the way: YES RESIGN all of it, YES STOP the last line alone, YES ERASE all of it, and the organiser erases them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.inbox import consent
from pbem.inbox.commands import Command
from pbem.inbox.commands.bars import has_intent
from pbem.inbox.commands.letters.grammar import Letters, Stop, letters_words
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.phrases import called
from pbem.inbox.commands.playing.grammar import Resign
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import Confirmation
from pbem.inbox.recipient import MoveRecipient
from pbem.inbox.resolver import answer_address
from pbem.intents import guesses
from pbem.matches.models import Match
from pbem.outbox.notifications.notify import Section
from pbem.players.models import Player

WAYS = RESIGN, STOP, ERASE = ("RESIGN", "STOP", "ERASE")
_GONE = ("STOP", "ERASE")  # the intents
_LIKELY = 0.6  # how probable they are together
_FEWEST = 3  # words; less may be said to anybody: `Stop it.`


def is_wished(reading: Reading) -> bool:
    """Whether a player who plays a match asks for it in words; not STOP and UNSUBSCRIBE, which list the letters."""
    player, said = reading.player, reading.understood
    read = (*said.commands, *said.asks)
    written = {reading.glance.subject.strip(), *map(str.strip, reading.letter.lines)}
    if not all(map(_is_of_letters, read)) or any(each.line in written for each in said.commands):
        return False
    return _asks_for_it(reading, read) and player is not None and bool(_played(player))


def _is_of_letters(command: Command) -> bool:
    return isinstance(command, Letters) or (isinstance(command, Stop) and command.sort is None)


def _asks_for_it(reading: Reading, read: Sequence[Command]) -> bool:
    """To the opponent people say much that sounds like it."""
    text = " ".join(filter(None, map(str.strip, reading.letter.lines))) or reading.glance.subject
    if any(isinstance(each, Stop) for each in read) or has_intent("ERASE", text):
        return True
    likely = sum(guess.probability for guess in guesses(text) if guess.intent in _GONE)
    to_us = bool(read) or not isinstance(reading.recipient, MoveRecipient)
    return to_us and likely >= _LIKELY and len(text.split()) >= _FEWEST


def stop_all(language: str) -> Stop:
    words = letters_words(language)
    return Stop(None, line=f"{words['stop']} {words['all']}")


def ask(context: CommandContext, reading: Reading) -> bool:
    """Whether there are matches to ask about."""
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
    """Whether it is such a question."""
    if asked.player is None or asked.match_id or not asked.near:
        return False
    commands = [read_alone(line) for line in asked.lines]
    resigns = len(commands) > 1 and all(isinstance(each, Resign) for each in commands[:-1])
    return resigns and isinstance(commands[-1], Stop)


def section(asked: Confirmation) -> Section:
    """What the letter that asks says of it."""
    ways = [consent.word_for(way, asked.language) for way in WAYS]
    return {"kind": "leaving", "matches": list(_resigned(asked)), "ways": ways}


def read(asked: Confirmation, reading: Reading) -> tuple[str, consent.Answer]:
    """The way that the answer names, "" for none, and whether it agrees."""
    exact = [command.line for command in reading.understood.commands]
    question = consent.question(asked, reading.glance.sender_name, exact=exact)
    for way, deeds in ((RESIGN, question.deeds), *((each, (each,)) for each in WAYS)):
        this = replace(question, deeds=deeds)
        said = consent.read(reading.letter.lines, this, reading.letter.signature)
        if said.agreed is not None:
            return (way if said.agreed else ""), said
    return "", consent.Answer()


def lines_of(asked: Confirmation, way: str) -> list[str]:
    """What it does: of the matches that are over meanwhile nothing."""
    stopping: str = asked.lines[-1]
    on = {match.pk for match in _played(asked.player)} if asked.player and way != STOP else set()
    return [*(line for pk, line in _resigned(asked).items() if pk in on), stopping]


def _resigned(asked: Confirmation) -> dict[int, str]:
    """The lines by their matches."""
    read = {line: read_alone(line) for line in asked.lines}
    return {each.match: line for line, each in read.items() if isinstance(each, Resign) and each.match}


def _played(player: Player) -> list[Match]:
    return list(Match.objects.of(player).filter(status=Match.Status.PLAYING).order_by("pk"))
