"""What a mail server in front of us found out: Authentication-Results (RFC 8601)."""

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
# Wherever it stands, comments and all: anyone who makes the rest unreadable gains nothing.
_SAYS_FAIL = re.compile(r'\bdmarc\b[^;=]{0,100}=[\s"]*(\([^()]*\)\s*)*fail\b', re.IGNORECASE)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')
_ESCAPED = re.compile(r"\\.")
_COMMENT = re.compile(r"\([^()]*\)")
_NAMED = 8  # characters of b= at least (RFC 6008)
_MOST_COMMENTS = 50


def dmarc_verdict(headers: Sequence[str], authserv_ids: Collection[str], author: str) -> Dmarc:
    """What a mail server that we trust says of the domain in From.

    `headers` are the Authentication-Results fields without their name, topmost first: only the first
    of them that bears a configured id counts, for its author may have written those
    below. `author` is the mailbox that we read in From: a pass for another domain is a fail, for then
    the server has read another one there.
    """
    return _read(_ours(headers, authserv_ids), domain_of(author))


def proves_all(results: Sequence[str], authserv_ids: Collection[str], author: str, headers: Headers) -> bool:
    """Whether the same server ties its pass to this very text: by SPF of this delivery, or by a signature of
    the letter that it names by domain and seal, that is there once, and that covers all that is read."""
    if headers.defects:
        return False  # the server may have read other ones
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
    """The worst dmarc result of one header. Never raises; what cannot be read never passes."""
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
    """Asked for twice of each letter, and much the same in many."""
    unfolded = " ".join(header[:_LONGEST_HEADER].split()).rstrip("; ")
    try:
        return tuple(authres.AuthenticationResultsHeader.parse_value(unfolded).results)
    except Exception:  # its own errors, and RecursionError on nested comments
        return None


def _balanced(header: str) -> bool:
    """Whether every bracket and quotation mark has its other half: else a comment may have swallowed the rest."""
    bare = _ESCAPED.sub("", _QUOTED.sub("", header))
    for _ in range(_MOST_COMMENTS):
        less = _COMMENT.sub("", bare)
        if less == bare:
            break
        bare = less
    return not any(mark in bare for mark in '()"')


def _is_about(result: authres.AuthenticationResult, domain: str) -> bool:
    """Some servers name the domain in From, others the one that its policy lies with, and a few neither."""
    return all(
        domain_of(value) in (domain, organisation(domain)) for value in _properties(result, "header", "from")
    )


def _may_deliver(result: authres.AuthenticationResult, domain: str) -> bool:
    """SPF, of an envelope sender of the same owner: the one who handed this letter over may send for the author."""
    if not _passes(result, "spf"):
        return False
    senders = list(_properties(result, "smtp", "mailfrom"))
    return len(senders) == 1 and _of_one_owner(domain_of(senders[0]), domain)


def _named(
    result: authres.AuthenticationResult, domain: str, signatures: Sequence[Signature | None]
) -> Signature | None:
    """The one signature of the letter that a result is about; None where it may be another one."""
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


# Whether a letter was plainly written to us alone, now: what its headers say of that, one question
# a function.

# At most one each (RFC 5322, 3.6; RFC 2045). A signature vouches for one of two, and readers choose another.
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
FRESH = timedelta(hours=48)  # between Date and arrival, whichever is later
_LONGEST_DATE = 100


def doubled(headers: Headers) -> tuple[str, ...]:
    """The names of which a letter may have one field and has several."""
    names = [name for name, _ in headers.fields]
    return tuple(name for name in ONCE if names.count(name) > 1)


def is_cut(headers: Headers, *names: str) -> bool:
    """Whether one of these fields is too long to be looked at as a whole."""
    return any(name in headers.cut for name in names)


def to_us_alone(headers: Headers, is_ours: Callable[[str], bool]) -> bool:
    """Whether To names addresses of ours and nothing else, and nobody gets a copy of it."""
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
    """Whether everything that it refers to is one of `ours`; what is no Message-ID never is."""
    named = (*headers.all("in-reply-to"), *headers.all("references"))
    return not is_cut(headers, "in-reply-to", "references") and set(" ".join(named).split()) <= set(ours)


def is_fresh(date: str, now: datetime) -> bool:
    """Whether the letter says that it is of these days; a Date without a zone is read as UTC."""
    try:
        written = parsedate_to_datetime(date[:_LONGEST_DATE])
        if written.tzinfo is None:
            written = written.replace(tzinfo=UTC)
        return abs(now - written) <= FRESH
    except (ValueError, TypeError, IndexError, OverflowError):
        return False
