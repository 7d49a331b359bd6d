"""Counts against the rate limits: daily caps as rows, incoming letters by their sender."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from pbem.inbox.models import InboundMail, RateLimitSlot
from pbem.inbox.rate_limits.table import CAPS, Account, Cap
from pbem.inbox.recipient import Recipient
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.authentication.results import dmarc_verdict
from pbem.mail.parsing.headers import HeaderSummary
from pbem.network import is_trusted
from pbem.players.models import Player
from pbem.queue.sql import compiled_query

KEPT = timedelta(days=1)  # a worker with a slow clock may still count in the day before
FORGOTTEN = 500  # rows at a time


def take_place(cap: str, whom: str, now: datetime) -> int | None:
    """Takes one of today's places (UTC) and returns its number, from 1. None when the cap is reached."""
    # The unique number makes concurrent takers collide: the loser waits for the commit, fails, and tries the
    # next.
    today = RateLimitSlot.objects.filter(cap=cap, whom=whom, day=now.astimezone(UTC).date())
    for number in range(today.count() + 1, CAPS[cap].most + 1):
        try:
            with transaction.atomic():
                today.create(cap=cap, whom=whom, day=now.astimezone(UTC).date(), number=number)
        except IntegrityError:
            continue
        return number
    return None


def is_full(cap: str, whom: str, now: datetime) -> bool:
    """Whether no place of today is left; takes none."""
    today = RateLimitSlot.objects.filter(cap=cap, whom=whom, day=now.astimezone(UTC).date())
    return today.count() >= CAPS[cap].most


def give_back(caps: Collection[str], whom: str, now: datetime) -> None:
    """Frees all places of today."""
    RateLimitSlot.objects.filter(cap__in=caps, whom=whom, day=now.astimezone(UTC).date()).delete()


def forget_old_days(*, now: datetime) -> int:
    """Deletes places of past days, oldest first, at most FORGOTTEN at a time; returns how many."""
    # Keys grow with the days, so that the oldest rows come first by primary key.
    oldest = RateLimitSlot.objects.order_by("pk").values_list("pk", "day")[:FORGOTTEN]
    over = now.astimezone(UTC).date() - KEPT
    forgotten, _ = RateLimitSlot.objects.filter(pk__in=[pk for pk, day in oldest if day < over]).delete()
    return forgotten


# Incoming letters

RELAY = "relay"  # all peers behind our own mail server, which does not name them


def account_of(
    recipient: Recipient | None, headers: HeaderSummary, *, sender: str, peer: str | None
) -> Account:
    """Returns the account that a letter is counted in, from its recipient, envelope sender and headers."""
    author = headers.author
    if recipient and (account := recipient.rate_limit(author)):
        return account
    vouched = dmarc_verdict(headers.authentication_results, settings.AUTHSERV_IDS, author)
    known = vouched is Dmarc.PASS or is_trusted(peer)
    if author and known and Player.objects.writing_from(author).exists():
        return Account("player", author)
    # Strangers are counted alike whether registered or not, so that the mail door does not reveal which they
    # are.
    return Account("sender", author or sender.lower(), _server(peer))


def too_many(account: Account, now: datetime) -> bool:
    """Whether the account's limit is reached. Never reads more rows than the limit."""
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
    """Returns the network of the peer, or RELAY for a private address."""
    address = ip_address(peer) if peer else None
    if address is None or not address.is_global:
        return RELAY
    return (
        str(ip_network(f"{address}/64", strict=False)) if isinstance(address, IPv6Address) else str(address)
    )
