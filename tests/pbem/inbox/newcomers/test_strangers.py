"""Letters made to hurt: reading never raises and never takes long."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.parsing.headers import summarise
from pbem.mail.parsing.letter import read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.reply_text import talk
from tests.examples import examples

MAIL = Path(__file__).parents[3] / "mail"
LETTERS = [path.read_bytes() for path in sorted(MAIL.glob("*.eml"))]
SENT = (MAIL / "turn_letter.en.txt").read_text(encoding="utf-8")
SECONDS = 1.0  # of processor time; every letter here takes a tenth of it on an old laptop

TOKENS = st.sampled_from(
    [
        *(
            b"\r\n",
            b"\n\n",
            b"\0",
            b"\xff",
            b"=?utf-8?q?",
            b"?=",
            b'"',
            b"(",
            b"<",
            b">",
            b"\n> ",
            b"\n-- \n",
        ),
        *(b"Content-Type: multipart/mixed; boundary=", b"Content-Type: text/html\n", b"; charset=utf-7"),
        *(b"; charset*0*=x''%ff", b"\n--", b"--\n", b"Content-Transfer-Encoding: base64\n", b"<blockquote>"),
        *(
            b"From: ",
            b"\nOn 1.1.2026 ",
            b" wrote:",
            b"\xe2\x80\xae",
            b"\xed\xa0\x80",
            b"=\n",
            b"<!DOCTYPE x [<!",
        ),
    ]
)


def read(raw: bytes) -> None:
    start = time.process_time()
    seen = summarise(raw, own_domain="pbem.example")
    letter = read_letter(ParsedMail(raw, own_domain="pbem.example"), sent=SENT)
    relayed = talk(letter.lines)
    assert seen.is_reply in (True, False)
    assert time.process_time() - start < SECONDS
    assert letter.summary == seen
    for line in (*letter.lines, *relayed, seen.subject, seen.sender_name, *seen.senders, *seen.recipients):
        assert "\n" not in line
        assert "\0" not in line
        line.encode("utf-8")


@examples(150)
@given(st.binary(max_size=2_000))
def test_any_octets(raw):
    read(raw)


@examples(150)
@given(st.lists(TOKENS | st.binary(max_size=8), max_size=60))
def test_any_pieces_of_mail(pieces):
    read(b"".join(pieces))


@examples(250)
@given(
    st.sampled_from(LETTERS), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 80), TOKENS), max_size=12)
)
def test_real_letters_with_pieces_torn_out_and_put_in(raw, wounds):
    for where, length, token in wounds:
        at = int(where * len(raw))
        raw = raw[:at] + token + raw[at + length :]
    read(raw)


def part(kind: bytes) -> bytes:
    return b"Content-Type: " + kind + b"\n\n"


FLOODS = {
    "subject": b"Subject: " + b"x " * 100_000 + b"\n\nhi",
    "brackets": b"From: " + b"(" * 8_000 + b"\n\nhi",
    "quotation marks": b'From: "' + b'\\"' * 4_000 + b"\n\nhi",
    "encoded words": b"Subject: " + b"=?a?q?" * 1_300 + b"\n\nhi",
    "punycode": b"Subject: =?punycode?q?" + b"a-b" * 2_000 + b"?=\n\nhi",
    "folded header": b"X: y\n" + b" z\n" * 80_000 + b"\nhi",
    "recipients": (b"Cc: " + b"a@example.com, " * 30 + b"\n") * 500 + b"\nhi",
    "parameters": part(b"multipart/mixed; boundary=b")
    + (b"--b\nContent-Type: multipart/x; boundary=" + b'";' * 400 + b"\n\n \n") * 990,
    "delimiters": part(b"multipart/mixed; boundary=b") + b"\n--bx" * 1_000_000,
    "dashes for a boundary": part(b"multipart/mixed; boundary=-") + b"-" * 9_000_000,
    "blanks after a boundary": part(b"multipart/mixed; boundary=b") + (b"\n--b" + b" " * 70 + b"x") * 130_000,
    "headers of parts": part(b"multipart/mixed; boundary=b") + (b"--b\n" + b"X: y\n" * 999 + b"\nx\n") * 999,
    "blank lines": part(b"text/plain") + b"\n" * 5_000_000,
    "one line": part(b"text/plain") + b"a" * 5_000_000,
    "attributions": part(b"text/plain") + b"On 2026 12:30 a@b x\n" * 12_000,
    "header blocks": part(b"text/plain") + b"From: x\nFrom: y\n" * 12_000,
    "dashes": part(b"text/plain") + b"---- x " * 35_000,
    "our letters": part(b"text/plain") + b"eeeeeeeeee\n" * 20_000,
    "flowed": part(b"text/plain; format=flowed") + b"a \n" * 80_000,
    "paragraphs": part(b"text/html") + b"<p>x" * 60_000,
    "nested elements": part(b"text/html") + b"<div>" * 50_000,
    "nested quotations": part(b"text/html") + b"<blockquote>" * 20_000,
    "less than": part(b"text/html") + b"<" * 250_000,
    "entities": part(b"text/html") + b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><p>&b;',
    "padding": part(b"text/html") + b"<p style='padding-left:9999999px'>hi" * 3_000,
    "wide cells": part(b"text/html") + b'<table><tr><td width=99999 style="width:999999em;margin:999999em">x',
}


@pytest.mark.parametrize("raw", FLOODS.values(), ids=FLOODS.keys())
def test_floods(raw):
    read(raw)
