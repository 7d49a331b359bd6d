"""Which domains may speak for the one in From: those of the same owner, or only itself, as its policy wants."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from publicsuffixlist import PublicSuffixList

DOMAIN = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)+")


@dataclass(frozen=True)
class Policy:
    """What the domain in From asks for (RFC 7489). `strictly`: no other domain of the same owner will do."""

    domain: str
    dkim_strictly: bool
    spf_strictly: bool

    def agrees(self, domain: str, *, strictly: bool) -> bool:
        """Whether `domain` may speak for the one in From."""
        if strictly:
            return domain == self.domain
        return organisation(domain) == organisation(self.domain)


def domain_of(address: str) -> str:
    """In ASCII and lower case; "" for what no domain can be called."""
    try:
        domain = address.rpartition("@")[2].rstrip(".").encode("idna").decode().lower()
    except UnicodeError:
        return ""
    return domain if DOMAIN.fullmatch(domain) else ""


@lru_cache(maxsize=4096)
def organisation(domain: str) -> str:
    """The domain that somebody has registered: `example.co.uk` of `mail.example.co.uk`."""
    return _suffixes().privatesuffix(domain) or domain


@cache
def _suffixes() -> PublicSuffixList:
    """The list that browsers go by; new ends come with new versions of the library."""
    return PublicSuffixList()
