"""How often somebody may be wrong at the desk's door, and whose attempt it was. Rows, so that all processes agree."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from django.http import HttpRequest

from pbem.desk.models import SignInAttempt

UNKNOWN = "unknown"
KEPT = timedelta(days=1)


@dataclass(frozen=True)
class Limit:
    """So many failed attempts that agree in these columns, within that time; one more is not even looked at."""

    columns: tuple[str, ...]
    most: int
    within: timedelta


# Anyone who guesses from one address is stopped soon; anyone who guesses from many is stopped at the account, later, so
# that nobody keeps its owner out with five attempts.
LIMITS = (
    Limit(("account", "address"), 5, timedelta(minutes=15)),
    Limit(("address",), 20, timedelta(hours=1)),
    Limit(("account",), 50, timedelta(hours=1)),
)


def begin(account: str, address: str, *, now: datetime) -> SignInAttempt | None:
    """An attempt, which has failed until it is known to have succeeded; None: too many have.

    The row stands before the others are counted: of many attempts at one moment each sees those before it.
    """
    SignInAttempt.objects.filter(at__lt=now - KEPT).delete()
    attempt = SignInAttempt.objects.create(account=account.strip().casefold()[:150], address=address, at=now)
    if any(_full(attempt, limit, now) for limit in LIMITS):
        attempt.delete()
        return None
    return attempt


def succeeded(attempt: SignInAttempt) -> None:
    """Their own mistakes from there are forgiven; not those for other accounts, nor of others for this one."""
    SignInAttempt.objects.filter(account=attempt.account, address=attempt.address).delete()


def _full(attempt: SignInAttempt, limit: Limit, now: datetime) -> bool:
    alike = {column: getattr(attempt, column) for column in limit.columns}
    earlier = SignInAttempt.objects.filter(**alike, at__gt=now - limit.within, pk__lt=attempt.pk)
    return earlier.order_by()[: limit.most].count() >= limit.most


def client_address(request: HttpRequest, proxies: Collection[str]) -> str:
    """Who asks: the last address of X-Forwarded-For that is no proxy of ours, where one of them has asked us.

    What stands further left anybody may have written. A /64 is one customer (RFC 6177); a socket without an address
    is of this machine.
    """
    asked = str(request.META.get("REMOTE_ADDR", ""))
    if asked and asked not in proxies:
        return _network(asked)
    said = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",")
    hops = [hop.strip() for hop in said if hop.strip() and hop.strip() not in proxies]
    return _network(hops[-1] if hops else asked)


def _network(address: str) -> str:
    try:
        known = ip_address(address.strip("[]"))
    except ValueError:
        return UNKNOWN
    if not isinstance(known, IPv6Address):
        return str(known)
    if known.ipv4_mapped:
        return str(known.ipv4_mapped)
    return str(ip_network(f"{known}/64", strict=False))
