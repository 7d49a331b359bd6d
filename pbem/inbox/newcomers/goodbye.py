"""Opting out: strangers get a last answer, and players are asked about STOP ALL or leaving."""

from __future__ import annotations

from dataclasses import replace

from pbem.inbox.commands.command import Letters
from pbem.inbox.commands.farewell import means_all, wants_no_letters
from pbem.inbox.commands.parser import Understood
from pbem.inbox.dialogue import confirmations, leaving
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK
from pbem.inbox.recipient import PlayRecipient
from pbem.inbox.responder import Responder
from pbem.mail.authentication.policy import Decision, Dmarc
from pbem.mail.mailbox import mailbox_of
from pbem.outbox.delivery.bounces import complained
from pbem.outbox.notifications.notify import Section, already_notified
from pbem.players.models import Player
from pbem.players.services import do_not_contact
from pbem.refusals import Code

_ONCE = "goodbye"  # cause of the answer, sent once


def leave(address: str, reading: InterpretedMessage, responder: Responder, *, language: str) -> str:
    """Opts the stranger at this address out; a player there is asked first."""
    if player := Player.objects.reading(mailbox_of(address)).first():
        return ask_player(CommandContext(responder, player, PlayRecipient()), reading)
    do_not_contact(address, now=responder.now)
    say(address, responder, language=language, forever=True)
    return OK


def ask_player(context: CommandContext, reading: InterpretedMessage) -> str:
    """Asks whether to stop all letters, and how to leave running matches."""
    if not leaving.ask(context, reading):
        meant = Understood(asks=(leaving.stop_all(context.player.language),))
        confirmations.ask_what_is_meant(context, replace(reading, player=context.player, understood=meant))
    return Code.CONFIRM_NEEDED


def leave_stranger(reading: InterpretedMessage, responder: Responder, *, language: str) -> str:
    """Opts a stranger out after a new letter. An unproved sender only gets the link to do so."""
    # A forged letter could otherwise keep a stranger's invitations from them.
    address, sure = reading.sender, reading.dmarc is Dmarc.PASS
    if sure:
        do_not_contact(address, now=responder.now)
    if already_notified(_cause(sure, responder), address):
        responder.silenced.add("stranger")
        return OK
    if complained(address) or not responder.may_tell_stranger(address):
        return Code.UNVERIFIED
    say(address, responder, language=language, forever=sure, unsure=not sure)
    return OK


def say(
    address: str, responder: Responder, *, language: str, forever: bool = False, unsure: bool = False
) -> None:
    """Replies that nothing was done or no letter will follow; the latter once, and never to a player."""
    if Player.objects.writing_from(address).exists():
        return
    cause = _cause(forever, responder) if forever or unsure else f"{_ONCE}:{responder.letter.pk}"
    if already_notified(cause, address):
        responder.silenced.add("stranger")
        return
    section: Section = {"kind": "goodbye", "forever": forever, "unsure": unsure}
    responder.tell_address(address, section, language=language, cause=cause)


def _cause(sure: bool, responder: Responder) -> str:
    """The cause of the answer: once, or once a month for an unproved sender."""
    return f"{_ONCE}:forever" if sure else f"{_ONCE}:{responder.now:%Y-%m}"


def is_said_by_stranger(reading: InterpretedMessage) -> bool:
    """Whether a stranger opts out in a letter that is not forged."""
    unknown = reading.decision in (Decision.SILENCE, Decision.SIGN_UP) and reading.dmarc is not Dmarc.FAIL
    if not unknown or reading.player or reading.sharers or not reading.sender:
        return False
    subject = () if reading.summary.is_reply else (reading.summary.subject,)
    said = wants_no_letters((*subject, *reading.letter.lines))
    return said and not Player.objects.writing_from(reading.sender).exists()


def is_said_by_player(reading: InterpretedMessage) -> bool:
    """Whether the player opts out of all letters, in their own words or in answer to the list."""
    if leaving.is_wished(reading):
        return True
    lines = reading.letter.lines
    written = {reading.summary.subject.strip(), *map(str.strip, lines)}
    said = reading.understood.commands
    if any(not isinstance(each, Letters) or each.line in written for each in said):
        return False
    return wants_no_letters(lines) or (reading.answered == "letters" and means_all(lines))
