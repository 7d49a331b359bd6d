"""Text for the organiser, and text to robots, which we answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext, override

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.match_commands import Accept, Decline, Move
from pbem.inbox.commands.parser import Understood
from pbem.inbox.commands.suggestions import mistyped_verbs
from pbem.inbox.commands.verbs import ADDRESSING_US, COURTESIES, SALUTATIONS
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK, Confirmation, PersonalMessage
from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.recipient import PlayRecipient, Recipient
from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.unnumbered import MoveShapes
from pbem.intents import has_intent
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.parsing.letter import Letter, read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.redact_addresses import CUT
from pbem.matches.models import Match
from pbem.outbox.notifications.notify import Section, already_notified, write_to_address
from pbem.players.models import Player
from pbem.refusals import Code, Refused
from pbem.wording import fold

LETTERS = {"organiser", "announcement", "event", "print_asks"}  # kinds of letters that a person has written
LONGEST = 10_000  # characters kept
FEWEST = 5  # words; shorter text is a mistyped command
MOST_SEARCHED = 20  # lines searched for a move
_WORD = re.compile(r"[^\W\d_]{2,}")


def answers_organiser(reading: InterpretedMessage) -> bool:
    return reading.answered in LETTERS


def for_the_program(reading: InterpretedMessage) -> Understood:
    """The commands of an answer to the organiser, without YES, NO and moves that name no match.

    Those are meant for the organiser, and would answer an open question or board.
    """
    commands = tuple(command for command in reading.understood.commands if not _bare(command))
    return replace(reading.understood, commands=commands, verdict=None)


def is_for_organiser(reading: InterpretedMessage, verdict: str | None) -> bool:
    """Whether a new letter to play@ is for the organiser: sentences without a near command or move."""
    if verdict != Code.NO_MOVE_FOUND or not may_be_for_organiser(reading):
        return False
    lines = [line.strip() for line in reading.letter.lines]
    if reading.player is None or mistyped_verbs([reading.summary.subject, *lines], reading.player.language):
        return False
    return not any(_moves(reading.player, lines))


def may_be_for_organiser(reading: InterpretedMessage) -> bool:
    """Whether it is a new letter to play@ in sentences."""
    if reading.player is None or reading.understood.commands:
        return False
    return _may_be_for_a_person(reading.recipient, reading.dmarc, reading.letter)


def _may_be_for_a_person(recipient: Recipient | None, dmarc: object, letter: Letter) -> bool:
    new = isinstance(recipient, PlayRecipient) and not letter.summary.is_reply
    erased = has_intent("ERASE", " ".join(letter.lines).strip())  # `Delete my account please`
    return new and dmarc != Dmarc.FAIL and (erased or in_sentences(letter.lines, FEWEST))


def is_to_a_person(reading: InterpretedMessage) -> bool:
    """Whether it addresses a person, as in `Dear Marino`."""
    said, called, *_ = [*map(fold, " ".join(reading.letter.lines).split()[:2]), "", ""]
    return (
        may_be_for_organiser(reading) and said in SALUTATIONS and called.strip(",.!:;") not in ADDRESSING_US
    )


def in_sentences(lines: Iterable[str], fewest: int) -> bool:
    """Whether the lines have at least `fewest` words."""
    return len(_WORD.findall(" ".join(lines))) >= fewest


def words(reading: InterpretedMessage) -> str:
    """The text without addresses and links that would let the reader act for the player."""
    return _safe("\n".join(reading.letter.lines).strip())


def _safe(text: str) -> str:
    text = re.sub(rf"[\w.+-]{{1,64}}@{re.escape(settings.MAIL_DOMAIN)}", CUT, text, flags=re.IGNORECASE)
    return re.sub(rf"{re.escape(settings.SITE_URL)}/\S*", CUT, text)[:LONGEST]


def take(context: CommandContext, reading: InterpretedMessage) -> str:
    """Passes the text on to the organiser and tells the player. Replies with a refusal above the cap."""
    try:
        keep(context, subject=reading.summary.subject, text=words(reading), doubted=not reading.vouched)
    except Refused as refused:
        return context.refuse(refused)
    section: Section = {"kind": "to_organiser"}
    if not answers_organiser(reading):
        section |= {"anew": True, "called": _called(reading)}
    context.reply(section)
    return OK


def _called(reading: InterpretedMessage) -> str:
    """The name in a greeting, as in `Ciao Gianni, ti va una partita?` Empty when there is none."""
    said, called, *_ = [*" ".join(reading.letter.lines).split()[:2], "", ""]
    name = called.strip(",.!:;")
    greets = fold(said.strip(",.!:;")) in SALUTATIONS | COURTESIES and said[-1:].isalpha()
    named = _WORD.fullmatch(name) and name[0].isupper() and fold(name) not in COURTESIES | ADDRESSING_US
    return name if greets and named else ""


def words_asked_about(asked: Confirmation) -> str:
    """The text for the organiser after a NO. Empty when there is none, as beside a move."""
    row = asked.letter
    if not asked.near or asked.has_move or row.reading.get("commands"):
        return ""
    mail = ParsedMail(bytes(row.raw), own_domain=settings.MAIL_DOMAIN)
    letter = read_letter(mail.inside or mail)
    recipient = resolve_recipient(row.recipient, row.received_at)
    meant = _may_be_for_a_person(recipient, row.reading.get("dmarc"), letter)
    return "\n".join(letter.lines).strip() if meant else ""


def take_after_all(context: CommandContext, asked: Confirmation) -> str:
    """Passes the letter on to the organiser after a NO, when it may be for them."""
    if not (text := words_asked_about(asked)):
        return OK
    reading = asked.letter.reading
    try:
        keep(
            context, subject=reading.get("subject", ""), text=text, doubted=reading.get("dmarc") != Dmarc.PASS
        )
    except Refused as refused:
        return context.refuse(refused)
    context.reply({"kind": "to_organiser"})
    return OK


def take_wish_to_be_erased(context: CommandContext, asked: Confirmation) -> str:
    """Passes the request on to the organiser, who erases players without running matches."""
    said = asked.letter.reading
    with override(settings.LANGUAGE_CODE):
        wish = gettext("Answered YES ERASE: please erase this player. The matches have been resigned.")
    try:
        keep(
            context, subject=said.get("subject", ""), text=f"{said.get('chat', '')}\n\n{wish}", doubted=False
        )
    except Refused as refused:
        return context.refuse(refused)
    context.reply({"kind": "to_organiser", "erases": True})
    return OK


def keep(context: CommandContext, *, subject: str, text: str, doubted: bool) -> None:
    """Keeps a message for the organiser, one per letter. Refuses D18."""
    if not take_place("organiser", f"player:{context.player.pk}", context.now):
        raise Refused(Code.ENOUGH_FOR_ORGANISER)
    known = PersonalMessage.objects.filter(letter=context.row).first()
    message = known or PersonalMessage(letter=context.row, player=context.player)
    forward_to_organiser(message, subject=subject, text=text, doubted=doubted, now=context.now)


def forward_to_organiser(
    message: PersonalMessage, *, subject: str, text: str, doubted: bool, now: datetime
) -> None:
    """Appends the text to the message and notifies the organiser."""
    message.subject = message.subject or subject[:200]
    message.text = _safe(f"{message.text}\n\n{text}".strip())
    message.doubted = message.doubted or doubted
    message.received_at = message.letter.received_at
    message.save()
    _notice(message, now)


def _notice(message: PersonalMessage, now: datetime) -> None:
    """Notifies the organiser, at most once an hour."""
    cause, email = f"personal:{now:%Y-%m-%dT%H}", settings.ORGANISER_EMAIL
    if email and not already_notified(cause, email):
        desk = settings.SITE_URL + reverse("admin:inbox_personalmessage_changelist") + "?done_at=0"
        section: Section = {"kind": "at_the_desk", "name": message.writer, "desk": desk}
        write_to_address(email, language=settings.LANGUAGE_CODE, cause=cause, section=section, now=now)


def _bare(command: Command) -> bool:
    return isinstance(command, (Accept, Decline, Move)) and command.match is None


def _moves(player: Player, lines: list[str]) -> Iterator[bool]:
    """Yields whether lines have the shape of a move in a match of the player."""
    numbers = list(Match.objects.of(player).alive().values_list("pk", flat=True)[:MOST_SEARCHED])
    is_move = MoveShapes(player, None)
    for line in [line for line in lines if line][:MOST_SEARCHED]:
        if len(line.split()) < FEWEST:
            yield any(is_move(line, number) for number in numbers)
