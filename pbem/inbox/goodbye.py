"""Somebody wants no letters. Who is no player gets one last answer and never again one on behalf of others; a player is
asked about STOP ALL, or how to leave their matches."""

from __future__ import annotations

from dataclasses import replace

from pbem.inbox import confirmations, leaving
from pbem.inbox.commands import Understood
from pbem.inbox.commands.farewell import means_all, wants_no_letters
from pbem.inbox.commands.letters.grammar import Letters
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import OK
from pbem.inbox.recipient import PlayRecipient
from pbem.inbox.responder import Responder
from pbem.mail.authentication.policy import Decision, Dmarc
from pbem.mail.mailbox import mailbox_of
from pbem.outbox.delivery.bounces import complained
from pbem.outbox.notifications.notify import told
from pbem.players.models import Player
from pbem.players.services import leave_in_peace
from pbem.refusals import Code

_ONCE = "goodbye"  # whatever they go on to say


def leave(address: str, reading: Reading, responder: Responder, *, language: str) -> str:
    """Nobody makes us write there again; a player who answers what we sent before they had signed up is asked."""
    if player := Player.objects.reading(mailbox_of(address)).first():
        return ask_player(CommandContext(responder, player, PlayRecipient()), reading)
    leave_in_peace(address, now=responder.now)
    say(address, responder, language=language, forever=True)
    return OK


def ask_player(context: CommandContext, reading: Reading) -> str:
    """Whether no letter at all is to come, and what becomes of their matches, which would be lost without a word."""
    if not leaving.ask(context, reading):
        meant = Understood(asks=(leaving.stop_all(context.player.language),))
        confirmations.ask_what_is_meant(context, replace(reading, player=context.player, understood=meant))
    return Code.CONFIRM_NEEDED


def leave_stranger(reading: Reading, responder: Responder, *, language: str) -> str:
    """A new email says so. Where nobody vouches for its From, the link in our answer is what stops letters: else
    anybody could keep a friend's invitation from its reader. Strangers' caps hold."""
    address, sure = reading.sender, reading.dmarc is Dmarc.PASS
    if sure:
        leave_in_peace(address, now=responder.now)
    if told(_cause(sure, responder), address):
        responder.silenced.add("stranger")
        return OK
    if complained(address) or not responder.may_tell_stranger(address):
        return Code.UNVERIFIED
    say(address, responder, language=language, forever=sure, unsure=not sure)
    return OK


def say(
    address: str, responder: Responder, *, language: str, forever: bool = False, unsure: bool = False
) -> None:
    """That nothing was done, or no letter will follow; each of the last only once, and never to a player."""
    if Player.objects.writing_from(address).exists():
        return
    cause = _cause(forever, responder) if forever or unsure else f"{_ONCE}:{responder.letter.pk}"
    if told(cause, address):
        responder.silenced.add("stranger")
        return
    section = {"kind": "goodbye", "forever": forever, "unsure": unsure}
    responder.tell_address(address, section, language=language, cause=cause)


def _cause(sure: bool, responder: Responder) -> str:
    """Who is not vouched for gets an answer a month."""
    return f"{_ONCE}:forever" if sure else f"{_ONCE}:{responder.now:%Y-%m}"


def is_said_by_stranger(reading: Reading) -> bool:
    """Whether somebody who has not signed up wants us to write to them no more; a forged From says nothing of that."""
    unknown = reading.decision in (Decision.SILENCE, Decision.SIGN_UP) and reading.dmarc is not Dmarc.FAIL
    if not unknown or reading.player or reading.sharers or not reading.sender:
        return False
    subject = () if reading.glance.is_reply else (reading.glance.subject,)
    said = wants_no_letters((*subject, *reading.letter.lines))
    return said and not Player.objects.writing_from(reading.sender).exists()


def is_said_by_player(reading: Reading) -> bool:
    """Whether the player says in words of their own that they want none at all, or answers so to the list of all."""
    if leaving.is_wished(reading):
        return True
    lines = reading.letter.lines
    written = {reading.glance.subject.strip(), *map(str.strip, lines)}
    said = reading.understood.commands
    if any(not isinstance(each, Letters) or each.line in written for each in said):
        return False
    return wants_no_letters(lines) or (reading.answered == "letters" and means_all(lines))
