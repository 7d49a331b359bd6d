"""The tree of a letter, its headers, and its bytes."""

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

from pbem.outbox.rendering.mime import Attachment, Headers, Picture, assemble, mailbox

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
HEADERS = Headers(
    subject="[105] Zèrtz: Alice - Bruno",
    to="alice@example.org",
    reply_to="m+token@pbem.test",
    message_id="<0123456789abcdef@pbem.test>",
    date=datetime(2026, 5, 4, 9, 0, tzinfo=UTC),
    thread="<match.105@pbem.test>",
    kind="turn",
    more={
        "List-Unsubscribe": f"<https://pbem.test/u/{'a' * 32}/>, <mailto:u+{'b' * 32}@pbem.test?subject=unsubscribe>"
    },
)
PICTURE = Picture("board1@pbem.test", "105-3.png", PNG)
RECORD = Attachment("zertz-105.json", "json", '{"players": ["Zoë", "Bruno"]}')


def letter(*pictures: Picture, attachments: tuple[Attachment, ...] = ()) -> EmailMessage:
    raw = assemble(HEADERS, "Città\n", '<img src="cid:board1@pbem.test">', pictures, attachments)
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert message.defects == []
    return message


def tree(part: EmailMessage) -> object:
    kind = part.get_content_type()
    if not part.is_multipart():
        return kind
    return (kind.removeprefix("multipart/"), *map(tree, part.iter_parts()))  # type: ignore[arg-type]


def test_a_picture_sits_beside_the_html_inside_related() -> None:
    assert tree(letter(PICTURE)) == ("alternative", "text/plain", ("related", "text/html", "image/png"))


def test_a_record_hangs_outside() -> None:
    body = ("alternative", "text/plain", ("related", "text/html", "image/png"))
    assert tree(letter(PICTURE, attachments=(RECORD,))) == ("mixed", body, "application/json")


def test_without_a_picture_nothing_is_related() -> None:
    assert tree(letter()) == ("alternative", "text/plain", "text/html")


def test_everything_comes_out_as_it_went_in() -> None:
    message = letter(PICTURE, attachments=(RECORD,))
    plain, page, picture, record = (part for part in message.walk() if not part.is_multipart())
    assert plain.get_content().splitlines() == ["Città"]
    assert "cid:board1@pbem.test" in page.get_content()
    assert picture.get_content() == PNG
    assert picture["Content-ID"] == "<board1@pbem.test>"
    assert picture.get_content_disposition() == "inline"
    assert record.get_payload(decode=True).decode() == RECORD.content
    assert record.get_filename() == "zertz-105.json"


def test_each_header_is_there_once_and_whole() -> None:
    message = letter(PICTURE)
    assert message["Subject"] == HEADERS.subject
    assert message["List-Unsubscribe"] == HEADERS.more["List-Unsubscribe"]
    assert message["References"] == message["In-Reply-To"] == HEADERS.thread
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Date"].datetime == HEADERS.date
    names = [name.lower() for name in message.keys()]  # noqa: SIM118 - a message is no dict: names may repeat
    assert len(names) == len(set(names))


def test_the_bytes_are_seven_bit_with_crlf_and_short_lines_and_always_the_same() -> None:
    raw = assemble(HEADERS, "è" * 2000, "<p>è</p>", [PICTURE], [RECORD])
    assert raw == assemble(HEADERS, "è" * 2000, "<p>è</p>", [PICTURE], [RECORD])
    assert max(raw) < 128
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert max(map(len, raw.split(b"\r\n"))) <= 998


def test_a_name_cannot_break_out_of_its_header() -> None:
    evil = Headers(
        subject="[1] x\r\nBcc: charlie@example.org\r\n\r\nbody",
        to="alice@example.org",
        reply_to="play@pbem.test",
        message_id="<1@pbem.test>",
        date=HEADERS.date,
    )
    message = message_from_bytes(assemble(evil, "t", "h", [], []), policy=policy.default)
    assert message["Bcc"] is None
    assert "charlie" in message["Subject"]


def test_an_address_that_is_not_ascii_stays_an_address() -> None:
    """With the domain of DNS; what is left goes as UTF-8, to a relay that takes such (RFC 6532)."""
    for name, address, line in (
        ("", "alice@bücher.example", "To: <alice@xn--bcher-kva.example>"),
        ("", "elène@bücher.example", "To: <elène@xn--bcher-kva.example>"),
        ("Élène", "elène@example.org", "To: =?utf-8?b?w4lsw6huZQ==?= <elène@example.org>"),
    ):
        raw = assemble(replace(HEADERS, to=mailbox(name, address)), "t", "h", [], [])
        assert line in raw.decode().splitlines()


def test_a_long_subject_begins_on_the_line_of_its_name() -> None:
    """Else readers that unfold it strictly see a blank first."""
    subject = "b1-b3 è la mia mossa!: nessuna riga della tua email è una mossa o un comando"
    raw = assemble(replace(HEADERS, subject=subject), "x", "", (), ())
    assert b"\r\nSubject: =?utf-8?" in raw
