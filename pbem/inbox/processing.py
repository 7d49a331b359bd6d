"""Processes an interpreted letter in the caller's transaction, up to its one verdict."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from django.conf import settings

from pbem.inbox import (
    confirmation_replies,
    confirmed_commands,
    first_moves,
    goodbye,
    invitation_replies,
    moves_instead,
    personal,
    player_message,
    strangers,
    tournament_replies,
)
from pbem.inbox.addresses import reactivate, tell_what_was_missed
from pbem.inbox.commands.account import newcomers
from pbem.inbox.copies import is_copy
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK, RELEASED, InboundMail
from pbem.inbox.new_wishes import drops
from pbem.inbox.recipient import (
    BounceRecipient,
    ConfirmRecipient,
    DoNotContactRecipient,
    InvitationRecipient,
    LetterRecipient,
    LostRecipient,
    MessageRecipient,
    MoveRecipient,
    Recipient,
    UnsubscribeRecipient,
)
from pbem.inbox.responder import Responder
from pbem.inbox.shunt import done_with
from pbem.inbox.verdicts import unanswered, unsearched
from pbem.mail.authentication.policy import Decision, Dmarc
from pbem.mail.parsing.bounce import Bounce, Complaint
from pbem.matches.models import Match
from pbem.outbox.delivery.bounces import arrived, came_back, count, may_be_disturbed
from pbem.outbox.delivery.status_codes import reply_class_of
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import already_notified
from pbem.outbox.notifications.unsubscribe import unsubscribe
from pbem.players.services import complain, do_not_contact, fall_silent, stop
from pbem.players.tokens import LIFETIME_DAYS, Purpose
from pbem.refusals import Code, Refused

# Answers to letters that a restore has lost

NOT_ANSWERED = {Purpose.BOUNCE, Purpose.UNSUBSCRIBE, Purpose.NEVER}  # these ask for nothing


def answer_lost(purpose: str, reading: InterpretedMessage, responder: Responder) -> str:
    """Answers a letter to a lost reply address with the player's matches, or a hint to sign up again."""
    if purpose in NOT_ANSWERED or reading.dmarc is Dmarc.FAIL:
        return Code.LOST
    players = (reading.player,) if reading.player else reading.sharers
    for player in players:
        context = CommandContext(responder, player, reading.recipient)
        context.refuse(Refused(Code.LOST))
        context.reply({"kind": "games"})
    if players:
        return Code.LOST
    section = {"kind": "refused", "code": Code.LOST_SIGN_UP}
    if not may_be_disturbed(reading.sender) or not responder.may_tell_stranger(reading.sender):
        return Code.LOST_SIGN_UP  # the address permits any From
    responder.tell_address(reading.sender, section, language=settings.LANGUAGE_CODE)
    return Code.LOST_SIGN_UP


# Bounces and complaints

LATELY = timedelta(days=LIFETIME_DAYS[Purpose.BOUNCE] or 0)


def handle_bounce(row: InboundMail, reading: InterpretedMessage, now: datetime) -> str | None:
    """The verdict of a bounce or a complaint. None for other letters."""
    match reading.report:
        case Complaint() as complaint:
            return _complaint(row, reading, complaint, now)
        case Bounce() as bounce:
            return _bounce(row, reading, bounce, now)
        case None:
            return None


def _complaint(row: InboundMail, reading: InterpretedMessage, complaint: Complaint, now: datetime) -> str:
    if complaint.withdrawn:
        return Code.RECEIPT
    letter = _named(reading, complaint.original_message_id, now)
    if letter:
        row.player = letter.player
        count(letter, Code.COMPLAINT, now=now, reply=complaint.kind, report=row.pk)
        if letter.player:
            silence = fall_silent if complaint.unsubscribes else complain
            unsubscribe(letter.player, partial(silence, letter.player, now=now), now=now)
        else:
            do_not_contact(letter.address, now=now)
    return Code.COMPLAINT


def _bounce(row: InboundMail, reading: InterpretedMessage, bounce: Bounce, now: datetime) -> str | None:
    kind = reading.summary.automatic
    if not (kind == "bounce" or (kind == "loop" and bounce.status) or (kind is None and not row.sender)):
        return Code.BOUNCE if kind is None else None  # an autoreply or a person at the bounce address
    named = _named(reading, bounce.original_message_id, now)
    if bounce.action == "delivered":
        if named:
            arrived(named, now=now)
        return Code.RECEIPT
    letter = named or _lately_to(bounce.recipient, now)
    fate = _fate(bounce)
    if letter and fate:
        row.player = letter.player
        came_back(letter, fate, now=now, reply=bounce.reply, report=row.pk, proved=named is not None)
    return Code.BOUNCE


def _fate(bounce: Bounce) -> str:
    """The code of the failure. Empty when nothing failed. Unknown reasons count as temporary."""
    if not bounce.failed:
        return ""
    fate = reply_class_of(bounce.reply)
    return Code.SOFT if fate == Code.UNKNOWN_REPLY else fate


def _named(reading: InterpretedMessage, message_id: str, now: datetime) -> OutboundMail | None:
    """The letter that has provably bounced. None when it is not known."""
    # Only the reader's servers know the return address and the Message-ID, so a forged bounce has neither.
    if isinstance(reading.recipient, BounceRecipient):
        return reading.recipient.letter
    lately = OutboundMail.objects.filter(created_at__gt=now - LATELY).select_related("player")
    return lately.filter(message_id=message_id).first() if message_id else None


def _lately_to(recipient: str, now: datetime) -> OutboundMail | None:
    """The letter that may have bounced. It is shown to the organiser and not counted."""
    sent = OutboundMail.objects.filter(address=recipient, sent_at__gt=now - LATELY).select_related("player")
    return sent.order_by("pk").last() if recipient else None


def process(row: InboundMail, reading: InterpretedMessage, now: datetime) -> None:
    """Carries out the letter and writes its verdict."""
    row.player = reading.player
    row.match = _match(reading)
    row.reading = reading.facts | {name: row.reading[name] for name in (RELEASED,) if name in row.reading}
    responder = Responder(row, reading.identified, now, asked=_asked(reading))
    revived = reactivate(reading, now)
    row.verdict = _verdict(reading, responder)
    responder.finish()
    tell_what_was_missed(row, reading, revived, now)
    row.reading |= responder.facts
    row.complete(player=row.player, match=row.match, reading=row.reading, verdict=row.verdict, opened_at=now)
    done_with(row, now)  # last, so that no clock has run while it was carried out


def _asked(reading: InterpretedMessage) -> str:
    """The address that our question went to, when its provider vouches for the answer. Empty otherwise."""
    address = reading.recipient.asked if reading.recipient else ""
    return address if reading.dmarc is Dmarc.PASS and address == reading.sender.lower() else ""


def _verdict(reading: InterpretedMessage, responder: Responder) -> str:
    recipient = reading.recipient
    if recipient is None:
        return Code.REVOKED  # the salt has changed since the letter arrived
    if verdict := handle_bounce(responder.letter, reading, responder.now):
        return verdict
    if isinstance(recipient, UnsubscribeRecipient):  # some mail programs send it as the player's own letter
        player, now = recipient.player, responder.now
        unsubscribe(player, partial(stop, player, recipient.subscription, now=now), now=now)
        return OK
    if isinstance(recipient, DoNotContactRecipient):
        do_not_contact(recipient.address, now=responder.now)
        return OK
    if is_copy(responder.letter, reading):
        return Code.DUPLICATE
    silent, code = unanswered(reading.summary, reading.letter), unsearched(reading.letter)
    if silent:
        return code or silent
    if code:
        return _refuse_unsearched(reading, code, responder)
    if isinstance(recipient, LostRecipient) and responder.letter.sender:
        return answer_lost(recipient.purpose, reading, responder)
    if not responder.letter.sender:  # no answer to an empty envelope sender (RFC 5321, 4.5.5)
        return Code.AUTO_REPLY
    if isinstance(recipient, ConfirmRecipient):
        return _to_question(recipient, reading, responder)
    if isinstance(recipient, InvitationRecipient):
        return invitation_replies.answer(recipient.invitation, reading, responder)
    if isinstance(recipient, LetterRecipient):
        verdict = tournament_replies.answer_letter(recipient, reading, responder)
        if verdict is not None:
            return verdict
    if reading.summary.is_spam and not reading.identified and RELEASED not in responder.letter.reading:
        return Code.SPAM_VERDICT
    return _decided(reading, responder)


def _to_question(recipient: ConfirmRecipient, reading: InterpretedMessage, responder: Responder) -> str:
    """Handles YES or NO to a question, or another request in its place."""
    asked = recipient.confirmation
    if also := confirmation_replies.beside_yes(recipient, reading):
        verdict = confirmed_commands.agree(asked, responder)
        return confirmed_commands.first_refusal((_decided(also, responder), verdict))
    if played := moves_instead.plays_instead(recipient, reading):
        confirmed_commands.close(asked, responder)
        return _decided(played, responder)
    if wish := confirmation_replies.wishes_instead(recipient, reading):
        declined = confirmation_replies.drop(asked, reading, responder) if drops(wish) else OK
        return confirmed_commands.first_refusal((_decided(wish, responder), declined))
    return confirmation_replies.answer(recipient, reading, responder)


def _refuse_unsearched(reading: InterpretedMessage, code: str, responder: Responder) -> str:
    """Refuses a letter that is too large or complex; only a proved sender gets an answer."""
    unknown = (Decision.HOLD, Decision.NOTICE, Decision.SIGN_UP, Decision.SILENCE)
    if reading.player and reading.decision not in unknown:
        return CommandContext(responder, reading.player, reading.recipient).refuse(Refused(code))
    return code


def _decided(reading: InterpretedMessage, responder: Responder) -> str:
    """Acts on the decision of `pbem.mail.authentication.policy`."""
    player, decision, recipient = reading.player, reading.decision, reading.recipient
    if goodbye.is_said_by_stranger(reading):
        language = newcomers.language_of(reading.summary.subject, reading.letter.lines)
        return goodbye.leave_stranger(reading, responder, language=language)
    if invitation := first_moves.regretted(reading):
        return first_moves.answer(invitation, reading, responder)
    if decision is Decision.SILENCE:
        return strangers.pass_to_organiser(reading, responder)
    if decision is Decision.SIGN_UP or strangers.another_name(reading):
        return strangers.answer_stranger(reading, responder)
    if player is None:
        return _ask_who(reading, responder)
    context = CommandContext(responder, player, recipient)
    if decision is Decision.NOTICE:
        if not already_notified(cause := f"revoked:{_which_address(recipient)}", player.email):
            context.reply({"kind": "notice", "message": isinstance(recipient, MessageRecipient)}, cause=cause)
        return Code.REVOKED
    if reading.surely_theirs and goodbye.is_said_by_player(reading):
        return goodbye.ask_player(context, reading)
    if personal.answers_organiser(reading) and personal.words(reading):
        return player_message.to_organiser(context, reading)
    return player_message.dispatch(context, reading)


def _ask_who(reading: InterpretedMessage, responder: Responder) -> str:
    """Sends each player of a shared mailbox a letter; the answer to it tells them apart."""
    for player in reading.sharers:
        CommandContext(responder, player, reading.recipient).refuse(Refused(Code.SHARED_MAILBOX))
    return Code.SHARED_MAILBOX


def _which_address(recipient: Recipient | None) -> str:
    """The key for one notice per revoked address of a letter, a message or a seat."""
    match recipient:
        case LetterRecipient(answered=letter):
            return f"letter:{letter.pk}"
        case MessageRecipient(message=message):
            return f"message:{message.pk}"
        case MoveRecipient(seat=seat):
            return f"{seat.pk}:{len(seat.revoked_salts)}"
    return ""


def _match(reading: InterpretedMessage) -> Match | None:
    return reading.recipient.match if reading.recipient else None
