"""Counting up to a cap in a day of UTC, so that it holds however many processes count at once."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from pbem.inbox.authentication import is_trusted
from pbem.inbox.models import Answered, InboundMail
from pbem.inbox.rate_limits.table import CAPS, Account, Cap
from pbem.inbox.recipient import Recipient
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.authentication.results import dmarc_verdict
from pbem.mail.parsing.headers import Glance
from pbem.players.models import Player
from pbem.queue.sql import compiled_query

KEPT = timedelta(days=1)  # a worker whose clock is behind may still count in the day before
FORGOTTEN = 500


def take_place(cap: str, whom: str, now: datetime) -> int | None:
    """One of the places of today, from 1; None when there is none left.

    1. Count: never more rows than the cap has, for no two may have one number.
    2. Take the next number. Anyone who takes the same in another process waits here for our commit, then fails.
    3. On failure try the next: the cap holds however many race.
    """
    today = Answered.objects.filter(cap=cap, whom=whom, day=now.astimezone(UTC).date())
    for number in range(today.count() + 1, CAPS[cap].most + 1):
        try:
            with transaction.atomic():
                today.create(cap=cap, whom=whom, day=now.astimezone(UTC).date(), number=number)
        except IntegrityError:
            continue
        return number
    return None


def is_full(cap: str, whom: str, now: datetime) -> bool:
    """Whether none of the places of today is left; none is taken."""
    today = Answered.objects.filter(cap=cap, whom=whom, day=now.astimezone(UTC).date())
    return today.count() >= CAPS[cap].most


def give_back(caps: Collection[str], whom: str, now: datetime) -> None:
    """All places of today are free again."""
    Answered.objects.filter(cap__in=caps, whom=whom, day=now.astimezone(UTC).date()).delete()


def forget_old_days(*, now: datetime) -> int:
    """How many places of days gone by were given up, the oldest first: never more than FORGOTTEN at a time.

    Numbers of rows grow with their days, so that no look at the whole table is needed.
    """
    oldest = Answered.objects.order_by("pk").values_list("pk", "day")[:FORGOTTEN]
    over = now.astimezone(UTC).date() - KEPT
    forgotten, _ = Answered.objects.filter(pk__in=[pk for pk, day in oldest if day < over]).delete()
    return forgotten


# Counts letters at the door, before anybody reads them: whose they are, and whether there are too
# many.

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
