"""What a DKIM signature covers: all that we read of a letter, or something that anybody may have put there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.mail.authentication.alignment import DOMAIN
from pbem.mail.parsing.limits import Headers

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
