"""Whether a domain that may speak for the one in From has signed the whole letter: DKIM (RFC 6376)."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import dkim

from pbem.dns import Resolver, Unanswered
from pbem.mail.authentication.alignment import Policy
from pbem.mail.authentication.dkim_coverage import Signature, covers
from pbem.mail.parsing.limits import Headers

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
