"""Signs strangers up after a YES from their mailbox, with the commands that come along."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pbem.inbox.commands import newcomers
from pbem.inbox.commands.farewell import wants_no_letters
from pbem.inbox.commands.parser import Understood
from pbem.inbox.dialogue import confirmations, confirmed_commands
from pbem.inbox.dialogue.acts import Act, State
from pbem.inbox.dialogue.confirmation_replies import answered, ask_about_terms, lock, other_terms
from pbem.inbox.dialogue.confirmed_commands import closed
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK, Confirmation
from pbem.inbox.newcomers import goodbye, sign_up_answers, strangers
from pbem.inbox.newcomers.sign_up_answers import AtOnce
from pbem.inbox.newcomers.strangers import refusal_of_name, sketched, words_beside
from pbem.inbox.recipient import ConfirmRecipient, PlayRecipient
from pbem.inbox.resolver import answer_address
from pbem.inbox.responder import Responder
from pbem.inbox.sketched_wish import game_in
from pbem.mail.parsing.headers import sent_at
from pbem.mail.parsing.redact_addresses import relayed_to_stranger
from pbem.outbox.notifications.direct_messages import welcome
from pbem.outbox.notifications.notify import Section
from pbem.players.models import Player
from pbem.players.services import check_name, register, suggested_name
from pbem.refusals import Code, Refused


def answer(recipient: ConfirmRecipient, reading: InterpretedMessage, responder: Responder) -> str:
    """Carries out a stranger's answer to the question whether to sign up."""
    asked, state = lock(recipient)
    return ANSWERS[state, _read(asked, reading)](asked, reading, responder)


def _read(asked: Confirmation, reading: InterpretedMessage) -> Act:
    if wants_no_letters(reading.letter.lines):
        return Act.LEAVE
    agreed = answered(asked, reading).agreed
    if agreed is not False and other_terms(asked, reading):
        return Act.TERMS
    if not asked.name or sign_up_answers.is_more_than(agreed, asked, reading):
        return Act.DENY if sign_up_answers.read(asked, reading).agreed is False else Act.NAME
    return {True: Act.AFFIRM, False: Act.DENY, None: Act.OTHER}[agreed]


def _agree(asked: Confirmation, reading: InterpretedMessage, responder: Responder) -> str:
    responder.has_proved(asked.address)
    _keep_asked(asked, reading)
    _add(asked, sign_up_answers.with_yes(reading, asked.language))
    return sign_up(closed(asked, responder, yes=True), reading, responder)


def _deny(asked: Confirmation, reading: InterpretedMessage, responder: Responder) -> str:
    closed(asked, responder, yes=False)
    goodbye.say(asked.address, responder, language=asked.language)
    return OK


def _leave(asked: Confirmation, reading: InterpretedMessage, responder: Responder) -> str:
    """Declines the question and stops all letters to the stranger."""
    if not asked.used_at:
        closed(asked, responder, yes=False)
    return goodbye.leave(asked.address, reading, responder, language=asked.language)


def _ask_again(asked: Confirmation, reading: InterpretedMessage, responder: Responder) -> str:
    explains = newcomers.asks_about_us(reading.letter.lines)
    organiser = strangers.take_answer(asked, reading, responder)
    return confirmations.ask_again(asked, responder, explains=explains, organiser=organiser)


def _take_name(asked: Confirmation, reading: InterpretedMessage, responder: Responder) -> str:
    """YES or REGISTER with a name signs up, with the commands beside it. A name alone is asked about, as it may
    be a greeting, and so is a match alone."""
    said = sign_up_answers.read(asked, reading)
    spoken = newcomers.spoken_in("", reading.letter.lines)
    language = said.language or spoken or asked.language
    found = sign_up_answers.with_yes(reading, language)
    name = said.name or asked.name
    if not name and (said.agreed or found.lines):
        name = suggested_name(reading.summary.sender_name, asked.address)
    section: Section = {"reply_to": answer_address(asked)}
    if not name or talk.is_greeting(name):
        organiser = strangers.take_answer(asked, reading, responder)
        likely = suggested_name(reading.summary.sender_name, asked.address)
        section |= {"kind": "invitation", "unclear": True, "organiser": organiser, "name": likely}
        section |= sketched(reading)
        section |= {"proposed": True, "game": game_in(asked.lines[1:])} if asked.near else {}
        responder.tell_address(asked.address, section, language=asked.language)
        return OK if organiser else Code.NO_MOVE_FOUND
    asked.language = language
    refused = _refused(name)
    agreed = bool(said.agreed)
    _keep_asked(asked, reading)
    asked.lines = [asked.name if refused else name, *asked.lines[1:]]
    _add(asked, found, found.said if agreed or asked.near else found.lines)
    if refused:
        return _refuse(asked, refused, name, reading, responder)
    if agreed:
        return sign_up(closed(asked, responder, yes=True), reading, responder)
    section = _question(asked) | {"name": name, "example": found.example}
    responder.tell_address(asked.address, section, language=asked.language)
    return Code.CONFIRM_NEEDED


def _refused(name: str) -> Refused | None:
    try:
        check_name(name)
    except Refused as refused:
        return refused
    return None


def _refuse(
    asked: Confirmation, refused: Refused, name: str, reading: InterpretedMessage, responder: Responder
) -> str:
    """Refuses the name; the other commands wait for the proposed one."""
    section = refusal_of_name(refused, name, reading.summary.sender_name, asked.address)
    if section["kind"] == "signup":
        asked.lines, asked.agreed, asked.used_at = [section["name"], *asked.lines[1:]], False, None
        asked.save(update_fields=["lines", "agreed", "used_at"])
    responder.tell_address(asked.address, _question(asked) | section, language=asked.language)
    return refused.code


def _question(asked: Confirmation) -> Section:
    """The section of the question: what a YES does beside signing up, and the reply address."""
    return {
        "kind": "signup",
        "reply_to": answer_address(asked),
        "lines": asked.lines[1:],
        "proposed": asked.near,
        "game": game_in(asked.lines[1:]),
        "message": relayed_to_stranger(asked.message),
        "is_actor": True,
    }


def _keep_asked(asked: Confirmation, reading: InterpretedMessage) -> None:
    """Keeps what the answer leaves of the commands asked about."""
    still = sign_up_answers.still_asked(asked, reading)
    asked.lines, asked.near = [asked.name, *still], asked.near and bool(still)


def _add(asked: Confirmation, found: AtOnce, lines: Sequence[str] | None = None) -> None:
    new = found.said if lines is None else lines
    asked.lines = [*asked.lines, *(line for line in new if line not in asked.lines)][
        : 1 + sign_up_answers.MOST
    ]
    if not asked.near:  # a robot reads nothing
        asked.message = asked.message or words_beside(found.beside, asked.lines[1:], asked.name)
    asked.save(update_fields=["lines", "message", "near", "language"])


def sign_up(asked: Confirmation, reading: InterpretedMessage, responder: Responder) -> str:
    """Signs up the stranger after a YES from the mailbox, and runs the commands below the name.

    Near commands are asked about. The welcome is not capped, as it is sent once.
    """
    name, row, now = asked.name, responder.letter, responder.now
    sent = sent_at(bytes(row.raw))
    try:
        player = register(name=name, email=asked.address, language=asked.language, now=now, sent=sent)
    except Refused as refused:
        return _refuse(asked, refused, name, reading, responder)
    welcome(player, f"letter:{row.pk}", sent, now=now)
    row.player = player
    verdicts = confirmed_commands.begun(asked, responder) if asked.lines[1:] else []
    _answer_questions(player, reading, responder)
    found = sign_up_answers.with_yes(reading, asked.language)
    said_before = found.example and asked.lines[1:]  # `and hello to the robot`
    if not said_before and (left := sign_up_answers.unsaid(found.meant, asked)):
        meant = Understood(asks=left, beside="\n".join(found.beside))
        context = CommandContext(responder, player, PlayRecipient())
        confirmations.ask_what_is_meant(context, replace(reading, player=player, understood=meant))
    return next((verdict for verdict in verdicts if verdict != OK), OK)


def _answer_questions(player: Player, reading: InterpretedMessage, responder: Responder) -> None:
    """Answers questions beside the YES, about a game or the service."""
    context = CommandContext(responder, player, PlayRecipient())
    asked = [line for line in reading.letter.lines if "?" in line]
    if game := game_in(asked):
        context.reply({"kind": "game", "game": game})
    if newcomers.asks_about_us(asked):
        context.reply({"kind": "about"})


ANSWERS: Mapping[tuple[State, Act], Callable[[Confirmation, InterpretedMessage, Responder], str]] = {
    (State.OPEN, Act.AFFIRM): _agree,
    (State.OPEN, Act.DENY): _deny,
    (State.OPEN, Act.NAME): _take_name,
    (State.OPEN, Act.TERMS): ask_about_terms,
    (State.OPEN, Act.OTHER): _ask_again,
    (State.OPEN, Act.LEAVE): _leave,
    (State.OVER, Act.AFFIRM): confirmations.expired,
    (State.OVER, Act.DENY): confirmations.expired,
    (State.OVER, Act.NAME): confirmations.expired,
    (State.OVER, Act.TERMS): confirmations.expired,
    (State.OVER, Act.OTHER): confirmations.expired,
    (State.OVER, Act.LEAVE): _leave,
}
