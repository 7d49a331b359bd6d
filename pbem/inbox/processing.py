"""Carries out what a letter asks, as far as its sender is believed; the caller's transaction, one verdict."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from pbem.inbox import (
    as_read,
    confirmation_outcomes,
    confirmation_replies,
    goodbye,
    invitation_replies,
    letter_questions,
    moves_instead,
    personal,
    second_thoughts,
    strangers,
    strangers_words,
)
from pbem.inbox.bounces import take_back
from pbem.inbox.commands.account import newcomers
from pbem.inbox.copies import is_copy
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.inbox.lost import answer_lost
from pbem.inbox.models import OK, RELEASED, InboundMail
from pbem.inbox.new_wishes import drops
from pbem.inbox.reactivation import reactivate, tell_what_was_missed
from pbem.inbox.recipient import (
    ConfirmRecipient,
    InvitationRecipient,
    LetterRecipient,
    LostRecipient,
    MessageRecipient,
    MoveRecipient,
    NeverRecipient,
    Recipient,
    UnsubscribeRecipient,
)
from pbem.inbox.responder import Responder
from pbem.inbox.shunt import done_with
from pbem.inbox.vacation import note_absence
from pbem.inbox.verdicts import unanswered, unsearched
from pbem.mail.authentication.policy import Decision, Dmarc
from pbem.matches.models import Match
from pbem.outbox.notifications.notify import told
from pbem.outbox.notifications.unsubscribe import unsubscribe
from pbem.players.services import leave_in_peace, stop
from pbem.refusals import Code, Refused


def process(row: InboundMail, reading: Reading, now: datetime) -> None:
    """Do everything, write the verdict. Every path ends in exactly one."""
    row.player = reading.player
    row.match = _match(reading)
    row.reading = reading.facts | {name: row.reading[name] for name in (RELEASED,) if name in row.reading}
    responder = Responder(row, reading.identified, now, asked=_asked(reading))
    revived = reactivate(reading, now)
    row.verdict = _verdict(reading, responder)
    responder.last_words()
    note_absence(row, reading, now)
    tell_what_was_missed(row, reading, revived, now)
    row.reading |= responder.facts
    row.complete(player=row.player, match=row.match, reading=row.reading, verdict=row.verdict, opened_at=now)
    done_with(row, now)  # only now: what it asked for was done on a board where nobody's time ran


def _asked(reading: Reading) -> str:
    """The address where our question was read, if the answer comes from there; "" where nobody knows."""
    address = reading.recipient.asked if reading.recipient else ""
    return address if reading.dmarc is Dmarc.PASS and address == reading.sender.lower() else ""


def _verdict(reading: Reading, responder: Responder) -> str:
    recipient = reading.recipient
    if recipient is None:
        return Code.REVOKED  # the salt changed while the letter waited
    if verdict := take_back(responder.letter, reading, responder.now):
        return verdict
    if isinstance(recipient, UnsubscribeRecipient):  # some mail programs say that they wrote it themselves
        player, now = recipient.player, responder.now
        unsubscribe(player, partial(stop, player, recipient.subscription, now=now), now=now)
        return OK
    if isinstance(recipient, NeverRecipient):
        leave_in_peace(recipient.address, now=responder.now)
        return OK
    if is_copy(responder.letter, reading):
        return Code.DUPLICATE
    silent, code = unanswered(reading.glance, reading.letter), unsearched(reading.letter)
    if silent:
        return code or silent
    if code:
        return _refuse_unsearched(reading, code, responder)
    if isinstance(recipient, LostRecipient) and responder.letter.sender:
        return answer_lost(recipient.purpose, reading, responder)
    if not responder.letter.sender:  # an answer must not go where no bounce may go (RFC 5321, 4.5.5)
        return Code.AUTO_REPLY
    if isinstance(recipient, ConfirmRecipient):
        return _to_question(recipient, reading, responder)
    if isinstance(recipient, InvitationRecipient):
        return invitation_replies.answer(recipient.invitation, reading, responder)
    if isinstance(recipient, LetterRecipient):
        verdict = letter_questions.answer(recipient, reading, responder)
        if verdict is not None:
            return verdict
    if reading.glance.is_spam and not reading.identified and RELEASED not in responder.letter.reading:
        return Code.SPAM_VERDICT
    return _decided(reading, responder)


def _to_question(recipient: ConfirmRecipient, reading: Reading, responder: Responder) -> str:
    """YES or NO, or something else that is done, or asked about, in its place."""
    asked = recipient.confirmation
    if also := confirmation_replies.beside_yes(recipient, reading):
        verdict = confirmation_outcomes.agree(asked, responder)
        return confirmation_outcomes.first_refusal((_decided(also, responder), verdict))
    if played := moves_instead.plays_instead(recipient, reading):
        confirmation_outcomes.close(asked, responder)
        return _decided(played, responder)
    if wish := confirmation_replies.wishes_instead(recipient, reading):
        declined = confirmation_replies.drop(asked, reading, responder) if drops(wish) else OK
        return confirmation_outcomes.first_refusal((_decided(wish, responder), declined))
    return confirmation_replies.answer(recipient, reading, responder)


def _refuse_unsearched(reading: Reading, code: str, responder: Responder) -> str:
    """Only a player who is known to have written it hears that their letter was too much."""
    unknown = (Decision.HOLD, Decision.NOTICE, Decision.SIGN_UP, Decision.SILENCE)
    if reading.player and reading.decision not in unknown:
        return CommandContext(responder, reading.player, reading.recipient).refuse(Refused(code))
    return code


def _decided(reading: Reading, responder: Responder) -> str:
    """The decision of `pbem.mail.authentication.policy`, before anything that the letter says."""
    player, decision, recipient = reading.player, reading.decision, reading.recipient
    if goodbye.is_said_by_stranger(reading):
        language = newcomers.language_of(reading.glance.subject, reading.letter.lines)
        return goodbye.leave_stranger(reading, responder, language=language)
    if invitation := second_thoughts.regretted(reading):
        return second_thoughts.answer(invitation, reading, responder)
    if decision is Decision.SILENCE:
        return strangers_words.hear(reading, responder)
    if decision is Decision.SIGN_UP or strangers.another_name(reading):
        return strangers.answer_stranger(reading, responder)
    if player is None:
        return _ask_who(reading, responder)
    context = CommandContext(responder, player, recipient)
    if decision is Decision.NOTICE:
        if not told(cause := f"revoked:{_which_address(recipient)}", player.email):
            context.reply({"kind": "notice", "message": isinstance(recipient, MessageRecipient)}, cause=cause)
        return Code.REVOKED
    if reading.surely_theirs and goodbye.is_said_by_player(reading):
        return goodbye.ask_player(context, reading)
    if reading.tested and decision is not Decision.HOLD:
        context.reply(reading.tested)
        if not reading.understood.commands:
            return OK
    if personal.answers_organiser(reading) and personal.words(reading):
        return as_read.to_organiser(context, reading)
    return as_read.as_read(context, reading)


def _ask_who(reading: Reading, responder: Responder) -> str:
    """Each of the players who share the mailbox gets a letter that they can answer: the answer says who they are."""
    for player in reading.sharers:
        CommandContext(responder, player, reading.recipient).refuse(Refused(Code.SHARED_MAILBOX))
    return Code.SHARED_MAILBOX


def _which_address(recipient: Recipient | None) -> str:
    """Of which there is one notice: the letter's, the message's, or the seat's, until it is renewed again."""
    match recipient:
        case LetterRecipient(answered=letter):
            return f"letter:{letter.pk}"
        case MessageRecipient(message=message):
            return f"message:{message.pk}"
        case MoveRecipient(seat=seat):
            return f"{seat.pk}:{len(seat.revoked_salts)}"
    return ""


def _match(reading: Reading) -> Match | None:
    return reading.recipient.match if reading.recipient else None
