"""Reads headers: sender, subject, thread, recipients, and signs of automatic mail."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, datetime
from email.utils import parsedate_to_datetime

from pbem.mail.parsing.parts import (
    LETTER,
    Headers,
    display_name,
    hides_mailboxes,
    mailboxes,
    one_line,
    read_headers,
)
from pbem.mail.parsing.vocabulary import (
    ABSENT,
    ANSWERING,
    CHALLENGERS,
    DAEMONS,
    PEC_RECEIPTS,
    RECEIVED,
    ROBOTS,
    SUBJECT_PREFIXES,
    UNDELIVERED,
    any_of,
)

# Automatic mail: never read for a move, never answered


@dataclass(frozen=True)
class Clues:
    """The headers by which automatic mail is recognised."""

    headers: Headers
    senders: tuple[str, ...]
    subject: str
    own_domain: str  # lower case, "" when unknown

    def says(self, field: str, *words: str) -> bool:
        """Tells whether a field equals one of these words, without comments and parameters."""
        values = (
            re.split(r"[;(\s,]", value.strip().lower(), maxsplit=1)[0] for value in self.headers.all(field)
        )
        return any(value in words for value in values)

    def own_message_id(self) -> bool:
        ours = f"@{self.own_domain}>"
        return bool(self.own_domain) and self.headers.get("message-id").lower().endswith(ours)

    def own_sender(self) -> bool:
        """Tells whether From is one of our own addresses."""
        return bool(self.own_domain) and any(
            _OURS.fullmatch(local) and domain == self.own_domain
            for local, _, domain in (sender.rpartition("@") for sender in self.senders)
        )

    def is_command(self) -> bool:
        """Tells whether the subject is an AWAY command: in capitals or with a day, and not in a reply."""
        # `AWAY from 3 August`
        answers = self.headers.has("in-reply-to", "references")
        return not answers and _AWAY.match(self.subject) is not None

    def report(self, kind: str) -> bool:
        """Tells whether the letter is a report of this kind, bare or in a multipart/report."""
        # `global-` is the variant for internationalised addresses (RFC 6533).
        content = self.headers.content_type()
        if content == "multipart/report":
            content = f"message/{self.headers.parameter('content-type', 'report-type').lower()}"
        return content in (f"message/{kind}", f"message/global-{kind}")

    def sent_by(self, names: re.Pattern[str]) -> bool:
        return any(names.match(sender) for sender in self.senders)


def automatic(clues: Clues, *, but: Collection[Sign] = ()) -> str | None:
    """Returns bounce, auto_reply, list, loop, receipt, complaint or calendar. None when a person may have
    written it.

    Signs in `but` are ignored.
    """
    return next((kind for kind, sign in SIGNS if sign not in but and sign(clues)), None)


_OURS = re.compile(r"play|[a-z][^a-z0-9][a-z2-7]{32}")
_DAEMONS = any_of(DAEMONS, after=r"(\+[^@]{0,100})?@")
_ROBOTS = any_of(ROBOTS, after="@")
_CHALLENGERS = any_of(CHALLENGERS)
_TAGS = r"(?:\[[^\[\]]{1,40}\]\s{0,3}){0,3}"  # tags added by servers: [External]
_UNDELIVERED = any_of(UNDELIVERED, before=_TAGS)
_ANSWERING = any_of(ANSWERING, before=_TAGS)
_ABSENT = any_of(ABSENT, before=_TAGS)
_RECEIVED = any_of(RECEIVED, before=_TAGS)
_AWAY = re.compile(rf"{_TAGS}(?:(?:AWAY|ASSENTE)\b|(?:Away|Assente) \D{{0,8}}\d)")

Sign = Callable[[Clues], bool]


# Phrases that people use as well: "On holiday!", "Delivery problem", postmaster@example.org.
def _says_absent(clues: Clues) -> bool:
    return bool(_ABSENT.match(clues.subject)) and not clues.is_command()


def _says_undelivered(clues: Clues) -> bool:
    return bool(_UNDELIVERED.match(clues.subject))


# Declared automation (RFC 3834), which may be a program that plays.
def _says_replied(clues: Clues) -> bool:
    return clues.says("auto-submitted", "auto-replied") and not clues.sent_by(_DAEMONS)


def _says_automatic(clues: Clues) -> bool:
    return clues.headers.has("auto-submitted") and not clues.says("auto-submitted", "no")


def _is_called_daemon(clues: Clues) -> bool:
    return clues.sent_by(_DAEMONS)


def _is_called_robot(clues: Clues) -> bool:
    return clues.sent_by(_ROBOTS)


# List mail (RFC 2919, 2369; Precedence is older), and some people's programs.
def _is_of_list(clues: Clues) -> bool:
    names = ("list-id", "list-post", "list-unsubscribe", "mailing-list", "x-mailing-list")
    return clues.headers.has(*names) or clues.says("precedence", "list")


def _is_bulk(clues: Clues) -> bool:
    return clues.says("precedence", "bulk", "junk")


BY_NAME: frozenset[Sign] = frozenset({_is_called_daemon, _is_called_robot})
GUESSED: frozenset[Sign] = BY_NAME | {_says_absent, _says_undelivered}
TO_MANY: frozenset[Sign] = BY_NAME | {_is_of_list, _is_bulk}
OF_PROGRAMS: frozenset[Sign] = GUESSED | {_says_replied, _says_automatic}

# The first sign that fits names the kind.
SIGNS: tuple[tuple[str, Sign], ...] = (
    # Our own letters, those of another PBeM server, or mail loops.
    ("loop", lambda c: c.headers.has("x-pbem-letter")),
    ("loop", lambda c: len(c.headers.all("received")) > 50),
    # Declared reports (RFC 5965, 8098, 3464).
    ("complaint", lambda c: c.report("feedback-report") or c.headers.has("feedback-type")),
    (
        "complaint",
        lambda c: c.headers.has("x-hmxmroriginalrecipient"),
    ),  # Microsoft sends no report
    ("receipt", lambda c: c.report("disposition-notification")),
    ("receipt", lambda c: c.says("x-ricevuta", *PEC_RECEIPTS)),
    (
        "bounce",
        lambda c: c.headers.has("x-ricevuta"),
    ),  # all other kinds of Italian certified mail are failures
    ("bounce", lambda c: c.report("delivery-status")),
    ("bounce", lambda c: c.headers.has("x-failed-recipients")),
    # Automatic replies (RFC 3834) that do not come from a mail server.
    ("auto_reply", _says_replied),
    ("auto_reply", lambda c: bool(_ANSWERING.match(c.subject))),
    ("auto_reply", _says_absent),
    ("receipt", lambda c: bool(_RECEIVED.match(c.subject))),
    # Challenge-response systems.
    ("auto_reply", lambda c: c.sent_by(_CHALLENGERS) or c.headers.get("x-delivery-agent").startswith("TMDA")),
    # Bounces without a report, a third of all.
    ("bounce", lambda c: c.headers.content_type() == "multipart/report"),
    ("bounce", _is_called_daemon),
    ("bounce", _says_undelivered),
    ("bounce", lambda c: c.headers.get("return-path") == "<>" and not c.senders),
    # Our own letters, marks removed by a gateway. Mail servers of our domain are handled above.
    ("loop", Clues.own_message_id),
    ("loop", Clues.own_sender),
    # Appointments: accepted by a click, without a person's text.
    ("calendar", lambda c: c.headers.content_type() == "text/calendar"),
    ("calendar", lambda c: "calendar-notification@google.com" in c.headers.get("sender").lower()),
    ("calendar", lambda c: "calendarmessage" in c.headers.get("content-class").lower()),
    ("list", _is_of_list),
    ("auto_reply", _is_bulk),
    ("auto_reply", lambda c: c.says("precedence", "auto_reply")),
    # Anything but "no" in Auto-Submitted (RFC 3834, 5), then headers of single products.
    ("auto_reply", _says_automatic),
    ("auto_reply", lambda c: c.headers.get("return-path") == "<>"),
    (
        "auto_reply",
        lambda c: c.headers.has("x-autoreply", "x-autoresponder", "x-autoreply-from"),
    ),
    ("auto_reply", lambda c: c.headers.has("x-mail-autoreply", "autoresponder", "x-fc-machinegenerated")),
    ("auto_reply", lambda c: c.says("x-autogenerated", "reply", "forward", "group")),
    ("auto_reply", lambda c: c.says("x-post-messageclass", "9")),
    ("auto_reply", lambda c: c.headers.has("x-ms-exchange-generated-message-source", "x-cron-env")),
    ("auto_reply", lambda c: c.says("delivered-to", "autoresponder")),
    ("auto_reply", _is_called_robot),
)


@dataclass(frozen=True)
class HeaderSummary:
    """The facts in the headers. They do not prove the sender."""

    senders: tuple[str, ...]  # mailboxes in From, lower case; empty when unreadable
    sender_name: str
    subject: str  # decoded, one line, with reply prefixes
    message_id: str  # "<...>" or ""
    correlates: tuple[str, ...]  # Message-IDs of In-Reply-To and References, newest first
    recipients: tuple[str, ...]  # of the delivering server's fields, then To and Cc; lower case
    automatic: str | None  # bounce | auto_reply | list | loop | receipt | complaint | calendar
    automatic_by_any_name: str | None  # the same, without the signs in the From mailbox
    declared: str | None  # also without the signs in the Subject, such as "On holiday!"
    but_to_many: str | None  # automatic_by_any_name, also without the signs of list mail
    but_by_program: str | None  # declared, also without declared automation: programs may play
    is_spam: bool  # according to a mail server on the way
    authentication_results: tuple[str, ...]  # undecoded, topmost first
    defects: tuple[str, ...]
    several_from: bool = False  # several fields or mailboxes; servers differ in which they check

    @property
    def author(self) -> str:
        """The only mailbox in From. Empty when there are none or several."""
        return self.senders[0] if len(self.senders) == 1 and not self.several_from else ""

    @property
    def is_reply(self) -> bool:
        """Tells whether it is a reply. Its Subject then contains no command."""
        return bool(self.correlates) or _PREFIX.match(self.subject) is not None


# By trust: the delivering server's fields first, the sender's last.
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
_LONGEST_DATE = 100
_CORRELATES = 50
_RECIPIENTS = 100

_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")
_PREFIX = any_of(SUBJECT_PREFIXES, before=r"\s*", after=r"\s?(\[\d{1,3}\]|\(\d{1,3}\))?\s?[:：]")


def headers_of(raw: bytes) -> Headers:
    """Parses the headers of any octets."""
    return read_headers(raw[:LETTER])[0]


def summarise(raw: bytes, *, own_domain: str = "") -> HeaderSummary:
    """Reads the headers of any octets. `own_domain` lets it recognise our own letters."""
    return glance_at(headers_of(raw), own_domain=own_domain)


def glance_at(headers: Headers, *, own_domain: str = "") -> HeaderSummary:
    """Reads parsed headers, as `glance` does."""
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
    seems = automatic(clues)  # if no sign fits, no subset does
    return HeaderSummary(
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
    """Returns Return-Path (RFC 5321, 4.4), empty for a bounce. Falls back to From when the field is absent."""
    headers, _ = read_headers(raw[:LETTER])
    if headers.has("return-path"):
        return next(iter(mailboxes(headers.get("return-path"))), "")
    return next(iter(mailboxes(headers.get("from"))), "")


def sent_at(raw: bytes) -> datetime | None:
    """Returns Date with the offset of the author's clock. None when it says none."""
    date = headers_of(raw).get("date")
    try:
        written = parsedate_to_datetime(date[:_LONGEST_DATE])
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    # -0000 says nothing of the author's clock (RFC 5322, 3.3); near the last years zones overflow.
    return written if written.tzinfo and MINYEAR < written.year < MAXYEAR else None


def _ids(value: str) -> list[str]:
    return _MESSAGE_ID.findall(value)


def _correlates(headers: Headers) -> tuple[str, ...]:
    parents = [name for value in headers.all("in-reply-to") for name in _ids(value)]
    thread = [name for value in headers.all("references") for name in _ids(value)]
    return tuple(dict.fromkeys((*parents, *reversed(thread))))[:_CORRELATES]


def _recipients(headers: Headers) -> tuple[str, ...]:
    values = (value for field in _RECIPIENT_FIELDS for value in headers.all(field))
    return tuple(dict.fromkeys(address for value in values for address in mailboxes(value)))[:_RECIPIENTS]
