"""Counts letters at the door, before anybody reads them: whose they are, and whether there are too many."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cache
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.db.models import QuerySet

from pbem.inbox.local_programs import is_trusted
from pbem.inbox.models import InboundMail
from pbem.inbox.rate_limits.table import CAPS, Account, Cap
from pbem.inbox.recipient import Recipient
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.authentication.results import dmarc_verdict
from pbem.mail.parsing.headers import Glance
from pbem.players.models import Player
from pbem.queue.compiled_query import compiled_query

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
    if _full("account", str(account), CAPS[account.cap], now):
        return True
    return bool(account.server) and _full("server", account.server, CAPS["server"], now)


def _full(column: str, value: str, cap: Cap, now: datetime) -> bool:
    return bool(_last_allowed(column, cap.most)(value, now - cap.within, now))


@cache
def _last_allowed(column: str, most: int) -> Callable[[str, datetime, datetime], list[int]]:
    @compiled_query
    def find(value: str, since: datetime, until: datetime) -> QuerySet[InboundMail, int]:
        recent = InboundMail.objects.filter(received_at__gt=since, received_at__lte=until)
        return recent.filter(**{column: value}).order_by().values_list("pk", flat=True)[most - 1 : most]

    return find


def _server(peer: str | None) -> str:
    """An address that is not of the whole internet is a relay of ours. A /64 is one customer (RFC 6177)."""
    address = ip_address(peer) if peer else None
    if address is None or not address.is_global:
        return RELAY
    return (
        str(ip_network(f"{address}/64", strict=False)) if isinstance(address, IPv6Address) else str(address)
    )
