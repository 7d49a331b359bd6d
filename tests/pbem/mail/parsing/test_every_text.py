"""A word is found wherever a reader could read it, however it is encoded."""

from __future__ import annotations

from email.message import EmailMessage
from random import Random
from time import process_time

import pytest

from pbem.mail.parsing.redact_addresses import every_text

WORD = "Müller"


def plain() -> EmailMessage:
    letter = EmailMessage()
    letter["From"] = "bruno@example.org"
    letter.set_content("nothing")
    return letter


def in_subject() -> EmailMessage:
    letter = plain()
    letter["Subject"] = f"about {WORD}"
    return letter


def in_text(cte: str, charset: str) -> EmailMessage:
    letter = plain()
    letter.set_content(f"> {WORD} wrote:\n", cte=cte, charset=charset)
    return letter


def in_page() -> EmailMessage:
    letter = plain()
    letter.add_alternative("<p>M&uuml;ller wrote:</p>", subtype="html")
    return letter


def in_file() -> EmailMessage:
    letter = plain()
    letter.add_attachment(WORD.encode(), maintype="application", subtype="octet-stream", filename="x.bin")
    return letter


def within() -> EmailMessage:
    letter = plain()
    letter.add_attachment(in_text("base64", "utf-8"))
    return letter


@pytest.mark.parametrize(
    "letter",
    [
        in_subject(),
        in_text("8bit", "utf-8"),
        in_text("8bit", "latin-1"),
        in_text("base64", "utf-8"),
        in_text("quoted-printable", "latin-1"),
        in_page(),
        in_file(),
        within(),
    ],
)
def test_a_word_is_found(letter: EmailMessage) -> None:
    assert any(WORD in text for text in every_text(letter.as_bytes()))
    assert not any(WORD in text for text in every_text(plain().as_bytes()))


@pytest.mark.prove
def test_a_large_file_takes_its_time_and_no_more() -> None:
    letter = plain()
    letter.add_attachment(Random(1).randbytes(5_000_000), maintype="application", subtype="pdf", filename="x")
    begun = process_time()
    assert not any(WORD in text for text in every_text(letter.as_bytes()))
    assert process_time() - begun < 15


@pytest.mark.parametrize(
    "raw", [b"", b"\0" * 100, b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\n" * 2000]
)
def test_whatever_comes_it_never_raises(raw: bytes) -> None:
    assert "".join(every_text(raw)).strip() or not raw
