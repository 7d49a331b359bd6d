"""What the headers of a letter say."""

from pathlib import Path

import pytest

from pbem.mail.parsing.headers import summarise

MAIL = Path(__file__).parents[3] / "mail"


def test_the_headers_of_a_reply():
    seen = summarise((MAIL / "gmail_top_en.eml").read_bytes(), own_domain="pbem.example")

    assert seen.senders == ("alice@example.net",)
    assert seen.sender_name == "Alice Archer"
    assert seen.subject == "Re: [105] Zèrtz: Alice - Bruno"
    assert seen.message_id == "<CAA1@mail.gmail.com>"
    assert seen.correlates == ("<turn.105.12@pbem.example>", "<match.105@pbem.example>")
    assert seen.recipients == ("m+aaaq4tq7vd2nzc5e6jlmwxy3fgb2kphs@pbem.example",)
    assert seen.authentication_results == ("mx.pbem.example; dmarc=pass header.from=example.net",)
    assert seen.automatic is None
    assert seen.defects == ()


def test_recipients_as_the_server_noted_them_come_before_those_the_sender_wrote():
    seen = summarise(
        b"To: Play <PLAY@pbem.example>, c@x.example\nCc: d@x.example\n"
        b"X-Gm-Original-To: b@pbem.example\nDelivered-To: a@pbem.example\n\n"
    )
    assert seen.recipients == (
        "a@pbem.example",
        "b@pbem.example",
        "play@pbem.example",
        "c@x.example",
        "d@x.example",
    )


@pytest.mark.parametrize(
    ("header", "senders"),
    [
        (b"From: Alice <Alice@Example.NET>", ("alice@example.net",)),
        (b"From: alice@example.net (Alice (at home))", ("alice@example.net",)),
        (b'From: "bruno@example.org" <alice@example.net>', ("alice@example.net",)),
        (b"From: =?utf-8?q?bruno@example.org?= <alice@example.net>", ("alice@example.net",)),
        (b"From: alice@example.net <alice@example.net>", ("alice@example.net",)),
        (b"From: Alice\n <alice@example.net>", ("alice@example.net",)),
        (b"From: ali\0ce@example.net", ("alice@example.net",)),
        (b"From: alice", ()),
        (b"Subject: nobody", ()),
        (b"From: " + b"(" * 8_000 + b"alice@example.net", ()),
    ],
)
def test_senders(header, senders):
    assert summarise(header + b"\n\n").senders == senders


@pytest.mark.parametrize(
    "headers",
    [
        b"From: alice@example.net\nFrom: charlie@example.com",
        b"From: alice@example.net, charlie@example.com",
        b"From: charlie@example.com <alice@example.net>",
    ],
)
def test_several_senders_are_all_named_and_noted(headers):
    seen = summarise(headers + b"\n\n")
    assert set(seen.senders) == {"alice@example.net", "charlie@example.com"}
    assert "several From" in seen.defects


@pytest.mark.parametrize(
    ("header", "subject"),
    [
        (b"=?utf-8?q?Z=C3=A8r?= =?utf-8?q?tz?=", "Zèrtz"),
        (b"=?iso-8859-1?B?Wuhy?= tz", "Zèr tz"),
        ("Zèrtz".encode(), "Zèrtz"),
        ("Zèrtz".encode("latin-1"), "Zèrtz"),
        (b"=?utf-8?b?A?=", "=?utf-8?b?A?="),
        (b"a\n b", "a b"),
        (b"=?utf-8?q?a=0D=0ABcc:_charlie@example.com?=", "a Bcc: charlie@example.com"),
    ],
)
def test_the_subject_is_one_decoded_line(header, subject):
    assert summarise(b"Subject: " + header + b"\n\n").subject == subject


def test_a_subject_of_thousands_of_encoded_words_is_not_decoded():
    seen = summarise(b"Subject: " + b"=?utf-8?q?a?= " * 500 + b"\n\n")
    assert seen.subject.startswith("=?utf-8?q?a?=")
    assert "unreadable Subject" in seen.defects


@pytest.mark.parametrize(
    "subject",
    [
        "Re: RESIGN",
        "R: [105] Zèrtz: Alice - Bruno",
        "RIF: RESIGN",
        "AW: RESIGN",
        "SV: RESIGN",
        "TR: RESIGN",
        "I: RESIGN",
        "Fwd: RESIGN",
        "Re[3]: RESIGN",
        "re(2) : RESIGN",
        "回复：RESIGN",
    ],
)
def test_a_reply_is_known_by_its_subject(subject):
    assert summarise(f"Subject: {subject}\n\n".encode()).is_reply


@pytest.mark.parametrize("header", ["In-Reply-To: <1@example.net>", "References: <1@example.net>"])
def test_a_reply_is_known_by_what_it_answers(header):
    assert summarise(f"Subject: RESIGN\n{header}\n\n".encode()).is_reply


@pytest.mark.parametrize(
    "subject", ["RESIGN 105", "[105] Nd2, a3", "REGISTER alice", "Resign: no", "Reject", ""]
)
def test_a_new_letter_is_none(subject):
    assert not summarise(f"Subject: {subject}\n\n".encode()).is_reply


def test_a_blank_line_too_early_ends_the_headers():
    assert summarise(b"\n\nSubject: a\nno header\nFrom: alice@example.net\n\n").subject == "a"
