"""Headers of strangers: whatever they hold, what comes out is one clean line, and never an exception."""

import re

from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.parsing.parts import display_name, mailboxes, one_line, read_headers

FIELDS = st.sampled_from(
    ["From", "To", "Subject", "Content-Type", "Content-Disposition", "Message-ID", "Received", "x"]
)
SCRAPS = st.sampled_from(
    [
        *(
            "=?utf-8?q?",
            "=?utf-8?b?",
            "=?hz?b?",
            "?=",
            "=C3",
            "=ED=A0=80",
            "QUJD",
            "=",
            "_",
            "?",
            "\\",
            '"',
            "(",
        ),
        *(
            ")",
            "<",
            ">",
            "@",
            ",",
            ";",
            ":",
            "[",
            "]",
            "; boundary=",
            "; charset*0*=utf-8''%",
            "; name*=",
            "*1*",
        ),
        *(
            "alice@example.net",
            "text/plain",
            "multipart/mixed",
            "\r\n ",
            "\n\t",
            "\r",
            "\0",
            "\u202e",
            "\u200b",
        ),
        *("\ud800", "é", "\N{NO-BREAK SPACE}", "\x85", "\u2028", "Re: "),
    ]
)
VALUES = st.lists(SCRAPS | st.text(max_size=6), max_size=40).map("".join)
UNSAFE = re.compile("[\x00-\x1f\x7f\x85\u200b\u2028\u202e\ud800-\udfff]")


@given(st.lists(st.tuples(FIELDS, VALUES), max_size=12))
def test_headers(fields):
    block = "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\nbody"
    raw = block.encode("utf-8", "surrogatepass")
    headers, body = read_headers(raw)

    assert 0 <= body <= len(raw)
    assert headers.content_type().count("/") == 1
    for _, value in headers.fields:
        assert not UNSAFE.search(value)
    for name in ("boundary", "charset", "name", "filename"):
        for field in ("content-type", "content-disposition"):
            assert isinstance(headers.parameter(field, name), str)


@given(VALUES)
def test_values(value):
    line, _ = one_line(value)
    assert not UNSAFE.search(line)
    assert not UNSAFE.search(display_name(value))
    for address in mailboxes(value):
        assert re.fullmatch(r"[^@\s<>,;]+@[^@\s<>,;]+", address)


def test_no_letter_of_another_alphabet_becomes_one_of_ours() -> None:
    """In small letters the sign of the kelvin is a k."""
    assert mailboxes("mi\u212ae@example.org, MIKE@EXAMPLE.ORG") == ("mike@example.org",)
    assert mailboxes("MI\u212aE@example.org") == ()
