"""Signs strangers up after a YES from their mailbox, with the commands that come along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.inbox.commands import newcomers
from pbem.inbox.commands.parser import Understood
from pbem.inbox.dialogue import confirmations, confirmed_commands
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK, Confirmation
from pbem.inbox.newcomers import goodbye, sign_up_answers, strangers
from pbem.inbox.newcomers.sign_up_answers import AtOnce
from pbem.inbox.newcomers.strangers import refusal_of_name, sketched, words_beside
from pbem.inbox.recipient import PlayRecipient
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


def take_name(asked: Confirmation, reading: InterpretedMessage, responder: Responder) -> str:
    """Handles the answer of an invited stranger: YES or REGISTER with a name signs up, with the commands
    beside it.

    A name alone is asked about, as it may be a greeting, and so is a match alone.
    """
    said = sign_up_answers.read(asked, reading)
    if said.agreed is False:
        asked.used_at = responder.letter.received_at
        asked.save(update_fields=["used_at"])
        goodbye.say(asked.address, responder, language=asked.language)
        return OK
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
        asked.agreed, asked.used_at = True, responder.letter.received_at
        asked.save(update_fields=["agreed", "used_at"])
        return sign_up(asked, reading, responder)
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


def add_what_stands_beside(asked: Confirmation, reading: InterpretedMessage) -> None:
    """Adds commands and text beside the YES."""
    _keep_asked(asked, reading)
    _add(asked, sign_up_answers.with_yes(reading, asked.language))


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
