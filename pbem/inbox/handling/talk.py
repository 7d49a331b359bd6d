"""Delivers the free text of a letter to other players, within the caps."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from pbem.inbox.commands.verbs import COURTESIES
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.inbox.recipient import MessageRecipient
from pbem.inbox.understanding.answers import answers, is_friendly
from pbem.intents import RETRACTED, TALK, is_rare, remarks
from pbem.mail.parsing.redact_addresses import relayed
from pbem.matches.models import Match, Seat
from pbem.matches.services import say
from pbem.outbox.notifications.direct_messages import are_strangers, write
from pbem.players.blocks import may_write_to
from pbem.players.models import Player
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

_WORD = re.compile(r"[^\W_]+")
_MESSAGES = wording("pbem.inbox.commands.messages")
_THANKING = _MESSAGES.words("thanking")
_BESIDE_THANKS = _MESSAGES.words("beside_thanks")
_THANKED_FOR = re.compile(
    rf"\b(?:{_MESSAGES.either('thanked_for', 'before')})\s*"
    rf"(?:(?:{_MESSAGES.repeated('thanked_for', 'between')})(?!(?<=\w)\w)\s*+)*+"
    rf"\b(?:{_MESSAGES.either('thanked_for', 'what')})\b",
    re.IGNORECASE,
)
_SIGNED = 6  # words of a signature


def riding(context: CommandContext, seat: Seat) -> str:
    """Returns the text for the move of `seat` to carry. Empty above the cap, or to a robot."""
    if seat.opponent.player.robot is not None and context.chat:
        said, context.chat = context.chat, ""
        if not is_hardly_meant(context, said):
            nobody_reads(context, seat, said)
        return ""
    try:
        return for_opponent(seat, context.chat, now=context.now) if context.chat else ""
    except Refused as refused:
        context.chat = ""
        context.refuse(refused)
        return ""


def rest(context: CommandContext) -> None:
    """Sends the text that no command took along to the player that the letter answers. Refuses V07 to V09."""
    recipient = context.recipient
    if isinstance(recipient, MessageRecipient):
        write_to(context, recipient.message.sender, context.chat)
    else:
        tell_opponent(context, context.seat(None), context.chat)


def along(context: CommandContext) -> None:
    """Sends the text that goes with a challenge or a match that has just begun. Refuses V07 to V09."""
    for seat in context.met:
        reader = seat.opponent.player
        unmet = seat.match.status == Match.Status.PROPOSED and are_strangers(context.player, reader)
        if unmet and not take_place("strangers", f"player:{context.player.pk}", context.now):
            raise Refused(Code.TOO_MANY_MESSAGES, name=reader.name, limit=CAPS["strangers"].most)
        tell_opponent(context, seat, context.chat)


def is_courtesy(context: CommandContext, text: str) -> bool:
    """Whether the text holds only words of courtesy and the player's name."""
    return is_only_courtesy(text, context.player.name)


def is_only_courtesy(text: str, *names: str) -> bool:
    """Whether the text holds only words of courtesy and these names."""
    words = {fold(word) for word in _WORD.findall(text)}
    return words <= COURTESIES | set(map(fold, names))


def only_thanks(text: str, *names: str) -> bool:
    """Whether the text only says thank you, for whatever it names."""
    words = {fold(word) for word in _WORD.findall(_THANKED_FOR.sub(" ", text))}
    named = {fold(word) for name in names for word in _WORD.findall(name)}
    polite = COURTESIES | _THANKING | _BESIDE_THANKS | named
    return bool(words & _THANKING) and words <= polite and "?" not in text


def is_greeting(word: str) -> bool:
    """Whether the word is a word of courtesy, and not a name."""
    return fold(word) in COURTESIES


def greets_a_robot(context: CommandContext) -> bool:
    """Whether the text is only greetings or thanks to a robot."""
    seats = context.met or [seat for seat in [context.token_seat] if seat]
    robots = bool(seats) and all(seat.opponent.player.robot is not None for seat in seats)
    return robots and _only_greets(context.chat)


def _only_greets(text: str) -> bool:
    """Whether each line is friendly words or a plain yes."""
    lines = [line for line in text.splitlines() if line.strip()]
    return all(is_friendly(line) or answers(line) for line in lines)


def is_hardly_meant(context: CommandContext, text: str) -> bool:
    """Whether text beside a command that only reads can be ignored: short as a signature, or polite."""
    asks = "?" in text or len(text.split()) > _SIGNED
    return not asks or is_missed_by_nobody(context, text)


def is_missed_by_nobody(context: CommandContext, text: str) -> bool:
    """Whether the text is only courtesy, thanks and friendly words."""
    thanks = only_thanks(text, context.player.name)
    return is_courtesy(context, text) or thanks or _only_greets(text)


def with_answer(seat: Seat, text: str) -> str:
    """Returns the text that goes with an answer. Empty when the opponent has blocked the player."""
    return relayed(text) if text and may_write_to(seat.player, seat.opponent.player) else ""


def tell_opponent(context: CommandContext, seat: Seat, text: str) -> None:
    """Sends the text to the opponent; replies that a robot reads nothing. Refuses V07 and V09."""
    if seat.opponent.player.robot is not None:
        nobody_reads(context, seat, text)
        return
    say(seat, for_opponent(seat, text, now=context.now), now=context.now, letter=context.row.pk)


def nobody_reads(context: CommandContext, seat: Seat, text: str) -> None:
    """Replies that the opponent is a robot and reads nothing."""
    context.reply({"kind": "unsaid", "text": text, "why": "robot"}, match=seat.match)


def write_to(context: CommandContext, reader: Player, text: str) -> None:
    """Sends a message outside any match. Refuses V07 (not accepted) and V08 (cap reached)."""
    sender = context.player
    if reader == sender or not may_write_to(sender, reader):
        raise Refused(Code.NO_SUCH_READER, name=reader.name)
    caps = ["messages", "strangers"] if are_strangers(sender, reader) else ["messages"]
    for cap in caps:
        if not take_place(cap, f"player:{sender.pk}", context.now):
            raise Refused(Code.TOO_MANY_MESSAGES, name=reader.name, limit=CAPS[cap].most)
    message = write(sender, reader, relayed(text), now=context.now)
    context.reply({"kind": "passed_on", "message": message.pk})


def for_opponent(seat: Seat, text: str, *, now: datetime) -> str:
    """Returns the text as the opponent gets it. Refuses V07 and V09."""
    if not may_write_to(seat.player, seat.opponent.player):
        raise Refused(Code.NO_SUCH_READER, match=seat.match, name=seat.opponent.player.name)
    if not take_place("chat", f"seat:{seat.pk}", now):
        raise Refused(Code.TOO_MUCH_TALK, match=seat.match, text=text, limit=CAPS["chat"].most)
    return relayed(text)


# Text for other readers: the least probability at which the player is asked, beside a move and alone.
BESIDE_MOVE, ALONE = 0.8, 0.25
_CALLED = re.compile(r"^((?:\w+\s+)?)([^\W\d_a-z][\w'’-]+)(?=\s?[,:])|(?<=@)([\w'’-]+)", re.MULTILINE)
_PARAGRAPH = re.compile(r"\n\s*\n")
_OPPONENT, _OTHER = "Bruno", "Carla"  # names used in the examples


def may_be_for_others(
    text: str, opponent: str, *, alone: bool, is_player: Callable[[str], bool] = lambda name: False
) -> bool:
    """Whether a paragraph may be for another reader than the opponent; `alone`: no move stands above."""
    return any(
        _for_others(each, opponent) >= (ALONE if alone or _calls(each, opponent, is_player) else BESIDE_MOVE)
        for each in _PARAGRAPH.split(text)
    )


def _for_others(paragraph: str, opponent: str) -> float:
    found = remarks(as_in_examples(paragraph, opponent))
    return sum(guess.probability for guess in found if guess.intent not in (TALK, RETRACTED))


def _calls(paragraph: str, opponent: str, is_player: Callable[[str], bool]) -> bool:
    """Whether it begins with the name of another player."""
    called = _CALLED.match(paragraph)
    name = called[2] or "" if called else ""
    return name not in ("", opponent) and is_player(name)


def as_in_examples(text: str, opponent: str) -> str:
    """Returns the text in one line, with the examples' names for the opponent and other players."""
    named = re.sub(rf"\b{re.escape(opponent)}\b", _OPPONENT, text, flags=re.IGNORECASE)
    return " ".join(_CALLED.sub(_as_called, named).split())


def _as_called(match: re.Match[str]) -> str:
    """Replaces the name in `Marco, the keys`, but not `Well, the keys`."""
    greeting, name = match[1] or "", match[2] or match[3]
    return f"{greeting}{_OTHER}" if name != _OPPONENT and is_rare(name) else match[0]
