"""Reads a complaint: a provider tells that one of its users called a letter of ours spam (ARF, RFC 5965)."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.mail.parsing.parsed_mail import ParsedMail

_MARK = b"x-hmxmroriginalrecipient"
_SEARCHED = 256 * 1024  # octets


@dataclass(frozen=True)
class Complaint:
    """`kind` is the report's Feedback-Type, such as abuse, fraud, opt-out or not-spam; "" where it has none."""

    kind: str = ""
    original_message_id: str = ""  # "<...>" or ""

    @property
    def withdrawn(self) -> bool:
        """The user took our letter out of the spam folder (RFC 6430)."""
        return self.kind == "not-spam"

    @property
    def unsubscribes(self) -> bool:
        """The user wants no more letters, and has called none spam."""
        return self.kind == "opt-out"


def of_microsoft(mail: ParsedMail) -> bool:
    """Whether it is one of Microsoft's, which are no reports: our letter with a mark of theirs, in another letter."""
    return _MARK in mail.raw[:_SEARCHED].lower() and mail.report.copied.has(_MARK.decode("ascii"))


def read(mail: ParsedMail) -> Complaint:
    """Of any message; never raises."""
    report = mail.report
    kind = report.said("feedback-type") or report.headers.get("feedback-type")
    return Complaint(kind.strip().lower()[:40], report.original_message_id)
