"""The plainest addresses are read without the standard library's parser, and as it reads them."""

from __future__ import annotations

import pytest
from aiosmtpd.smtp import SMTP
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbox.transports.smtp_session import Smtp
from tests.examples import examples

PIECES = st.sampled_from(
    [
        "<",
        ">",
        "@",
        ".",
        "..",
        " ",
        "a",
        "b-c",
        "X+1",
        "é",
        '"',
        "\\",
        "(",
        ")",
        ",",
        ";",
        ":",
        "[1.2.3.4]",
        "SIZE=10",
    ]
)


def read(argument: str) -> tuple[tuple[str | None, str | None], tuple[str | None, str | None]]:
    """By us, and by aiosmtpd."""
    session = object.__new__(Smtp)
    try:
        theirs = SMTP._getaddr(session, argument)
    except (RecursionError, ValueError, LookupError, AttributeError, TypeError):
        theirs = None, None
    return session._getaddr(argument), theirs


@pytest.mark.parametrize(
    "argument",
    [
        "<alice@example.org>",
        "<a.b+c=d@sub.example.org> SIZE=1000 BODY=8BITMIME",
        "<alice@example.org>  SIZE=1",
        "<alice@example.org>SIZE=1",
        "<alice@example.org> ",
        "<>",
        "<.a@example.org>",
        "<a..b@example.org>",
        '<"a b"@example.org>',
        "<@relay:alice@example.org>",
        "alice@example.org",
        "<alice@[127.0.0.1]>",
        "<alice@example..org>",
    ],
)
def test_an_address_is_what_aiosmtpd_takes_it_for(argument: str) -> None:
    ours, theirs = read(argument)
    assert ours == theirs


@examples(200)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_whatever_it_is_made_of(argument: str) -> None:
    ours, theirs = read(argument)
    assert ours == theirs
