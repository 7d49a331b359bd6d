"""Somebody who is no player and wants no letters: never again one on behalf of others, and one last answer."""

from __future__ import annotations

from pbem.inbox.responder import Responder
from pbem.outbox.notifications.notify import told
from pbem.players.models import Player
from pbem.players.services import leave_in_peace

_ONCE = "goodbye"  # whatever they go on to say


def leave(address: str, responder: Responder, *, language: str) -> None:
    """Whoever asks us to write there: never again."""
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
