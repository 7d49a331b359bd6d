"""What the servers of the world say of a letter of ours that they could not deliver, or that was called spam."""

from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.parsing import bounce
from pbem.mail.parsing.bounce import Bounce
from pbem.mail.parsing.headers import summarise
from pbem.mail.parsing.parsed_mail import ParsedMail

REPORTS = Path(__file__).parents[3] / "mail" / "reports"
OURS = "<8c1d4e7a90b25f36e1a7c4d8@pbem.example>"


def report(name: str) -> bytes:
    return (REPORTS / f"{name}.eml").read_bytes()


@pytest.mark.parametrize(
    ("name", "action", "recipient", "reply"),
    [
        # Reports by the book (RFC 3464).
        ("postfix", "failed", "bruno@example.it", "550 5.1.1 <bruno@example.it>: Recipient address rejected"),
        ("postfix_delayed", "delayed", "bruno@example.it", "450 4.4.1 connect to mx.example.it"),
        ("postfix_delivered", "relayed", "bruno@example.it", "250 2.0.0 Ok"),
        ("sendmail_full", "failed", "bruno@example.it", "552 5.2.2 <bruno@example.it>... Mailbox full"),
        ("gmail", "failed", "bruno@gmail.example", "550 5.1.1 The email account that you tried"),
        ("office365", "failed", "bruno@contoso.example", "550 5.7.133 RESOLVER.RST.SenderNotAuth"),
        ("amazon_ses", "failed", "bruno@example.it", "450 4.4.7 Message expired"),
        ("libero", "failed", "bruno@libero.example", "552 5.2.2 RCPT TO:<bruno@libero.example> Mailbox"),
        # Words alone.
        ("exim", "failed", "bruno@example.it", "550 5.0.0 No such person at this address"),
        ("qmail", "failed", "bruno@example.it", "550 5.1.1 Sorry, no mailbox here by that name."),
        ("aruba", "failed", "", "550 5.1.1 <bruno@aruba.example>"),
        ("tim", "failed", "", "550 5.2.2 la casella di posta è piena."),
    ],
)
def test_what_a_server_says(name: str, action: str, recipient: str, reply: str) -> None:
    read = bounce.read_bounce(ParsedMail(report(name)))
    assert (read.action, read.recipient) == (action, recipient)
    assert read.reply.startswith(reply)
    assert read.original_message_id == OURS
    assert read.failed == (action == "failed")


@pytest.mark.parametrize("encoding", ["8bit", "quoted-printable", "base64", "base64;"])
def test_a_report_whose_addresses_have_any_letters(encoding: str) -> None:
    """RFC 6533, each of its parts in a transfer encoding."""
    encoders: dict[str, Callable[[bytes], bytes]] = {"quoted-printable": b2a_qp, "base64": encodebytes}
    encoded = encoders.get(encoding.rstrip(";"), bytes)
    parts = {
        "text/plain; charset=utf-8": "Your letter to zoë@exämple.org could not be delivered.",
        "message/global-delivery-status": "Reporting-MTA: dns; mx.example.org\n\n"
        "Final-Recipient: utf-8; zoë@exämple.org\nAction: failed\nStatus: 5.1.1\n"
        "Diagnostic-Code: smtp; 550 5.1.1 Nobody called zoë\n",
        "message/global-headers": f"Message-ID: {OURS}\nTo: zoë@exämple.org\n",
    }
    raw = b"From: post@example.org\nContent-Type: multipart/report; report-type=global-delivery-status; boundary=x\n"
    raw += b"Auto-Submitted: auto-replied\n\n"
    for kind, text in parts.items():
        head = f"--x\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n"
        raw += head.encode() + encoded(text.encode()) + b"\n"
    read = bounce.read_bounce(ParsedMail(raw + b"--x--\n"))
    assert read.failed
    assert (read.recipient, read.reply) == ("zoë@exämple.org", "550 5.1.1 Nobody called zoë")
    assert read.original_message_id == OURS
    assert summarise(raw).automatic == "bounce"


def test_a_server_that_says_nothing() -> None:
    assert bounce.read_bounce(ParsedMail(report("silent"))) == Bounce()


@pytest.mark.parametrize("path", sorted(REPORTS.glob("*.eml")), ids=lambda path: path.stem)
def test_each_is_known_for_what_it_is(path: Path) -> None:
    kind = "complaint" if path.stem.startswith("complaint") else "bounce"
    assert summarise(path.read_bytes(), own_domain="pbem.example").automatic == kind


def fields(*blocks: str) -> bytes:
    """A report with these recipients."""
    head = "Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n--x\n"
    return (
        f"{head}Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n"
        + "\n\n".join(blocks)
        + "\n\n--x--\n"
    ).encode()


@pytest.mark.parametrize(
    ("block", "action", "status"),
    [
        ("Final-Recipient: rfc822; a@b.example\nAction: Failed\nStatus: 5.1.1", "failed", "5.1.1"),
        ("Final-Recipient: rfc822; a@b.example\nStatus: 5.0.0 (permanent)", "failed", "5.0.0"),
        ("Final-Recipient: rfc822; a@b.example\nStatus: 2.1.5", "delivered", "2.1.5"),
        ("Final-Recipient: a@b.example\nAction: error\nStatus: 4.2.0", "failed", "4.2.0"),
        ("Action: expanded\nStatus: 2.0.0", "expanded", "2.0.0"),
        ("Action: failed\nDiagnostic-Code: smtp; 550 5.4.1 no", "failed", "5.4.1"),
        ("Action: failed\nDiagnostic-Code: smtp; blocked by 192.5.1.1", "failed", ""),
    ],
)
def test_the_fields_of_one_recipient(block: str, action: str, status: str) -> None:
    read = bounce.read_bounce(ParsedMail(fields(block)))
    assert (read.action, read.status) == (action, status)


def test_of_several_recipients_the_worst_counts() -> None:
    late = "Final-Recipient: rfc822; a@b.example\nAction: delayed\nStatus: 4.4.1"
    lost = "Final-Recipient: rfc822; c@d.example\nAction: failed\nStatus: 5.1.1"
    assert bounce.read_bounce(ParsedMail(fields(late, lost))).recipient == "c@d.example"


def test_what_the_server_thinks_of_the_whole_outweighs_its_last_reply() -> None:
    said = Bounce("failed", "4.4.7", "", "", "554 5.0.0 gave up")
    assert said.reply == "450 4.4.7 gave up"
    assert Bounce("failed", "5.1.1", "", "", "").reply == "550 5.1.1"
    assert Bounce().reply == ""


@pytest.mark.parametrize(
    "text",
    [
        # Exim, Gmail of old, sendmail, and Italian.
        "A message that you sent has not yet been delivered to one or more of its recipients after more than "
        "24 hours.\n\nNo action is required on your part. Delivery attempts will continue.\n\n  bruno@b.example",
        "Delivery to the following recipient has been delayed:\n\n  bruno@b.example\n\n451 4.4.1 timeout",
        "** THIS IS A WARNING MESSAGE ONLY **\nYou do not need to resend it.\n<bruno@b.example> 451 greylisted",
        "Il messaggio non è ancora stato consegnato a bruno@b.example.",
    ],
)
def test_a_server_that_goes_on_trying_and_sends_no_report(text: str) -> None:
    read = bounce.read_bounce(ParsedMail(f"From: Mailer-Daemon@mx\nSubject: Warning\n\n{text}\n".encode()))
    assert (read.action, read.failed) == ("delayed", False)


def test_a_server_that_has_given_up_after_a_delay() -> None:
    text = "Delivery has been delayed for five days.\n550 5.4.7 giving up\n"
    assert bounce.read_bounce(ParsedMail(f"From: Mailer-Daemon@mx\n\n{text}".encode())).failed


@given(
    st.binary(max_size=2000), st.sampled_from(sorted(path.stem for path in REPORTS.glob("*.eml"))), st.data()
)
def test_nothing_raises(noise: bytes, name: str, data: st.DataObject) -> None:
    whole = report(name)
    at = data.draw(st.integers(0, len(whole)))
    for raw in (noise, whole[:at] + noise + whole[at:], whole[:at]):
        read = bounce.read_bounce(ParsedMail(raw))
        assert read.action in (*bounce.ACTIONS, "")
        assert "\n" not in read.diagnostic
        bounce.read_complaint(ParsedMail(raw))


@pytest.mark.parametrize(
    "body",
    [b"\n" * 10**6, b"<" * 10**6, b"message-id:    \n" * 10**5, b"said " * 10**5, b"<a@b.c>:\n" * 10**5],
    ids=["blank", "brackets", "ids", "said", "addresses"],
)
def test_a_monster_is_read_like_any_other(body: bytes) -> None:
    assert bounce.read_bounce(ParsedMail(b"From: MAILER-DAEMON@mx\n\n" + body)).original_message_id == ""


def test_a_complaint() -> None:
    read = bounce.read_complaint(ParsedMail(report("complaint_arf")))
    assert (read.kind, read.original_message_id, read.withdrawn) == ("abuse", OURS, False)


def test_a_complaint_taken_back() -> None:
    raw = report("complaint_arf").replace(b"Feedback-Type: abuse", b"Feedback-Type: not-spam")
    assert bounce.read_complaint(ParsedMail(raw)).withdrawn
