"""Whether a letter was plainly written to us alone, now."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.authentication.results import ONCE, answers_only, doubled, is_cut, is_fresh, to_us_alone
from pbem.mail.parsing.parts import Headers, read_headers

NOW = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


def headers(*lines: str) -> Headers:
    return read_headers("".join(f"{line}\r\n" for line in (*lines, "", "text")).encode())[0]


def is_ours(address: str) -> bool:
    return address in ("play@pbem.example", "m+x@pbem.example")


# -- one field of each ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ONCE)
def test_two_of_a_kind(name: str) -> None:
    assert doubled(headers(f"{name}: x", "X-Other: y")) == ()
    assert doubled(headers(f"{name.title()}: x", "X-Other: y", f"{name.upper()} : x")) == (name,)


def test_some_fields_may_come_often() -> None:
    assert doubled(headers("Received: a", "Received: b", "DKIM-Signature: c", "DKIM-Signature: d")) == ()


def test_a_line_that_ends_for_some_only_is_two_fields() -> None:
    assert doubled(headers("Subject: x", "X-Other: y\rSubject: z")) == ("subject",)


# -- to us, and to nobody else -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "to",
    [
        "play@pbem.example",
        "PBeM <PLAY@pbem.example>",
        '"PBeM, the players" <play@pbem.example>',
        "PBeM (our server) <play@pbem.example>",
        "play@pbem.example, <m+x@pbem.example>",
    ],
)
def test_to_us_alone(to: str) -> None:
    assert to_us_alone(headers(f"To: {to}"), is_ours)


@pytest.mark.parametrize(
    "to",
    [
        "bruno@x.example",
        "play@pbem.example, bruno@x.example",
        "play@pbem.example, bruno",
        "play@pbem.example bruno@x.example",
        "undisclosed-recipients:;",
        "us: play@pbem.example;",
        "play@pbem.example, (",
        '"play@pbem.example" <bruno@x.example>',
        "",
        ",",
        "play@pbem.example," + " " * 9000 + "bruno@x.example",
    ],
)
def test_to_others_too(to: str) -> None:
    assert not to_us_alone(headers(f"To: {to}"), is_ours)


@pytest.mark.parametrize(
    "copy", ["Cc: bruno@x.example", "Cc: play@pbem.example", "Cc:", "Bcc: bruno@x.example"]
)
def test_a_copy_for_somebody(copy: str) -> None:
    assert not to_us_alone(headers("To: play@pbem.example", copy), is_ours)


def test_to_nobody() -> None:
    assert not to_us_alone(headers("Subject: x"), is_ours)


# -- in answer to us -----------------------------------------------------------------------------------------


def test_a_new_letter_answers_nothing() -> None:
    assert answers_only(headers("Subject: x"), [])


def test_an_answer_to_us() -> None:
    answer = headers("In-Reply-To: <1@pbem>", "References: <0@pbem>\r\n <1@pbem>")
    assert answers_only(answer, ["<0@pbem>", "<1@pbem>"])
    assert not answers_only(answer, ["<1@pbem>"])
    assert not answers_only(answer, [])


@pytest.mark.parametrize(
    "line",
    ["In-Reply-To: your letter", "In-Reply-To: <a b@x>", "References: x", f"References: <{'x' * 300}@x>"],
)
def test_whoever_answers_something_that_is_no_name_does_not_answer_us(line: str) -> None:
    assert not answers_only(headers(line), ["<1@pbem>"])


def test_what_is_too_long_to_be_read_answers_somebody() -> None:
    cut = headers("References: " + "<1@pbem>\r\n " * 1000 + "<2@x>")
    assert is_cut(cut, "references")
    assert not is_cut(cut, "to")
    assert not answers_only(cut, ["<1@pbem>"])


# -- of these days -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("date", "fresh"),
    [
        ("Mon, 04 May 2026 09:00:00 +0000", True),
        ("Mon, 4 May 2026 11:00:00 +0200 (CEST)", True),
        ("Sat, 02 May 2026 09:00:00 +0000", True),
        ("Sat, 02 May 2026 08:59:59 +0000", False),
        ("Wed, 06 May 2026 09:00:00 +0000", True),
        ("Wed, 06 May 2026 09:00:01 +0000", False),
        ("Sat, 02 May 2026 07:00:00 -0200", True),
        ("Sat, 02 May 2026 09:30:00 +0200", False),
        ("Mon, 04 May 2026 09:00:00 -0000", True),
        ("Mon, 04 May 2020 09:00:00 +0000", False),
        ("", False),
        ("yesterday", False),
        ("Mon, 99 May 2026 09:00:00 +0000", False),
        ("Mon, 04 May 2026 09:00:00 +9999", False),
        ("Fri, 31 Dec 9999 23:59:59 -2300", False),
    ],
)
def test_dates(date: str, fresh: bool) -> None:
    assert is_fresh(date, NOW) is fresh


@given(st.text(max_size=200))
def test_no_date_raises(date: str) -> None:
    assert is_fresh(date, NOW) in (True, False)
