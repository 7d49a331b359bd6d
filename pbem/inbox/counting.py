"""Counts letters at the door, before anybody reads them: whose they are, and whether there are too many."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings

from pbem.inbox.addressing import Addressed
from pbem.inbox.belief.identity import Dmarc
from pbem.inbox.belief.results import dmarc_verdict
from pbem.inbox.caps import CAPS
from pbem.inbox.letters.glance import Glance
from pbem.inbox.models import InboundMail, InboundMailQuerySet
from pbem.players.models import Player

RELAY = "relay"  # the crowd behind our own mail server, which does not say who brought it a letter


@dataclass(frozen=True)
class Account:
    """Whose letters a letter is counted among: `cap` is a name in the table, `whom` who it is there.

    `server` is the mail server that brought it; "" where somebody can be held to it.
    """

    cap: str
    whom: object
    server: str = ""

    def __str__(self) -> str:
        return f"{self.cap}:{self.whom}"[:340]


def account_of(addressed: Addressed | None, headers: Glance, *, sender: str, peer: str | None) -> Account:
    """From what is known at the door: the recipient, the envelope sender, a glance at the headers."""
    author = headers.author
    if addressed and addressed.seat:
        own = addressed.state != "revoked" and author and addressed.seat.player.writes_from(author)
        return Account("seat" if own else "holders", addressed.seat.pk)
    if addressed and addressed.confirmation:
        return Account("question", addressed.confirmation.pk)
    if addressed and addressed.message:
        return Account("message", addressed.message.pk)
    if addressed and addressed.invitation:
        return Account("question", f"i{addressed.invitation.pk}")
    if addressed and addressed.stranger:
        return Account("goodbye", addressed.stranger)
    if addressed and addressed.answered and addressed.player:
        own = author and addressed.player.writes_from(author)
        return Account("player", author) if own else Account("holders", f"letter:{addressed.answered.pk}")
    if addressed and addressed.letter:
        return Account("bounces", addressed.letter.pk)
    if addressed and addressed.player:
        return Account("goodbye", addressed.player.pk)
    vouched = dmarc_verdict(headers.authentication_results, settings.AUTHSERV_IDS, author)
    if author and vouched is Dmarc.PASS and Player.objects.writing_from(author).exists():
        return Account("player", author)
    # Registered or not, a stranger is counted in the same way: what the door says must not tell which they are.
    return Account("sender", author or sender.lower(), _server(peer))


def too_many(account: Account, now: datetime) -> bool:
    """Whether the account is used up. Never looks at more rows than the cap has."""
    letters = InboundMail.objects.all()
    if _full(letters.filter(account=str(account)), account.cap, now):
        return True
    return bool(account.server) and _full(letters.filter(server=account.server), "server", now)


def _full(letters: InboundMailQuerySet, name: str, now: datetime) -> bool:
    cap = CAPS[name]
    recent = letters.filter(received_at__gt=now - cap.within, received_at__lte=now)
    return recent.order_by()[: cap.most].count() >= cap.most


def _server(peer: str | None) -> str:
    """An address that is not of the whole internet is a relay of ours. A /64 is one customer (RFC 6177)."""
    address = ip_address(peer) if peer else None
    if address is None or not address.is_global:
        return RELAY
    return (
        str(ip_network(f"{address}/64", strict=False)) if isinstance(address, IPv6Address) else str(address)
    )
