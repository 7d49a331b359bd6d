"""Reads Authentication-Results (RFC 8601) of a trusted mail server, and headers that raise doubts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import lru_cache

import authres

from pbem.mail.authentication.dkim import Signature, bare_seal, covers, domain_of, organisation
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.parsing.parts import Headers, hides_mailboxes, mailboxes, outside

_LONGEST_HEADER = 8192
_AUTHSERV_ID = re.compile(r'(?:\s|\([^()]*\))*"?([^\s;"()]+)')
# Matched anywhere, even in comments: an unreadable rest must not hide a fail.
_SAYS_FAIL = re.compile(r'\bdmarc\b[^;=]{0,100}=[\s"]*(\([^()]*\)\s*)*fail\b', re.IGNORECASE)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')
_ESCAPED = re.compile(r"\\.")
_COMMENT = re.compile(r"\([^()]*\)")
_NAMED = 8  # minimum characters of b= (RFC 6008)
_MOST_COMMENTS = 50


def dmarc_verdict(headers: Sequence[str], authserv_ids: Collection[str], author: str) -> Dmarc:
    """Returns the DMARC verdict of a trusted mail server.

    `headers` are the values of the Authentication-Results fields, topmost first. Only the first with a
    configured id counts: the sender may have forged those below. `author` is the mailbox in From; a pass for
    another domain counts as a fail.
    """
    return _read(_ours(headers, authserv_ids), domain_of(author))


def proves_all(results: Sequence[str], authserv_ids: Collection[str], author: str, headers: Headers) -> bool:
    """Tells whether the same server's pass covers this very text.

    It does by SPF of this delivery, or by a signature named by domain and seal that occurs once and covers
    all that is read.
    """
    if headers.defects:
        return False  # the server may have read other headers
    domain = domain_of(author)
    found = _parsed(_ours(results, authserv_ids)) or ()
    if any(_may_deliver(result, domain) for result in found):
        return True
    signatures = [Signature.parse(value) for value in headers.all("dkim-signature")]
    named = (_named(result, domain, signatures) for result in found)
    return any(signature is not None and covers(signature, headers) for signature in named)


def _ours(headers: Sequence[str], authserv_ids: Collection[str]) -> str:
    trusted = {name.lower() for name in authserv_ids}
    return next((header for header in headers if _authserv_id(header) in trusted), "")


def _authserv_id(header: str) -> str | None:
    found = _AUTHSERV_ID.match(header[:_LONGEST_HEADER])
    return found[1].lower() if found else None


def _read(header: str, domain: str) -> Dmarc:
    """Returns the worst dmarc result of one header. Never raises; an unreadable header never passes."""
    if len(header) >= _LONGEST_HEADER or _SAYS_FAIL.search(header) or not _balanced(header):
        return Dmarc.FAIL
    results = _parsed(header)
    if results is None:
        return Dmarc.NONE
    checked = [result for result in results if result.method.lower() == "dmarc"]
    found = {result.result.lower() for result in checked}
    if "fail" in found or not all(_is_about(result, domain) for result in checked):
        return Dmarc.FAIL
    return Dmarc.PASS if found == {"pass"} else Dmarc.NONE


@lru_cache(maxsize=64)
def _parsed(header: str) -> Sequence[authres.AuthenticationResult] | None:
    unfolded = " ".join(header[:_LONGEST_HEADER].split()).rstrip("; ")
    try:
        return tuple(authres.AuthenticationResultsHeader.parse_value(unfolded).results)
    except Exception:  # authres errors, and RecursionError on nested comments
        return None


def _balanced(header: str) -> bool:
    """Tells whether brackets and quotation marks are balanced. Otherwise a comment may hide the rest."""
    bare = _ESCAPED.sub("", _QUOTED.sub("", header))
    for _ in range(_MOST_COMMENTS):
        less = _COMMENT.sub("", bare)
        if less == bare:
            break
        bare = less
    return not any(mark in bare for mark in '()"')


def _is_about(result: authres.AuthenticationResult, domain: str) -> bool:
    """Tells whether the result is for this domain."""
    # Servers name the From domain, its organisation, or neither.
    return all(
        domain_of(value) in (domain, organisation(domain)) for value in _properties(result, "header", "from")
    )


def _may_deliver(result: authres.AuthenticationResult, domain: str) -> bool:
    """Tells whether SPF passes for an envelope sender of the same organisation."""
    if not _passes(result, "spf"):
        return False
    senders = list(_properties(result, "smtp", "mailfrom"))
    return len(senders) == 1 and _of_one_owner(domain_of(senders[0]), domain)


def _named(
    result: authres.AuthenticationResult, domain: str, signatures: Sequence[Signature | None]
) -> Signature | None:
    """Returns the signature that a result is about. None when it is ambiguous."""
    if not _passes(result, "dkim"):
        return None
    signers = {domain_of(value) for kind in "di" for value in _properties(result, "header", kind)}
    seals = {bare_seal(value) for value in _properties(result, "header", "b")}
    if len(signers) != 1 or len(seals) != 1 or None in signatures:
        return None
    [seal] = seals
    if len(seal) < _NAMED:
        return None
    [signer] = signers
    if not _of_one_owner(signer, domain):
        return None
    meant = [each for each in signatures if each and each.domain == signer and each.seal.startswith(seal)]
    return meant[0] if len(meant) == 1 else None


def _of_one_owner(one: str, other: str) -> bool:
    return bool(one and other) and organisation(one) == organisation(other)


def _passes(result: authres.AuthenticationResult, method: str) -> bool:
    return bool(result.method.lower() == method and result.result.lower() == "pass")


def _properties(result: authres.AuthenticationResult, kind: str, name: str) -> Iterator[str]:
    for each in result.properties:
        if (each.type.lower(), each.name.lower()) == (kind, name):
            yield str(each.value)


# Header checks

# At most one each (RFC 5322, 3.6; RFC 2045). With duplicates, readers may choose the unsigned one.
ONCE = (
    "from",
    "sender",
    "reply-to",
    "subject",
    "to",
    "cc",
    "date",
    "message-id",
    "in-reply-to",
    "references",
    "content-type",
    "mime-version",
    "content-transfer-encoding",
)
FRESH = timedelta(hours=48)  # maximum difference between Date and arrival
_LONGEST_DATE = 100


def doubled(headers: Headers) -> tuple[str, ...]:
    """Returns the names of single-use fields that occur more than once."""
    names = [name for name, _ in headers.fields]
    return tuple(name for name in ONCE if names.count(name) > 1)


def is_cut(headers: Headers, *names: str) -> bool:
    """Tells whether one of these fields exceeds the length limit."""
    return any(name in headers.cut for name in names)


def to_us_alone(headers: Headers, is_ours: Callable[[str], bool]) -> bool:
    """Tells whether To names only addresses of ours, without Cc or Bcc."""
    to = headers.get("to")
    if (
        headers.has("cc", "bcc")
        or is_cut(headers, "to")
        or hides_mailboxes(to)
        or set(outside(to)) & set(":;)")
    ):
        return False
    named = [mailboxes(entry) for entry in outside(to).split(",")]
    return all(len(found) == 1 and is_ours(found[0]) for found in named)


def answers_only(headers: Headers, ours: Collection[str]) -> bool:
    """Tells whether In-Reply-To and References contain only Message-IDs in `ours`."""
    named = (*headers.all("in-reply-to"), *headers.all("references"))
    return not is_cut(headers, "in-reply-to", "references") and set(" ".join(named).split()) <= set(ours)


def is_fresh(date: str, now: datetime) -> bool:
    """Tells whether Date is within FRESH of `now`. A Date without a zone is read as UTC."""
    try:
        written = parsedate_to_datetime(date[:_LONGEST_DATE])
        if written.tzinfo is None:
            written = written.replace(tzinfo=UTC)
        return abs(now - written) <= FRESH
    except (ValueError, TypeError, IndexError, OverflowError):
        return False
