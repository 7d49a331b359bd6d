"""Reads the envelope side of a letter: who wrote, about what, in answer to what, and whether a person did."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.mail.parsing.auto_submitted import BY_NAME, GUESSED, OF_PROGRAMS, TO_MANY, Clues, automatic
from pbem.mail.parsing.limits import (
    LETTER,
    Headers,
    display_name,
    hides_mailboxes,
    mailboxes,
    one_line,
    read_headers,
)
from pbem.mail.parsing.vocabulary import SUBJECT_PREFIXES, any_of


@dataclass(frozen=True)
class Glance:
    """What the headers say. Nothing here proves who the sender is."""

    senders: tuple[str, ...]  # mailboxes in From, lower case; none when unreadable, several are suspicious
    sender_name: str
    subject: str  # decoded, one line, reply prefixes and all
    message_id: str  # "<...>" or ""
    correlates: tuple[str, ...]  # Message-IDs of In-Reply-To and References, newest first
    recipients: tuple[str, ...]  # as the delivering server noted them, then To and Cc; lower case
    automatic: str | None  # bounce | auto_reply | list | loop | receipt | complaint | calendar
    automatic_by_any_name: str | None  # the same whatever the mailbox in From is called
    declared: str | None  # and whatever the Subject says: people write "On holiday!", too
    but_to_many: str | None  # by_any_name, and where it says that it goes to many: some people's programs do
    but_by_program: str | None  # and where it says that a program has written it: some play
    is_spam: bool  # as a mail server says that it came through
    authentication_results: tuple[str, ...]  # undecoded, topmost first
    defects: tuple[str, ...]
    several_from: bool = False  # fields or mailboxes: servers differ in which of them they look at

    @property
    def author(self) -> str:
        """The one mailbox in From; "" where there is none, or several."""
        return self.senders[0] if len(self.senders) == 1 and not self.several_from else ""

    @property
    def is_reply(self) -> bool:
        """Its Subject is then that of the letter answered, and no command."""
        return bool(self.correlates) or _PREFIX.match(self.subject) is not None


# In the order of belief: the trusted server writes the first ones, the sender the last.
_RECIPIENT_FIELDS = (
    "delivered-to",
    "x-original-to",
    "envelope-to",
    "x-envelope-to",
    "x-gm-original-to",
    "to",
    "cc",
)
_SPAM_FIELDS = ("x-spam-flag", "x-spam-status", "x-spam")  # SpamAssassin, Rspamd
_CORRELATES = 50
_RECIPIENTS = 100

_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")
_PREFIX = any_of(SUBJECT_PREFIXES, before=r"\s*", after=r"\s?(\[\d{1,3}\]|\(\d{1,3}\))?\s?[:：]")


def headers_of(raw: bytes) -> Headers:
    """The header fields of any octets."""
    return read_headers(raw[:LETTER])[0]


def glance(raw: bytes, *, own_domain: str = "") -> Glance:
    """Reads the headers of any octets; `own_domain` lets it know our own letters when they come back."""
    return glance_at(headers_of(raw), own_domain=own_domain)


def glance_at(headers: Headers, *, own_domain: str = "") -> Glance:
    """The same, of headers already read."""
    defects = list(headers.defects)
    froms = headers.all("from")
    senders = tuple(dict.fromkeys(address for value in froms for address in mailboxes(value)))
    cut = "from" in headers.cut
    several_from = len(froms) > 1 or len(senders) > 1 or cut or any(map(hides_mailboxes, froms))
    if several_from:
        defects.append("several From")
    subject, decoded = one_line(headers.get("subject"))
    if not decoded:
        defects.append("unreadable Subject")
    clues = Clues(headers, senders, subject, own_domain.lower())
    seems = automatic(clues)  # where there is no sign of it, there is none among fewer of them
    return Glance(
        senders=senders,
        sender_name=display_name(froms[0])[:200] if froms else "",
        subject=subject,
        message_id=next(iter(_ids(headers.get("message-id"))), ""),
        correlates=_correlates(headers),
        recipients=_recipients(headers),
        automatic=seems,
        automatic_by_any_name=seems and automatic(clues, but=BY_NAME),
        declared=seems and automatic(clues, but=GUESSED),
        but_to_many=seems and automatic(clues, but=TO_MANY),
        but_by_program=seems and automatic(clues, but=OF_PROGRAMS),
        is_spam=any(headers.get(field).strip().lower().startswith("yes") for field in _SPAM_FIELDS),
        authentication_results=headers.all("authentication-results"),
        defects=tuple(defects),
        several_from=several_from,
    )


def envelope_sender(raw: bytes) -> str:
    """As the delivering server noted it (RFC 5321, 4.4): empty for a bounce. Without a note, who says they wrote."""
    headers, _ = read_headers(raw[:LETTER])
    if headers.has("return-path"):
        return next(iter(mailboxes(headers.get("return-path"))), "")
    return next(iter(mailboxes(headers.get("from"))), "")


def _ids(value: str) -> list[str]:
    return _MESSAGE_ID.findall(value)


def _correlates(headers: Headers) -> tuple[str, ...]:
    parents = [name for value in headers.all("in-reply-to") for name in _ids(value)]
    thread = [name for value in headers.all("references") for name in _ids(value)]
    return tuple(dict.fromkeys((*parents, *reversed(thread))))[:_CORRELATES]


def _recipients(headers: Headers) -> tuple[str, ...]:
    values = (value for field in _RECIPIENT_FIELDS for value in headers.all(field))
    return tuple(dict.fromkeys(address for value in values for address in mailboxes(value)))[:_RECIPIENTS]
