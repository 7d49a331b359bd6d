"""What the answer to a test letter tells of the mail program that wrote it."""

from __future__ import annotations

import re
from typing import Any

from pbem.mail.authentication.policy import Dmarc
from pbem.mail.parsing.headers import Glance
from pbem.mail.parsing.letter import Letter, text_of_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.parts import Headers, one_line
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.sections.mail_client_test import QUESTIONS, RULER, SIGNS

TEST = "test"
_LONGEST_NAME = 60
_LINES = 10  # above the quote, in which the numbers may stand
_NUMBERS = re.compile(r"[0-9]+(?:[\s,;.&+]+(?:and |e )?[0-9]+)*\.?")


def tested(
    mail: ParsedMail, seen: Glance, said: Letter, dmarc: Dmarc, letter: OutboundMail
) -> dict[str, Any]:
    """The section that tells what arrived. `letter` is the test that is answered.

    `signs` is None where nothing is quoted, so that nobody knows what became of them.
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
    """What it calls itself; "" if it does not."""
    name, _ = one_line(headers.get("user-agent") or headers.get("x-mailer"))
    return name[:_LONGEST_NAME]


def survived(text: str) -> bool | None:
    """Whether our signs came back as they went out; the ruler, which is ASCII, says that they are quoted at all."""
    if RULER.strip("|") not in text:
        return None
    return all(sign in text for sign in SIGNS.split())


def wrong(lines: tuple[str, ...]) -> list[int]:
    """The numbers of what the reader does not see as it should be."""
    said = [line.strip() for line in lines[:_LINES] if _NUMBERS.fullmatch(line.strip())]
    return sorted({int(number) for line in said for number in re.findall("[0-9]+", line)} & set(QUESTIONS))
