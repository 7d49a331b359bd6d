"""Who may have written a message, by its address and its From, also where nobody has been able to open it."""

from __future__ import annotations

from django.conf import settings

from pbem.inbox.addressing import Addressed, resolve
from pbem.inbox.letters.certified import within
from pbem.inbox.letters.glance import glance
from pbem.inbox.models import InboundMail
from pbem.players.models import Player


def writers(addressed: Addressed | None, sender: str) -> tuple[Player, ...]:
    """Who may have written: the one whose token it is, else all who write from this address."""
    theirs = _whose(addressed)
    if theirs is not None:
        return theirs
    return tuple(Player.objects.writing_from(sender)) if sender else ()


def possible_writers(row: InboundMail) -> set[int] | None:
    """All players whom its reply address or From names, in its envelope too. None: it may be anybody's."""
    try:
        raw = bytes(row.raw)
        inside = within(raw)
        seen = [glance(each, own_domain=settings.MAIL_DOMAIN) for each in (raw, inside) if each is not None]
    except Exception:  # it may be what our program stumbles over
        return None
    senders = [sender for each in seen for sender in each.senders]
    if not all(each.senders for each in seen):
        return None
    players = {player.pk for player in _whose(resolve(row.recipient, row.received_at)) or ()}
    for sender in senders:
        players.update(Player.objects.writing_from(sender).values_list("pk", flat=True))
    return players


def _whose(addressed: Addressed | None) -> tuple[Player, ...] | None:
    """None where the address is nobody's own."""
    if addressed and addressed.seat:
        return (addressed.seat.player,)
    if addressed and addressed.confirmation:
        return (addressed.confirmation.player,) if addressed.confirmation.player else ()
    if addressed and addressed.player:
        return (addressed.player,)
    if addressed and addressed.message:
        return (addressed.message.reader,)
    if addressed and addressed.letter:
        return (addressed.letter.player,) if addressed.letter.player else ()
    if addressed and addressed.invitation:
        return tuple(Player.objects.writing_from(addressed.invitation.address))
    if addressed and addressed.stranger:
        return ()
    return None
