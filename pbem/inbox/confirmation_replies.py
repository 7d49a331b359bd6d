"""YES and NO to what we have asked: at the question's own address, and bare in answer to any other letter of ours.

Anybody can have us ask a player something, by a message with a forged From; and an opponent's own words may be what a
bare YES answers. So it does what was put aside only where a provider stands by both messages; else the question comes
again, with the address that it is answered at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pbem.inbox import (
    addresses,
    commands,
    confirmations,
    confirmed_commands,
    goodbye,
    meant_for_opponent,
    personal,
    sign_up,
    sign_up_answers,
    terms_beside,
    yes_or_no,
)
from pbem.inbox.commands import Command, read_yes, words_of
from pbem.inbox.commands.account import newcomers
from pbem.inbox.commands.account.grammar import SetName
from pbem.inbox.commands.agreement import is_bare, says_contrary
from pbem.inbox.commands.farewell import wants_no_letters
from pbem.inbox.commands.leading_answers import agrees_briefly, only_leads, without_first_sentence
from pbem.inbox.commands.letters.grammar import Stop
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.matchmaking.grammar import Accept, Decline
from pbem.inbox.commands.playing.grammar import Draw, Move, Resign
from pbem.inbox.commands.probable_answers import probable_answer, sets_condition
from pbem.inbox.confirmed_commands import Proof
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import OK, Confirmation
from pbem.inbox.new_wishes import wished_instead
from pbem.inbox.recipient import ConfirmRecipient, MessageRecipient, answered_by
from pbem.inbox.resolver import answer_address
from pbem.inbox.responder import Responder
from pbem.inbox.shapes import only_match
from pbem.mail.authentication.policy import Decision
from pbem.matches.questions import Question, asked_in, asked_of, asks
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

_WORDS = wording(commands.__package__)
_CLAUSE = re.compile(r"[,.;:!]+\s*")
_MOST_AGAIN = 5  # questions that one YES brings back
_BELIEVED = (Decision.APPLY, Decision.STALE_MOVE)


@dataclass
class Bare:
    """What is left of a message when its bare YES and NO were looked at. `ask`: of these, what is asked about first."""

    commands: list[Command] = field(default_factory=list)
    chat: str = ""
    ask: list[Command] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)


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
        _closed(asked, responder, yes=False)
        goodbye.say(asked.address, responder, language=asked.language)
        return OK
    if yes and asked.player is None:
        sign_up.add_what_stands_beside(asked, reading)
        return sign_up.sign_up(_closed(asked, responder, yes=True), reading, responder)
    return _answered(asked, responder, yes=yes, beside=_beside(asked, reading))


def _said(asked: Confirmation, reading: Reading) -> bool | None:
    """A player's yes to what we have read may have any words beside it, unless they set a condition or it is grave."""
    lines = reading.letter.lines
    said = read_yes(lines, asked.lines)
    if yes_or_no.question_of(asked) and says_contrary(lines):
        return None
    if said is not None or asked.player is None or not asked.near or _is_grave(asked):
        return said
    return None if sets_condition(lines) else probable_answer(lines)


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
        _closed(asked, responder, yes=False)
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


def close(asked: Confirmation, responder: Responder) -> None:
    """Another answer came in its place, unless it was answered before."""
    locked = Confirmation.objects.select_for_update().get(pk=asked.pk)
    if not locked.used_at:
        _closed(locked, responder, yes=False)


def drop(asked: Confirmation, reading: Reading, responder: Responder) -> str:
    """Something else is wished in its place; a no before that is an answer to the opponent, where they ask."""
    locked = Confirmation.objects.select_for_update().get(pk=asked.pk)
    lines = reading.letter.lines
    refuses = read_yes(lines, asked.lines) is False and not says_contrary(lines)
    if locked.used_at is None and refuses and yes_or_no.declining(locked):
        return _answered(locked, responder, yes=False)
    close(asked, responder)
    return OK


def agree(asked: Confirmation, responder: Responder) -> str:
    """Do what was asked about, as a plain YES does."""
    locked = Confirmation.objects.select_for_update().get(pk=asked.pk)
    return _answered(locked, responder, yes=True)


def bare(context: CommandContext, reading: Reading) -> Bare:
    """A YES or NO that does not say to what: to the only thing that was asked in this match, else of this player."""
    left = Bare(chat=reading.understood.chat)
    for command in reading.understood.commands:
        if not isinstance(command, (Accept, Decline)) or command.match is not None:
            left.commands.append(command)
        elif isinstance(context.recipient, MessageRecipient):  # it is said to the writer
            left.chat = f"{command.line}\n{left.chat}".strip()
        elif _is_about_its_match(context, command) or reading.decision is Decision.HOLD:
            left.commands.append(command)
        else:
            _look_for_question(context, reading, command, left)
    return left


def first_refusal(verdicts: Iterable[str]) -> str:
    return next((verdict for verdict in verdicts if verdict != OK), OK)


def _is_about_its_match(context: CommandContext, command: Accept | Decline) -> bool:
    seat = context.token_seat
    if seat is None:
        return False
    return asked_in(seat) is not None or (isinstance(command, Decline) and asks(seat))


def _look_for_question(
    context: CommandContext, reading: Reading, command: Accept | Decline, left: Bare
) -> None:
    seat, player = context.token_seat, context.player
    asked = Confirmation.objects.open(context.now).filter(player=player, adds_address=False).order_by("pk")
    questions = [each for each in asked.select_related("player", "match") if not each.is_orphaned]
    here = _asked_there(context, questions) or [
        each for each in questions if seat and each.match_id == seat.match_id
    ]
    in_matches = [] if here else asked_of(player)
    if len(here or questions) + len(in_matches) > 1:
        left.verdicts.append(_list(context, here or questions, in_matches, command))
    elif here or questions:
        left.verdicts.append(_to_question(context, reading, (here or questions)[0], command))
    elif in_matches:
        [question] = in_matches
        number = question.seat.match_id
        found = replace(command, match=number, line=_line(context, command, number))
        left.commands.append(found)
        if seat:  # in answer to a letter about another match it may be said of anything
            left.ask.append(found)
    elif seat or only_match(player):
        left.commands.append(command)
    else:
        left.verdicts.append(context.refuse(Refused(Code.OFFER_GONE)))


def _to_question(
    context: CommandContext, reading: Reading, asked: Confirmation, command: Accept | Decline
) -> str:
    sure = reading.vouched and reading.decision in _BELIEVED
    if sure and not asked.doubted and confirmed_commands.proof(asked) is Proof.PROVIDER:
        locked = Confirmation.objects.select_for_update().get(pk=asked.pk)
        return _answered(locked, context.responder, yes=isinstance(command, Accept))
    ask_again(context, asked)
    return Code.CONFIRM_NEEDED


def ask_again(context: CommandContext, asked: Confirmation, cause: str = "") -> None:
    section = {"kind": "confirm", "waits": True, "near": asked.near} | confirmations.told(asked)
    context.reply(section | {"reply_to": answer_address(asked)}, match=asked.match, cause=cause)


def _asked_there(context: CommandContext, questions: Sequence[Confirmation]) -> list[Confirmation]:
    """Those that the letter answered has asked itself."""
    answered = answered_by(context.recipient)
    asks_there = {section.get("reply_to") for section in answered.sections} if answered else set()
    return [each for each in questions if answer_address(each) in asks_there]


def _list(
    context: CommandContext,
    questions: Sequence[Confirmation],
    in_matches: Sequence[Question],
    command: Accept | Decline,
) -> str:
    """Which of them is meant? A question of ours has no number that a line could name: each comes again, in a letter of
    its own that is answered there."""
    for asked in questions[-_MOST_AGAIN:]:
        ask_again(context, asked, cause=f"letter:{context.row.pk}:question:{asked.pk}")
    rows = [
        {
            "line": _line(context, command, question.seat.match_id),
            "what": question.what,
            "name": question.seat.opponent.player.name,
            "game": question.seat.match.game.key,
        }
        for question in in_matches
    ]
    return context.refuse(Refused(Code.WHICH_QUESTION, questions=rows)) if rows else Code.WHICH_QUESTION


def _line(context: CommandContext, command: Accept | Decline, number: int) -> str:
    """What says the same with the number of the match."""
    said = "confirming" if isinstance(command, Accept) else "refusing"
    word = _WORDS.of(context.player.language, said)[0].upper()
    reason = command.reason if isinstance(command, Decline) else ""
    return f"{word} {number} {reason}".strip()


def _answered(asked: Confirmation, responder: Responder, *, yes: bool, beside: str = "") -> str:
    _closed(asked, responder, yes=yes)
    if not yes:
        return _denied(asked, responder, beside)
    assert asked.player
    if yes_or_no.is_over(asked):
        context = CommandContext(responder, asked.player, recipient=None)
        return context.refuse(Refused(Code.OFFER_GONE, match=asked.match))
    if asked.adds_address and asked.player.suspended_at:
        return CommandContext(responder, asked.player, recipient=None).refuse(Refused(Code.SUSPENDED))
    if asked.adds_address:
        return addresses.confirmed(asked, responder)
    return first_refusal(confirmed_commands.done(asked, responder, beside))


def _closed(asked: Confirmation, responder: Responder, *, yes: bool) -> Confirmation:
    asked.used_at, asked.agreed = responder.letter.received_at, yes
    asked.save(update_fields=["used_at", "agreed"])
    return asked


def _denied(asked: Confirmation, responder: Responder, beside: str) -> str:
    """What was asked about is not done; a player hears so, and strangers are left in peace. What the opponent asks is
    declined."""
    if line := yes_or_no.declining(asked):
        asked.lines = [line]
        return first_refusal(confirmed_commands.done(asked, responder, beside))
    confirmed_commands.tell_unsaid(asked, responder, beside)
    if asked.player and not asked.adds_address:
        context = CommandContext(responder, asked.player, recipient=None)
        if asked.near and personal.words_asked_about(asked):
            return personal.take_after_all(context, asked)
        if meant_for_opponent.reader(asked):
            return meant_for_opponent.tell(context, asked)
        if not asked.doubted:  # else their addresses change, and letters say so
            lines = asked.lines or [asked.message]
            context.reply({"kind": "answered", "closed": True, "lines": lines}, match=asked.match)
    return confirmations.denied(asked, responder.now)
