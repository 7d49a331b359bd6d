"""Somebody wants no letters. Who is no player gets one last answer and never again one on behalf of others; a player is
asked about STOP ALL."""

from __future__ import annotations

from pbem.inbox.commands.leaving import means_all, wants_no_letters
from pbem.inbox.commands.letters.grammar import Letters, Stop, letters_words
from pbem.inbox.interpretation import Reading
from pbem.inbox.responder import Responder
from pbem.mail.authentication.policy import Decision, Dmarc
from pbem.outbox.notifications.notify import told
from pbem.players.models import Player
from pbem.players.services import leave_in_peace

_ONCE = "goodbye"  # whatever they go on to say


def leave(address: str, responder: Responder, *, language: str) -> None:
    """Nobody makes us write there again."""
    leave_in_peace(address, now=responder.now)
    say(address, responder, language=language, forever=True)


def say(address: str, responder: Responder, *, language: str, forever: bool = False, cause: str = "") -> None:
    """That nothing was done, or no letter will follow; the last of these only once, and never to a player."""
    if Player.objects.writing_from(address).exists():
        return
    cause = cause or f"{_ONCE}:{'forever' if forever else responder.letter.pk}"
    if told(cause, address):
        responder.silenced.add("stranger")
        return
    section = {"kind": "goodbye", "forever": forever}
    responder.tell_address(address, section, language=language, cause=cause)


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
    lines = reading.letter.lines
    written = {reading.glance.subject.strip(), *map(str.strip, lines)}
    said = reading.understood.commands
    if any(not isinstance(each, Letters) or each.line in written for each in said):
        return False
    return wants_no_letters(lines) or (reading.answered == "letters" and means_all(lines))


def stop_all(language: str) -> Stop:
    words = letters_words(language)
    return Stop(None, line=f"{words['stop']} {words['all']}")
