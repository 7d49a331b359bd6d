"""Counts letters at the door, before anybody reads them: whose they are, and whether there are too many."""

from __future__ import annotations

from datetime import datetime
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings

from pbem.inbox.local_programs import is_trusted
from pbem.inbox.models import InboundMail, InboundMailQuerySet
from pbem.inbox.rate_limits.table import CAPS, Account
from pbem.inbox.recipient import Recipient
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.authentication.results import dmarc_verdict
from pbem.mail.parsing.headers import Glance
from pbem.players.models import Player

RELAY = "relay"  # the crowd behind our own mail server, which does not say who brought it a letter


def account_of(recipient: Recipient | None, headers: Glance, *, sender: str, peer: str | None) -> Account:
    """From what is known at the door: the recipient, the envelope sender, a glance at the headers."""
    author = headers.author
    if recipient and (account := recipient.rate_limit(author)):
        return account
    vouched = dmarc_verdict(headers.authentication_results, settings.AUTHSERV_IDS, author)
    known = vouched is Dmarc.PASS or is_trusted(peer)
    if author and known and Player.objects.writing_from(author).exists():
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
