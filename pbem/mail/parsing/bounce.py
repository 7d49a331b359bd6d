"""Reads bounces and spam complaints."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import compat32

from pbem.mail.parsing.parsed_mail import ParsedMail, Report
from pbem.mail.parsing.parts import Headers, mailboxes

# flufl.bounce tries some ninety expressions on every line.
GUESSED = 64 * 1024  # octets
GUESSED_LINES = 1_000
GUESSED_LINE = 1_000  # octets
WORDS = 4_000  # characters of the text that are searched; the copy of our letter comes later
DIAGNOSTIC = 500  # characters

# Actions of RFC 3464, 2.3.3, worst first. The worst counts for several recipients.
ACTIONS = ("failed", "delayed", "relayed", "expanded", "delivered")

# Phrases of servers that give no code, with the status of RFC 3463.
SAID = (
    (
        "5.2.2",
        r"(mail)?box (is )?(full|space)|(mail|disk|over).{0,10}quota|casella .{0,40}piena|spazio .{0,20}esaurito",
    ),
    (
        "5.1.1",
        r"(unknown|no such|not? a? ?valid|invalid) (user|mailbox|recipient|address|account)|user unknown",
    ),
    ("5.1.1", r"(address|account|mailbox|user) .{0,30}(not (exist|found)|could ?n.t be found)"),
    (
        "5.1.1",
        r"(utente|destinatario|indirizzo|casella) .{0,30}(sconosciut|inesistent|non esiste|non trovat|non valid)",
    ),
)

# Phrases of servers that keep trying and send no report.
DELAYED = re.compile(
    r"(not|n't) (yet )?been (delivered|sent)( yet)?\b.{0,200}(attempts|continue|retr(y|ied)|trying|action)"
    r"|(has|have) been delayed|warning message only|delivery attempts will continue|will (be retried|keep trying)"
    r"|ancora (stato )?(consegnat|recapitat)|ulteriori tentativi",
    re.IGNORECASE | re.DOTALL,
)

_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.]*\d)")
_FAILURE = re.compile(r"(?<![\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)")
_SPOKEN = re.compile(r"(?:([245]\d\d)\b[ -]?)?(?:([245]\.\d{1,3}\.\d{1,3})\b)?\s*(.*)", re.DOTALL)
_REPLY = re.compile(
    r"(?:\b(?:said|code|error|smtp|reply|response|remote|server|status|because)\b[^\n]{0,60}?|^[ \t]*|[<>(#:]\s?)"
    r"([45]\d\d)(?=[\s\-)>:,#])",
    re.IGNORECASE | re.MULTILINE,
)

logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)  # logs every detector


@dataclass(frozen=True)
class Bounce:
    """A report about one recipient; fields are "" when unknown. Does not prove its sender."""

    action: str = ""  # one of ACTIONS
    status: str = ""  # as `5.1.1` (RFC 3463)
    recipient: str = ""  # lower case
    original_message_id: str = ""  # "<...>"
    diagnostic: str = ""  # the other server's words, one line

    @property
    def failed(self) -> bool:
        """Tells whether the delivery failed. Delays and successes are not failures."""
        return self.action in ("failed", "")

    @property
    def reply(self) -> str:
        """Returns the diagnostic as an SMTP reply: code, status, text."""
        code, own_status, text = _SPOKEN.fullmatch(self.diagnostic).groups("")  # type: ignore[union-attr]
        status = self.status or own_status
        if (
            status and status[0] != code[:1]
        ):  # the status is newer: a letter that expired was only delayed before
            code = f"{status[0]}50"
        return " ".join(filter(None, (code, status, text)))


def read_bounce(mail: ParsedMail) -> Bounce:
    """Reads a bounce from the report's fields, else from its text. Never raises."""
    report = mail.report
    read_blocks = [_recipient(block) for block in report.blocks]
    told = sorted(filter(None, read_blocks), key=lambda bounce: ACTIONS.index(bounce.action))
    bounce = told[0] if told else _guessed(mail.raw, report)
    return Bounce(
        bounce.action, bounce.status, bounce.recipient, report.original_message_id, bounce.diagnostic
    )


def _recipient(block: Headers) -> Bounce | None:
    """Reads one block of fields. None for the block about the letter itself."""
    if not block.has("final-recipient", "original-recipient", "action", "status"):
        return None
    diagnostic = _value(block.get("diagnostic-code")) or block.get("x-smtp-server-diagnostic")
    found = _STATUS.search(block.get("status")) or _STATUS.search(diagnostic)
    status = found[0] if found else ""
    said = re.match(r"[a-z]*", block.get("action").strip().lower())
    action = said[0] if said and said[0] in ACTIONS else ""
    if not action:
        action = "delivered" if status.startswith("2") else "failed"
    recipients = (_value(block.get(field)) for field in ("original-recipient", "final-recipient"))
    addresses = [address for recipient in recipients for address in mailboxes(recipient)]
    return Bounce(action, status, addresses[0] if addresses else "", "", diagnostic[:DIAGNOSTIC])


def _value(field: str) -> str:
    """Returns the value without its type: `alice@example.org` for `rfc822; alice@example.org`."""
    kind, semicolon, value = field.partition(";")
    return (value if semicolon else kind).strip()


def _guessed(raw: bytes, report: Report) -> Bounce:
    temporary, permanent = _failures(raw)
    addresses = [
        address
        for guess in (*permanent, *temporary)
        for address in mailboxes(guess.decode("ascii", "replace"))
    ]
    named = mailboxes(report.headers.get("x-failed-recipients")) or addresses
    status, diagnostic = _said(report.text)
    gone_on = not status.startswith("5") and DELAYED.search(report.text[:WORDS])
    if gone_on or (temporary and not permanent):
        return Bounce("delayed", status, named[0] if named else "", "", diagnostic)
    if permanent and not status:
        status = "5.0.0"
    return Bounce("failed" if status or named else "", status, named[0] if named else "", "", diagnostic)


def _said(text: str) -> tuple[str, str]:
    """Returns status and diagnostic: by the first code in the text, else by known phrases."""
    text = text[:WORDS]
    status, code = _FAILURE.search(text), _REPLY.search(text)
    if code and not (status and status.start() < code.start(1)):
        return status[1] if status else f"{code[1][0]}.0.0", _rest_of_line(text, code.start(1))
    if status:
        return status[1], _line_of(text, status.start())
    for status_said, words in SAID:
        if meant := re.search(words, text, re.IGNORECASE):
            return status_said, _line_of(text, meant.start())
    return "", ""


def _failures(raw: bytes) -> tuple[list[bytes], list[bytes]]:
    from flufl.bounce import all_failures  # noqa: PLC0415 - few letters are bounces that say nothing to programs

    lines = raw[:GUESSED].splitlines(keepends=True)[:GUESSED_LINES]
    cut = b"".join(line if len(line) <= GUESSED_LINE else line[:GUESSED_LINE] + b"\n" for line in lines)
    try:
        temporary, permanent = all_failures(message_from_bytes(cut, policy=compat32))
    except Exception:  # its detectors use the standard library, which raises on some letters
        return [], []
    return sorted(temporary), sorted(permanent)


def _line_of(text: str, at: int) -> str:
    return _rest_of_line(text, text.rfind("\n", 0, at) + 1)


def _rest_of_line(text: str, at: int) -> str:
    return " ".join(text[at:].split("\n", 1)[0].split())[:DIAGNOSTIC]


# Complaints (ARF, RFC 5965)

_MARK = b"x-hmxmroriginalrecipient"
_SEARCHED = 256 * 1024  # octets


@dataclass(frozen=True)
class Complaint:
    """A spam complaint. `kind` is the Feedback-Type, such as abuse, fraud, opt-out or not-spam; "" when
    absent."""

    kind: str = ""
    original_message_id: str = ""  # "<...>" or ""

    @property
    def withdrawn(self) -> bool:
        """Tells whether the user took the letter out of the spam folder (RFC 6430)."""
        return self.kind == "not-spam"

    @property
    def unsubscribes(self) -> bool:
        """Tells whether the user unsubscribes without reporting spam."""
        return self.kind == "opt-out"


def of_microsoft(mail: ParsedMail) -> bool:
    """Tells whether it is a complaint of Microsoft: our letter, marked, embedded in another one, without a
    report."""
    return _MARK in mail.raw[:_SEARCHED].lower() and mail.report.copied.has(_MARK.decode("ascii"))


def read_complaint(mail: ParsedMail) -> Complaint:
    """Reads a complaint from any message. Never raises."""
    report = mail.report
    kind = report.said("feedback-type") or report.headers.get("feedback-type")
    return Complaint(kind.strip().lower()[:40], report.original_message_id)
