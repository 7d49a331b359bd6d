"""Whether a letter was plainly written to us alone, now: what its headers say of that, one question a function."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from pbem.mail.parsing.limits import Headers, hides_mailboxes, mailboxes, outside

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
