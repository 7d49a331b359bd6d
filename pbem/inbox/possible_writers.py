"""Who may have written a message, by its address and its From, also where nobody has been able to open it."""

from __future__ import annotations

from django.conf import settings

from pbem.inbox.models import InboundMail
from pbem.inbox.recipient import Recipient
from pbem.inbox.resolver import resolve_recipient
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.players.models import Player


def writers(recipient: Recipient | None, sender: str) -> tuple[Player, ...]:
    """Who may have written: the one whose token it is, else all who write from this address."""
    theirs = recipient.possible_writers() if recipient else None
    if theirs is not None:
        return tuple(theirs)
    return tuple(Player.objects.writing_from(sender)) if sender else ()


def possible_writers(row: InboundMail) -> set[int] | None:
    """All players whom its reply address or From names, in its envelope too. None: it may be anybody's."""
    try:
        mail = ParsedMail(bytes(row.raw), own_domain=settings.MAIL_DOMAIN)
        seen = [each.glance for each in (mail, mail.inside) if each is not None]
    except Exception:  # it may be what our program stumbles over
        return None
    senders = [sender for each in seen for sender in each.senders]
    if not all(each.senders for each in seen):
        return None
    recipient = resolve_recipient(row.recipient, row.received_at)
    players = {player.pk for player in (recipient and recipient.possible_writers()) or ()}
    for sender in senders:
        players.update(Player.objects.writing_from(sender).values_list("pk", flat=True))
    return players
