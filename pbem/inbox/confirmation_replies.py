"""YES and NO to what we have asked, at the question's own address.

Anybody can have us ask a player something, by a message with a forged From; only who reads their mailbox can answer.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.inbox import (
    confirmations,
    goodbye,
    sign_up,
    sign_up_answers,
    terms_beside,
    yes_or_no,
)
from pbem.inbox.commands import read_yes, words_of
from pbem.inbox.commands.account import newcomers
from pbem.inbox.commands.account.grammar import SetName
from pbem.inbox.commands.agreement import is_bare, says_contrary
from pbem.inbox.commands.farewell import wants_no_letters
from pbem.inbox.commands.leading_answers import agrees_briefly, behind_yes, only_leads, without_first_sentence
from pbem.inbox.commands.letters.grammar import Stop
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.playing.grammar import Draw, Move, Resign
from pbem.inbox.commands.probable_answers import probable_answer, sets_condition
from pbem.inbox.commands.words import REFUSING
from pbem.inbox.confirmation_outcomes import carry_out, close, closed
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import OK, Confirmation
from pbem.inbox.new_wishes import wished_instead
from pbem.inbox.recipient import ConfirmRecipient
from pbem.inbox.responder import Responder
from pbem.wording import fold


def answer(recipient: ConfirmRecipient, reading: Reading, responder: Responder) -> str:
    """YES or NO to a question of ours. Holding its address is proof enough: it was mailed to one mailbox."""
    asked = Confirmation.objects.select_for_update().get(pk=recipient.confirmation.pk)
    if asked.player is None and wants_no_letters(reading.letter.lines):
        return _left(asked, reading, responder)
    yes = True if repeats(asked, reading) else _said(asked, reading)
    if asked.used_at or recipient.state != "current" or asked.is_orphaned:
        unplayed = any(isinstance(each, Move) for each in reading.understood.commands)
        return confirmations.expired(asked, responder, unplayed=unplayed)
    if yes is not False and terms_beside.adopt(asked, reading):
        return confirmations.ask_again(asked, responder, unclear=False)
    if asked.player is None and (not asked.name or sign_up_answers.is_more_than(yes, asked, reading)):
        return sign_up.take_name(asked, reading, responder)
    if yes is None and asked.player is None and sign_up_answers.says_yes(reading):
        yes = True
    if yes is None:
        return confirmations.ask_again(
            asked, responder, explains=newcomers.asks_about_us(reading.letter.lines)
        )
    if yes:
        responder.has_proved(asked.address)
    if yes is False and asked.player is None:
        closed(asked, responder, yes=False)
        goodbye.say(asked.address, responder, language=asked.language)
        return OK
    if yes and asked.player is None:
        sign_up.add_what_stands_beside(asked, reading)
        return sign_up.sign_up(closed(asked, responder, yes=True), reading, responder)
    return carry_out(asked, responder, yes=yes, beside=_beside(asked, reading))


def _said(asked: Confirmation, reading: Reading) -> bool | None:
    """A player's yes to what we have read may have any words beside it, unless they set a condition or it is grave."""
    lines = reading.letter.lines
    said = read_yes(lines, asked.lines)
    if yes_or_no.question_of(asked) and says_contrary(lines):
        return None
    if said is not None or asked.player is None or not asked.near or _is_grave(asked):
        return said
    first = next(filter(str.strip, lines), "")
    if not yes_or_no.question_of(asked) and (behind := behind_yes(first)):
        return None if _refuses((behind, *lines[1:])) else True
    return None if sets_condition(lines) else probable_answer(lines)


def _refuses(lines: Iterable[str]) -> bool:
    """`Actually no` has the word, and so has `no hurry`: who is in doubt is asked again."""
    return any(fold(word.strip(".,;:!?")) in REFUSING for line in lines for word in line.split())


def _is_grave(asked: Confirmation) -> bool:
    return any(isinstance(read_alone(line), (Resign, Draw, SetName, Stop)) for line in asked.lines)


def wishes_instead(recipient: ConfirmRecipient, reading: Reading) -> Reading | None:
    """Whether an open question is answered with something else that a player asks for, which is read as a new email."""
    asked = recipient.confirmation
    if asked.used_at or recipient.state != "current" or asked.is_orphaned or repeats(asked, reading):
        return None
    return wished_instead(asked, reading, agreed=read_yes(reading.letter.lines, asked.lines))


def _left(asked: Confirmation, reading: Reading, responder: Responder) -> str:
    """The stranger whom we asked wants to hear no more: not of this, nor of anything else."""
    if not asked.used_at:
        closed(asked, responder, yes=False)
    return goodbye.leave(asked.address, reading, responder, language=asked.language)


def repeats(asked: Confirmation, reading: Reading) -> bool:
    """Whether the answer is what we asked about once more, and nothing else: then it is meant."""
    if asked.doubted or asked.player is None:
        return False
    said = [fold(" ".join(line.split())) for line in reading.letter.lines if line.strip()]
    return bool(said) and said == [fold(" ".join(line.split())) for line in asked.lines]


def _beside(asked: Confirmation, reading: Reading) -> str:
    """What stands beside YES or NO, if that is the only thing that is written as a command: else none of it is for
    anybody else."""
    if yes_or_no.question_of(asked):  # it is an answer to the opponent, who reads the reason
        return "\n".join(line for line in reading.letter.lines if not is_bare(line)).strip()
    about = words_of(asked.lines)
    lines = [line for line in reading.understood.chat.splitlines() if not only_leads(line, about)]
    if lines and agrees_briefly(lines[0]):
        lines[0] = without_first_sentence(lines[0])
    return "\n".join(lines).strip()


def drop(asked: Confirmation, reading: Reading, responder: Responder) -> str:
    """Something else is wished in its place; a no before that is an answer to the opponent, where they ask."""
    locked = Confirmation.objects.select_for_update().get(pk=asked.pk)
    lines = reading.letter.lines
    refuses = read_yes(lines, asked.lines) is False and not says_contrary(lines)
    if locked.used_at is None and refuses and yes_or_no.declining(locked):
        return carry_out(locked, responder, yes=False)
    close(asked, responder)
    return OK
