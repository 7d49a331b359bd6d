"""Reads what the answer to a test letter reveals about the mail program."""

from __future__ import annotations

import re
from typing import Any

from pbem.mail.authentication.policy import Dmarc
from pbem.mail.parsing.headers import HeaderSummary
from pbem.mail.parsing.letter import Letter, text_of_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.parts import Headers, one_line
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.sections.mail_client_test import QUESTIONS, RULER, SIGNS

TEST = "test"
_LONGEST_NAME = 60
_LINES = 10  # lines above the quote that may hold the numbers
_NUMBERS = re.compile(r"[0-9]+(?:[\s,;.&+]+(?:and |e )?[0-9]+)*\.?")


def tested(
    mail: ParsedMail, seen: HeaderSummary, said: Letter, dmarc: Dmarc, letter: OutboundMail
) -> dict[str, Any]:
    """The section with the results; `letter` is the test letter.

    `signs` is None when nothing is quoted.
    """
    return {
        "kind": "tested",
        "program": program(mail.headers),
        "thread": letter.message_id in seen.correlates,
        "signs": survived(text_of_letter(mail)),
        "vouched": dmarc is Dmarc.PASS,
        "wrong": wrong(said.lines),
    }


def program(headers: Headers) -> str:
    """The name of the mail program. Empty when it gives none."""
    name, _ = one_line(headers.get("user-agent") or headers.get("x-mailer"))
    return name[:_LONGEST_NAME]


def survived(text: str) -> bool | None:
    """Whether the special characters came back intact. None when the text is not quoted."""
    if RULER.strip("|") not in text:
        return None
    return all(sign in text for sign in SIGNS.split())


def wrong(lines: tuple[str, ...]) -> list[int]:
    """The numbers of the items that the reader does not see correctly."""
    said = [line.strip() for line in lines[:_LINES] if _NUMBERS.fullmatch(line.strip())]
    return sorted({int(number) for line in said for number in re.findall("[0-9]+", line)} & set(QUESTIONS))
