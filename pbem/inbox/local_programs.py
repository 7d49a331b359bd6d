"""Who is believed without being asked: programs of this machine, while the service is only tried out."""

from __future__ import annotations

from ipaddress import ip_address

from django.conf import settings


def is_trusted(peer: str | None) -> bool:
    """Whether the service is only tried out, and a program of this machine brought the letter."""
    serious = settings.AUTHSERV_IDS or settings.VERIFY_SENDERS or not settings.DEVELOPMENT
    tried = settings.TRUST_LOCAL_SENDERS and not serious
    return tried and peer is not None and ip_address(peer).is_loopback
