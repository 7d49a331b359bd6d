"""The chain of incoming messages: rows of a condition and an action. The first condition that holds claims the message,
and its action returns the verdict; an action that returns None passes the message on.

`CHAIN` looks at the message itself, its last row goes on to `BY_SENDER`, and that to `OF_PLAYERS`, before which
the message is read once more by what its player may be answering.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial

from pbem.inbox import personal, tournament_replies
from pbem.inbox.addresses import answer_lost, reactivate, tell_what_was_missed
from pbem.inbox.bounces import handle_bounce
from pbem.inbox.commands import newcomers
from pbem.inbox.copies import is_copy
from pbem.inbox.dialogue import confirmation_replies, player_message
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.dispatch import first_refusal, handle_all
from pbem.inbox.interpretation import (
    UNSEARCHED,
    InterpretedMessage,
    is_plain_move,
    not_understood,
    unanswered,
)
from pbem.inbox.models import OK, RELEASED, InboundMail
from pbem.inbox.newcomers import first_moves, goodbye, invitation_replies, sign_up, strangers
from pbem.inbox.recipient import (
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
from pbem.mail.authentication.policy import Decision, Dmarc
from pbem.outbox.notifications.direct_messages import unsubscribe
from pbem.outbox.notifications.notify import already_notified
from pbem.players.services import do_not_contact, stop
from pbem.refusals import Code, Refused


@dataclass(frozen=True)
class Message:
    """A message as it was read, and what answers it."""

    reading: InterpretedMessage
    responder: Responder
    known: CommandContext | None = None  # of its player, once there is one

    @property
    def recipient(self) -> Recipient | None:
        return self.reading.recipient

    @cached_property
    def context(self) -> CommandContext:
        """For its commands. Raises ValueError for a message of no player."""
        if self.known:
            return self.known
        if self.reading.player is None:
            raise ValueError("no player has sent it")
        return CommandContext(self.responder, self.reading.player, self.recipient)


Row = tuple[Callable[[Message], object], Callable[[Message], str | None]]


def run(chain: Sequence[Row], message: Message) -> str:
    """Returns the verdict of the row that claims the message. Raises LookupError when none does."""
    for claims, act in chain:
        if claims(message) and (verdict := act(message)):
            return verdict
    raise LookupError("no row of the chain claims the message")


def process(row: InboundMail, reading: InterpretedMessage, now: datetime) -> None:
    """Carries out the letter in the transaction of the caller, and writes its verdict."""
    row.player = reading.player
    row.match = reading.recipient.match if reading.recipient else None
    row.reading = reading.facts | {name: row.reading[name] for name in (RELEASED,) if name in row.reading}
    responder = Responder(row, reading.identified, now, asked=_asked(reading))
    revived = reactivate(reading, now)
    row.verdict = run(CHAIN, Message(reading, responder))
    responder.finish()
    tell_what_was_missed(row, reading, revived, now)
    row.reading |= responder.facts
    row.complete(player=row.player, match=row.match, reading=row.reading, verdict=row.verdict, opened_at=now)
    done_with(row, now)  # last, so that no clock has run while it was carried out


def _asked(reading: InterpretedMessage) -> str:
    """The address that our question went to, when its provider vouches for the answer. Empty otherwise."""
    address = reading.recipient.asked if reading.recipient else ""
    return address if reading.dmarc is Dmarc.PASS and address == reading.sender.lower() else ""


# Whom it is from, and what for


def is_revoked(message: Message) -> bool:
    """The salt of its reply address has changed since it arrived."""
    return message.recipient is None


def is_to(kind: type[Recipient]) -> Callable[[Message], bool]:
    """Returns whether a message is to such an address."""

    def claims(message: Message) -> bool:
        return isinstance(message.recipient, kind)

    claims.__name__ = f"is_to({kind.__name__})"
    return claims


def is_report(message: Message) -> bool:
    return message.reading.report is not None


def has_no_sender(message: Message) -> bool:
    """To an empty envelope sender there is no answer (RFC 5321, 4.5.5)."""
    return not message.responder.letter.sender


def is_spam(message: Message) -> bool:
    released = RELEASED in message.responder.letter.reading
    return message.reading.summary.is_spam and not message.reading.identified and not released


def always(message: Message) -> bool:
    return True


def is_repeated(message: Message) -> bool:
    return is_copy(message.responder.letter, message.reading)


def is_automatic(message: Message) -> bool:
    return bool(unanswered(message.reading.summary, message.reading.letter))


def is_unsearched(message: Message) -> bool:
    return message.reading.letter.verdict in UNSEARCHED


def count_report(message: Message) -> str | None:
    return handle_bounce(message.responder.letter, message.reading, message.responder.now)


def end_subscription(message: Message) -> str:
    """Some mail programs send it as the player's own letter."""
    recipient, now = message.recipient, message.responder.now
    assert isinstance(recipient, UnsubscribeRecipient)
    player = recipient.player
    unsubscribe(player, partial(stop, player, recipient.subscription, now=now), now=now)
    return OK


def leave_alone(message: Message) -> str:
    assert isinstance(message.recipient, DoNotContactRecipient)
    do_not_contact(message.recipient.address, now=message.responder.now)
    return OK


def keep_silent(message: Message) -> str | None:
    reading = message.reading
    searched = reading.letter.verdict not in UNSEARCHED
    return unanswered(reading.summary, reading.letter) if searched else reading.letter.verdict


def refuse_unsearched(message: Message) -> str | None:
    """A letter that is too large or complex; only a proved sender gets an answer."""
    reading, code = message.reading, message.reading.letter.verdict
    unknown = (Decision.HOLD, Decision.NOTICE, Decision.SIGN_UP, Decision.SILENCE)
    if code and reading.player and reading.decision not in unknown:
        return message.context.refuse(Refused(code))
    return code


def decide(message: Message) -> str:
    return run(BY_SENDER, message)


def answer_question(message: Message) -> str:
    recipient, responder = message.recipient, message.responder
    assert isinstance(recipient, ConfirmRecipient)
    if recipient.confirmation.player is None:
        return sign_up.answer(recipient, message.reading, responder)
    return confirmation_replies.answer(
        recipient, message.reading, responder, lambda read: decide(Message(read, responder))
    )


def answer_invitation(message: Message) -> str:
    assert isinstance(message.recipient, InvitationRecipient)
    return invitation_replies.answer(message.recipient.invitation, message.reading, message.responder)


def answer_our_letter(message: Message) -> str | None:
    assert isinstance(message.recipient, LetterRecipient)
    return tournament_replies.answer_letter(message.recipient, message.reading, message.responder)


def has_code(code: str) -> Callable[[Message], str]:
    return lambda message: code


def to_sender(act: Callable[[InterpretedMessage, Responder], str]) -> Callable[[Message], str]:
    return lambda message: act(message.reading, message.responder)


# Who has sent it, and whether they are believed


def is_plain(message: Message) -> bool:
    """One move in answer to the turn that is, and no word: nothing else is asked about such a message."""
    reading = message.reading
    if reading.player is None or reading.decision is not Decision.APPLY:
        return False
    plain = is_plain_move(reading.recipient, reading.understood)
    return plain and not message.responder.answers_are_used_up(reading.player)


def play(message: Message) -> str:
    return first_refusal(handle_all(message.context, message.reading.understood.commands, chat=""))


def says_goodbye(message: Message) -> bool:
    return goodbye.is_said_by_stranger(message.reading)


def say_goodbye(message: Message) -> str:
    reading = message.reading
    language = newcomers.language_of(reading.summary.subject, reading.letter.lines)
    return goodbye.leave_stranger(reading, message.responder, language=language)


def regrets(message: Message) -> bool:
    """Takes back a yes to an invitation."""
    return first_moves.regretted(message.reading) is not None


def answer_regretted(message: Message) -> str | None:
    invitation = first_moves.regretted(message.reading)
    return first_moves.answer(invitation, message.reading, message.responder) if invitation else None


def is_silenced(message: Message) -> bool:
    return message.reading.decision is Decision.SILENCE


def is_noticed(message: Message) -> bool:
    return message.reading.decision is Decision.NOTICE


def signs_up(message: Message) -> bool:
    return message.reading.decision is Decision.SIGN_UP or strangers.another_name(message.reading)


def is_shared(message: Message) -> bool:
    return message.reading.player is None


def ask_who(message: Message) -> str:
    """Sends each player of a shared mailbox a letter; the answer to it tells them apart."""
    for player in message.reading.sharers:
        CommandContext(message.responder, player, message.recipient).refuse(Refused(Code.SHARED_MAILBOX))
    return Code.SHARED_MAILBOX


def notice(message: Message) -> str:
    """Tells once that a reply address was revoked."""
    context, recipient = message.context, message.recipient
    if not already_notified(cause := f"revoked:{_which_address(recipient)}", context.player.email):
        context.reply({"kind": "notice", "message": isinstance(recipient, MessageRecipient)}, cause=cause)
    return Code.REVOKED


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


def leaves(message: Message) -> bool:
    return message.reading.surely_theirs and goodbye.is_said_by_player(message.reading)


def answers_organiser(message: Message) -> bool:
    return personal.answers_organiser(message.reading) and bool(personal.words(message.reading))


def go_on(message: Message) -> str:
    """Reads the message in the context of its player, where something may wait for an answer."""
    context = message.context
    reading = player_message.in_context(context, message.reading)
    return run(OF_PLAYERS, Message(reading, message.responder, context))


# What a player says


def is_to_robot(message: Message) -> str:
    return player_message.words_to_robot(message.context, message.reading)


def answer_for_robot(message: Message) -> str:
    """Carries out the commands, and answers the words to a robot ourselves."""
    context, reading = message.context, message.reading
    words = player_message.words_to_robot(context, reading)
    verdict, alone = OK, not (reading.understood.commands or reading.understood.asks)
    if not alone:
        verdict = run(OF_PLAYERS, Message(player_message.without(reading), message.responder, context))
    if not player_message.is_answered(reading):
        player_message.answer_words_to_robot(context, words, alone=alone)
    return verdict


def verdict_of(message: Message) -> str | None:
    return not_understood(message.reading.letter, message.reading.understood)


def is_understood(message: Message) -> bool:
    return not verdict_of(message)


def is_held(message: Message) -> bool:
    """The sender is not known."""
    return message.reading.decision is Decision.HOLD


def is_unread(message: Message) -> bool:
    """It has text, and neither a command nor a move."""
    return verdict_of(message) == Code.NO_MOVE_FOUND


def is_unread_of_known(message: Message) -> bool:
    return is_unread(message) and not is_held(message)


def may_move_in_subject(message: Message) -> bool:
    return message.reading.surely_theirs and verdict_of(message) in player_message.WITHOUT_MOVE


def is_for_organiser(message: Message) -> bool:
    return not is_held(message) and personal.is_for_organiser(message.reading, verdict_of(message))


def is_talk(message: Message) -> bool:
    return is_unread(message) and player_message.is_talk(message.context, message.reading)


def has_too_many_answers(message: Message) -> bool:
    used_up = message.responder.answers_are_used_up(message.context.player)
    return used_up and bool(personal.words(message.reading))


def ask_later(message: Message) -> str | None:
    player_message.ask_about_all(message.context, message.reading)
    return verdict_of(message)


def is_unclear(message: Message) -> bool:
    return is_unread(message) and message.reading.surely_theirs


def refuse(message: Message) -> str:
    return player_message.refuse_all(message.context, verdict_of(message) or "", message.reading)


def by(act: Callable[[CommandContext, InterpretedMessage], str | None]) -> Callable[[Message], str | None]:
    return lambda message: act(message.context, message.reading)


CHAIN: Sequence[Row] = (
    (is_revoked, has_code(Code.REVOKED)),
    (is_report, count_report),
    (is_to(UnsubscribeRecipient), end_subscription),
    (is_to(DoNotContactRecipient), leave_alone),
    (is_repeated, has_code(Code.DUPLICATE)),
    (is_automatic, keep_silent),
    (is_unsearched, refuse_unsearched),
    (has_no_sender, has_code(Code.AUTO_REPLY)),
    (is_to(LostRecipient), to_sender(answer_lost)),
    (is_to(ConfirmRecipient), answer_question),
    (is_to(InvitationRecipient), answer_invitation),
    (is_to(LetterRecipient), answer_our_letter),
    (is_spam, has_code(Code.SPAM_VERDICT)),
    (always, decide),
)
BY_SENDER: Sequence[Row] = (
    (is_plain, play),
    (says_goodbye, say_goodbye),
    (regrets, answer_regretted),
    (is_silenced, to_sender(strangers.pass_to_organiser)),
    (signs_up, to_sender(strangers.answer_stranger)),
    (is_shared, ask_who),
    (is_noticed, notice),
    (leaves, by(goodbye.ask_player)),
    (answers_organiser, by(player_message.to_organiser)),
    (always, go_on),
)
OF_PLAYERS: Sequence[Row] = (
    (is_to_robot, answer_for_robot),
    (may_move_in_subject, by(player_message.ask_about_subject)),
    (is_unread_of_known, by(player_message.to_a_person)),
    (is_unread_of_known, by(player_message.only_thanks)),
    (is_unread_of_known, by(player_message.about_games)),
    (is_unread_of_known, by(player_message.ask_what_is_near)),
    (is_for_organiser, by(personal.take)),
    (is_understood, by(player_message.carry_out)),
    (is_talk, by(player_message.pass_on)),
    (is_held, verdict_of),
    (has_too_many_answers, ask_later),
    (is_unclear, by(player_message.ask_what_is_guessed)),
    (always, refuse),
)
