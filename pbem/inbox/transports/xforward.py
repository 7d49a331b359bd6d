"""Whom our own mail server had a letter from: what it says before each one, if asked to (Postfix's XFORWARD_README)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

UNKNOWN = ("[UNAVAILABLE]", "[TEMPUNAVAIL]")
OFFER = "XFORWARD ADDR HELO"


@dataclass(frozen=True)
class Origin:
    """The IP address of the other side and its HELO; "" where they are not known, as of a letter written there."""

    peer: str = ""
    helo: str = ""


def read_origin(told: str, before: Origin) -> Origin | None:
    """`before` with the attributes told now, which may be some of them; None where they are none."""
    pairs = [word.partition("=") for word in told.split()]
    if not pairs or not all(name and equals for name, equals, _ in pairs):
        return None
    known = {name.upper(): "" if value in UNKNOWN else _plain(value) for name, _, value in pairs}
    return replace(
        before,
        peer=re.sub(r"(?i)^ipv6:", "", known.get("ADDR", before.peer)),
        helo=known.get("HELO", before.helo),
    )


def _plain(xtext: str) -> str:
    """RFC 3461, 4: `+2B` is a plus sign."""
    return re.sub(r"\+([0-9A-F]{2})", lambda found: chr(int(found[1], 16)), xtext)
