"""Two addresses of one reader are one mailbox, and those of two readers are two."""

from __future__ import annotations

import pytest

from pbem.mail.mailbox import mailbox_of


@pytest.mark.parametrize(
    ("address", "mailbox"),
    [
        ("tom@example.org", "tom@example.org"),
        ("Tom@EXAMPLE.org.", "tom@example.org"),
        ("tom+chess@example.org", "tom@example.org"),
        ("tom+chess+go@example.org", "tom@example.org"),
        ("t.om@example.org", "t.om@example.org"),
        ("+tom@example.org", "+tom@example.org"),
        ("T.o.m.+x@gmail.com", "tom@gmail.com"),
        ("t.om@GoogleMail.com", "tom@gmail.com"),
        ("tom@\uff47mail.com", "tom@gmail.com"),
        ("tom@b\u00fccher.example", "tom@xn--bcher-kva.example"),
        ("tom@localhost", "tom@localhost"),
    ],
)
def test_one_reader_is_one(address: str, mailbox: str) -> None:
    assert mailbox_of(address) == mailbox
    assert mailbox_of(mailbox) == mailbox
