"""Verifies DKIM signatures (RFC 6376) and their alignment with the From domain."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import Any

from publicsuffixlist import PublicSuffixList

from pbem.mail.parsing.parts import Headers
from pbem.network import Resolver, Unanswered

# DMARC policy and alignment

DOMAIN = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)+")


@dataclass(frozen=True)
class Policy:
    """The DMARC policy of the From domain (RFC 7489). The `strictly` flags demand an exact domain match."""

    domain: str
    dkim_strictly: bool
    spf_strictly: bool

    def agrees(self, domain: str, *, strictly: bool) -> bool:
        """Tells whether `domain` is aligned with the From domain."""
        if strictly:
            return domain == self.domain
        return organisation(domain) == organisation(self.domain)


def domain_of(address: str) -> str:
    """Returns the domain of an address in ASCII and lower case. Empty when it is not a valid domain."""
    try:
        domain = address.rpartition("@")[2].rstrip(".").encode("idna").decode().lower()
    except UnicodeError:
        return ""
    return domain if DOMAIN.fullmatch(domain) else ""


@lru_cache(maxsize=4096)
def organisation(domain: str) -> str:
    """Returns the registered domain: `example.co.uk` for `mail.example.co.uk`."""
    return _suffixes().privatesuffix(domain) or domain


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


# Signature coverage

# Must be signed even when absent, so that none can be added later.
ALWAYS = ("from", "to", "subject", "date", "message-id")
# Must be signed when present.
IF_PRESENT = ("sender", "reply-to", "cc", "in-reply-to", "references", "mime-version")
_BLANKS = re.compile(r"\s+")
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/=]+")


@dataclass(frozen=True)
class Signature:
    """A DKIM-Signature field. `seal` is its b=, `names` its h= in lower case. `partial`: it has an l= tag.
    `weak`: it can be forged (RFC 8301)."""

    domain: str
    seal: str
    names: frozenset[str]
    partial: bool
    weak: bool

    @classmethod
    def parse(cls, value: str | bytes) -> Signature | None:
        """Parses the field without verifying it. None when it is malformed."""
        from dkim.util import InvalidTagValueList, parse_tag_value  # noqa: PLC0415 - the door reads none

        octets = value.encode("utf-8", "replace") if isinstance(value, str) else value
        try:
            tags = parse_tag_value(octets)
        except InvalidTagValueList:
            return None
        domain = _text(tags.get(b"d")).lower()
        if not DOMAIN.fullmatch(domain):
            return None
        return cls(
            domain,
            seal=bare_seal(_text(tags.get(b"b"))),
            names=frozenset(_text(tags.get(b"h")).lower().split(":")),
            partial=b"l" in tags,
            weak=tags.get(b"a") == b"rsa-sha1",
        )


def covers(signature: Signature, headers: Headers) -> bool:
    """Tells whether the signature covers the full body and all headers that this program reads."""
    if signature.partial or signature.weak or headers.defects or headers.cut.intersection(ALWAYS):
        return False
    there = {name for name, _ in headers.fields if name in IF_PRESENT or name.startswith("content-")}
    return signature.names.issuperset(there.union(ALWAYS))


def bare_seal(written: str) -> str:
    """Returns the base64 of a signature without foreign characters."""
    # Base64 decoders ignore them, so they do not distinguish two signatures.
    return _NOT_BASE64.sub("", written)


def _text(octets: bytes | None) -> str:
    return _BLANKS.sub("", (octets or b"").decode("ascii", "replace"))


log = logging.getLogger(__name__)

# dkimpy takes quadratic time on larger headers. No signature counts then.
HEADER_OCTETS = 64 * 1024
BLANKS = re.compile(rb"[ \t]{100}")
SIGNATURES = 3  # aligned signatures that are verified at most
KEY_OCTETS = 2_000  # limit of a key record; an RSA key of 8192 bits needs 1,400
_END_OF_HEADERS = re.compile(rb"\r?\n\r?\n")


def verified(raw: bytes, policy: Policy, dns: Resolver, headers: Headers) -> Signature | None:
    """Returns a valid aligned signature, preferably one that covers all that is read, or None.

    Raises Unanswered when a key lookup fails and no other signature is valid.
    """
    from dkim import DKIM  # noqa: PLC0415 - most processes verify nothing

    if not _is_tame(raw):
        return None
    good: Signature | None = None
    unanswered: Unanswered | None = None
    for number, signature in islice(_worth_a_look(DKIM(raw).headers, policy), SIGNATURES):
        try:
            # dkimpy modifies its state on verification, so each signature gets a new parser.
            if DKIM(raw).verify(number, dnsfunc=_keys(dns)):
                if covers(signature, headers):
                    return signature
                good = good or signature
        except Unanswered as why:
            unanswered = why
        except Exception as broken:  # RFC 6376, 6.1: try the next signature
            log.info("signature %s: %r", number, broken)
    if unanswered and good is None:
        raise unanswered
    return good


def _is_tame(raw: bytes) -> bool:
    """Tells whether dkimpy can parse the letter in bounded time."""
    end = _END_OF_HEADERS.search(raw, 0, HEADER_OCTETS)
    return end is not None and not BLANKS.search(raw)


def _worth_a_look(headers: Iterable[tuple[bytes, bytes]], policy: Policy) -> Iterator[tuple[int, Signature]]:
    """Yields the aligned signatures that cover From and the whole body, numbered from the top."""
    # An unsigned From could be replaced (RFC 6376, 5.4); a partial or weak signature allows changes.
    fields = [value for name, value in headers if name.lower() == b"dkim-signature"]
    for number, value in enumerate(fields):
        signature = Signature.parse(value)
        if (
            signature is not None
            and policy.agrees(signature.domain, strictly=policy.dkim_strictly)
            and "from" in signature.names
            and not signature.partial
            and not signature.weak
        ):
            yield number, signature


def _keys(dns: Resolver) -> Any:
    """Returns dkimpy's key lookup: maps a name and a timeout to a record or None."""

    def key(name: bytes, timeout: float = 0) -> bytes | None:
        records = dns.texts(name.decode("ascii"))
        return records[0] if records and len(records[0]) <= KEY_OCTETS else None

    return key
