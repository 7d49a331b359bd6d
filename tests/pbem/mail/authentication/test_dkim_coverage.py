"""What a signature has to cover, so that nothing can be added to what it was made for."""

from __future__ import annotations

import pytest

from pbem.mail.authentication.dkim import ALWAYS, IF_PRESENT, Signature, covers
from pbem.mail.parsing.parts import Headers, read_headers

HEAD = b"From: a@x.example\r\nTo: play@y.example\r\nSubject: s\r\nDate: d\r\nMessage-ID: <1@x>\r\n"


def signature(names: str = ":".join(ALWAYS), more: str = "", kind: str = "rsa-sha256") -> Signature:
    found = Signature.parse(f"v=1; a={kind}; d=X.Example; s=s1; h={names}; {more}bh=YQ==; b=ab cd\r\n ef")
    assert found is not None
    return found


def headers(more: bytes = b"") -> Headers:
    return read_headers(more + HEAD + b"\r\ntext")[0]


def test_a_signature_is_read() -> None:
    found = signature("From : TO:\r\n subject")
    assert (found.domain, found.seal) == ("x.example", "abcdef")
    assert found.names == {"from", "to", "subject"}


@pytest.mark.parametrize(
    "value", ["", "nonsense", "v=1; d=x.example; d=y.example", "v=1; d=; h=from", "d=a@b; h="]
)
def test_what_cannot_be_read_is_none(value: str) -> None:
    assert Signature.parse(value) is None


def test_the_least_that_has_to_be_signed() -> None:
    assert covers(signature(), headers())
    for name in ALWAYS:
        assert not covers(signature(":".join(other for other in ALWAYS if other != name)), headers()), name


@pytest.mark.parametrize(
    "name",
    [*IF_PRESENT, "content-type", "content-transfer-encoding", "content-disposition", "content-language"],
)
def test_what_is_there_has_to_be_signed_as_well(name: str) -> None:
    there = headers(f"{name}: x\r\n".encode())
    assert not covers(signature(), there)
    assert covers(signature(":".join((*ALWAYS, name))), there)


def test_what_nobody_reads_need_not_be_signed() -> None:
    assert covers(signature(), headers(b"Received: from x\r\nX-Mailer: y\r\nReturn-Path: <a@x.example>\r\n"))


def test_a_part_of_the_text_or_a_weak_seal_is_not_enough() -> None:
    assert not covers(signature(more="l=4; "), headers())
    assert not covers(signature(kind="rsa-sha1"), headers())


@pytest.mark.parametrize(
    "more",
    [b"X: y\rSubject: z\r\n", b"To: " + b"x, " * 4000 + b"\r\n", b"X: y\r\r\n"],
    ids=["bare return", "cut", "end for some"],
)
def test_headers_that_others_may_read_otherwise_are_not_covered(more: bytes) -> None:
    assert not covers(signature(), headers(more))
