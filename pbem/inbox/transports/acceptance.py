"""Says why a letter cannot be taken at all, before it is kept: the same at every door."""

from __future__ import annotations

import shutil

from django.conf import settings

from pbem.mail.parsing.limits import LETTER, too_complex
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.parts import TooComplex
from pbem.refusals import Code

MEBIBYTE = 1024 * 1024
_DISK_FULL = ("disk is full", "No space left")  # SQLite, PostgreSQL and the system


def objection(raw: bytes) -> str:
    """The code of a transport refusal, "" when the letter can be kept. Bounded in time; touches no row."""
    if len(raw) > LETTER:
        return Code.TOO_LARGE
    mail = ParsedMail(raw)
    try:
        return Code.TOO_COMPLEX if too_complex(mail.headers) or not mail.parts else ""
    except TooComplex:
        return Code.TOO_COMPLEX


def objection_on_the_wire(raw: bytes) -> str:
    """The same where lines end with CR LF and with nothing else: in SMTP and LMTP (RFC 5321, 2.3.8).

    A bare CR or LF is refused because a server behind another one may take it for an end.
    """
    bare = not raw.count(b"\r\n") == raw.count(b"\r") == raw.count(b"\n")
    return Code.BAD_LINE_ENDS if bare else objection(raw)


def disk_is_low() -> bool:
    """Whether the disk of VAR has less room than the operator wants to keep free."""
    settings.VAR.mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(settings.VAR).free < settings.DISK_RESERVE * MEBIBYTE


def code_of(trouble: Exception) -> str:
    """Of a fault of ours, for which the other side keeps the letter and tries again."""
    return Code.DISK_LOW if any(words in str(trouble) for words in _DISK_FULL) else Code.STORAGE_UNAVAILABLE
