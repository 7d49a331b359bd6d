"""Whether a domain that may speak for the one in From has signed the whole letter: DKIM (RFC 6376)."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import Any

import dkim
from publicsuffixlist import PublicSuffixList

from pbem.mail.parsing.parts import Headers
from pbem.network import Resolver, Unanswered

# Which domains may speak for the one in From: those of the same owner, or only itself, as its
# policy wants.

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


# What a DKIM signature covers: all that we read of a letter, or something that anybody may have put
# there.

# They have to be signed: whether or not they are there, somebody could put another one there.
ALWAYS = ("from", "to", "subject", "date", "message-id")
# They have to be signed where they are there.
IF_PRESENT = ("sender", "reply-to", "cc", "in-reply-to", "references", "mime-version")
_BLANKS = re.compile(r"\s+")
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/=]+")


@dataclass(frozen=True)
class Signature:
    """A DKIM-Signature field. `seal` is its b=, `names` its h= in lower case; a `partial` one leaves some of the
    text open (l=); a `weak` one can be forged (RFC 8301)."""

    domain: str
    seal: str
    names: frozenset[str]
    partial: bool
    weak: bool

    @classmethod
    def parse(cls, value: str | bytes) -> Signature | None:
        """None for what cannot be read. Says nothing of whether it is good."""
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
    """Whether nothing that we read of the letter can have been changed or added since."""
    if signature.partial or signature.weak or headers.defects or headers.cut.intersection(ALWAYS):
        return False
    there = {name for name, _ in headers.fields if name in IF_PRESENT or name.startswith("content-")}
    return signature.names.issuperset(there.union(ALWAYS))


def bare_seal(written: str) -> str:
    """Readers of base64 pass over what does not belong there, so that it tells nothing apart."""
    return _NOT_BASE64.sub("", written)


def _text(octets: bytes | None) -> str:
    return _BLANKS.sub("", (octets or b"").decode("ascii", "replace"))


log = logging.getLogger(__name__)

# The library takes quadratic time over more; then no signature counts, for nobody may gain by being unreadable.
HEADER_OCTETS = 64 * 1024
BLANKS = re.compile(rb"[ \t]{100}")
SIGNATURES = 3  # that are worth a look
KEY_OCTETS = 2_000  # of a key record; 8192 bits of RSA need 1,400
_END_OF_HEADERS = re.compile(rb"\r?\n\r?\n")


def verified(raw: bytes, policy: Policy, dns: Resolver, headers: Headers) -> Signature | None:
    """A good signature: if there is one, that which covers all that we read in `headers` and below them.

    Raises Unanswered where a key cannot be had now and no other signature is good.
    """
    if not _is_tame(raw):
        return None
    good: Signature | None = None
    unanswered: Unanswered | None = None
    for number, signature in islice(_worth_a_look(raw, policy), SIGNATURES):
        try:
            # A letter is read anew for each: verifying changes what the library keeps of it.
            if dkim.DKIM(raw).verify(number, dnsfunc=_keys(dns)):
                if covers(signature, headers):
                    return signature
                good = good or signature
        except Unanswered as why:
            unanswered = why
        except Exception as broken:  # RFC 6376, 6.1: on to the next
            log.info("signature %s: %r", number, broken)
    if unanswered and good is None:
        raise unanswered
    return good


def _is_tame(raw: bytes) -> bool:
    """Whether the library can be trusted with it."""
    end = _END_OF_HEADERS.search(raw, 0, HEADER_OCTETS)
    return end is not None and not BLANKS.search(raw)


def _worth_a_look(raw: bytes, policy: Policy) -> Iterator[tuple[int, Signature]]:
    """The signatures, with their numbers from the top, that would prove something if they are good.

    Nobody must be able to write another From (RFC 6376, 5.4) or to add to the text, nor to forge it.
    """
    fields = [value for name, value in dkim.DKIM(raw).headers if name.lower() == b"dkim-signature"]
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
    """What dkimpy asks for a key: name and timeout, to a record or None."""

    def key(name: bytes, timeout: float = 0) -> bytes | None:
        records = dns.texts(name.decode("ascii"))
        return records[0] if records and len(records[0]) <= KEY_OCTETS else None

    return key
