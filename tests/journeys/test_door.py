"""Conversations at the mail door, as a mail server has them: what is taken, what is refused, in which words."""

from __future__ import annotations

import smtplib
import socket
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from django.utils import timezone

from pbem.inbox.models import Confirmation, InboundMail
from pbem.inbox.transports.smtp_server import MOST_RECIPIENTS
from pbem.inbox.transports.store import store_message
from pbem.mail.parsing.parts import LETTER
from pbem.players.services import register
from pbem.players.tokens import Keyring, Purpose, Token, address, mint
from pbem.refusals import Code
from tests.journeys.at_the_door import ALICE, LETTER_OF_ALICE, PLAY, opened, said, smtp_of

pytestmark = pytest.mark.usefixtures("rows")


@pytest.fixture
def smtp() -> Iterator[smtplib.SMTP]:
    """A mail server that has said hello and its sender."""
    with opened("smtp") as door, smtplib.SMTP(*door, timeout=30) as client:
        client.ehlo()
        client.mail(ALICE)
        yield client


@pytest.fixture
def lmtp() -> Iterator[smtplib.LMTP]:
    with opened("lmtp") as door, smtplib.LMTP(*door, timeout=30) as client:
        client.ehlo()
        client.mail(ALICE)
        yield client


@pytest.fixture
def full(database: str) -> Iterator[None]:
    """A disk on which nothing more finds room: the pages of the database may not grow."""
    own = connections["default"].settings_dict["OPTIONS"]
    own["init_command"] = "PRAGMA max_page_count=1"
    yield
    del own["init_command"]


def as_given(client: smtplib.SMTP, octets: bytes) -> str:
    """The reply to DATA with exactly these octets, the end included, and no help by the library."""
    client.docmd("DATA")
    client.send(octets)
    return said(client.getreply())


# -- who lives here --------------------------------------------------------------------------------


def test_an_address_that_is_not_ours_is_refused(smtp: smtplib.SMTP) -> None:
    assert said(smtp.rcpt("nobody@pbem.localhost")) == smtp_of(Code.NO_SUCH_ADDRESS)
    assert smtp_of(Code.NO_SUCH_ADDRESS).startswith("550 5.1.1 ")
    assert said(smtp.rcpt("play@elsewhere.example")) == smtp_of(Code.NO_SUCH_ADDRESS)


def test_a_forged_seal_and_a_subject_that_nobody_has_hear_the_same(smtp: smtplib.SMTP) -> None:
    player = register(name="Alice", email=ALICE, language="en", now=timezone.now())
    keys = Keyring({1: b"another key than ours, 32 bytes!"})
    for subject in (player.pk, player.pk + 1000):
        forged = mint(keys, Token(Purpose.UNSUBSCRIBE, subject), bytes(player.salt))
        assert said(smtp.rcpt(address("u", forged, "pbem.localhost"))) == smtp_of(Code.NO_SUCH_ADDRESS)


def test_too_many_recipients_are_told_to_come_one_by_one(smtp: smtplib.SMTP) -> None:
    for _ in range(MOST_RECIPIENTS):
        assert smtp.rcpt(PLAY)[0] == 250
    assert said(smtp.rcpt(PLAY)) == smtp_of(Code.TOO_MANY_RECIPIENTS)
    assert smtp_of(Code.TOO_MANY_RECIPIENTS).startswith("452 ")


# -- what is kept ----------------------------------------------------------------------------------


def test_250_is_said_after_the_commit(smtp: smtplib.SMTP, database: str) -> None:
    smtp.rcpt(PLAY)
    assert smtp.data(LETTER_OF_ALICE)[0] == 250
    with sqlite3.connect(database.removeprefix("sqlite:///")) as somebody_else:
        rows = somebody_else.execute(
            "SELECT raw, sender, recipient, verdict FROM inbox_inboundmail"
        ).fetchall()
    somebody_else.close()
    assert rows == [(LETTER_OF_ALICE, ALICE, PLAY, "")]


@pytest.mark.parametrize(("protocol", "client"), [("smtp", smtplib.SMTP), ("lmtp", smtplib.LMTP)])
def test_who_handed_it_over_is_kept_with_it(protocol: str, client: type[smtplib.SMTP]) -> None:
    with opened(protocol) as door, client(*door, local_hostname="mx.example", timeout=30) as sender:
        sender.sendmail(ALICE, [PLAY], LETTER_OF_ALICE)
    row = InboundMail.objects.get()
    assert (row.peer, row.helo) == ("127.0.0.1", "mx.example")


def test_the_octets_are_kept_as_they_came(smtp: smtplib.SMTP) -> None:
    letter = (
        b"From: alice@players.localhost\r\nContent-Type: text/plain; charset=latin-1\r\n\r\n"
        b"perch\xe9\r\n.\x00..\r\n..two dots\r\n\r\n" + b"a line of many words " * 5000 + b"\r\n\r\n"
    )
    smtp.mail(ALICE, ["BODY=8BITMIME"])
    smtp.rcpt(PLAY)
    assert smtp.data(letter)[0] == 250
    assert bytes(InboundMail.objects.get().raw) == letter


def test_a_letter_that_comes_again_is_recognised(smtp: smtplib.SMTP) -> None:
    smtp.rcpt(PLAY)
    first = smtp.data(LETTER_OF_ALICE)
    smtp.mail(ALICE)
    smtp.rcpt(PLAY)
    again = smtp.data(b"Received: from the relay, once more\r\n" + LETTER_OF_ALICE)
    assert first == again == (250, b"2.0.0 kept as %d" % InboundMail.objects.get().pk)


def test_a_bounce_has_no_sender() -> None:
    with opened("smtp") as door, smtplib.SMTP(*door, timeout=30) as client:
        client.ehlo()
        assert client.docmd("MAIL", "FROM:<>")[0] == 250
        client.rcpt(PLAY)
        assert client.data(LETTER_OF_ALICE)[0] == 250
    assert InboundMail.objects.get().sender == ""


def test_a_sender_that_is_not_utf_8_keeps_no_letter_out(smtp: smtplib.SMTP) -> None:
    smtp.rset()
    smtp.sock.sendall(b"MAIL FROM:<perch\xe9@players.localhost>\r\n")
    assert smtp.getreply()[0] == 250
    smtp.rcpt(PLAY)
    assert smtp.data(LETTER_OF_ALICE)[0] == 250
    assert InboundMail.objects.get().sender == "perch?@players.localhost"


# -- what is refused while the other side still has it ------------------------------------------------


def test_a_letter_that_is_too_large_is_refused_before_and_after_it_is_sent(smtp: smtplib.SMTP) -> None:
    smtp.rset()
    assert said(smtp.mail(ALICE, [f"SIZE={LETTER + 1}"])) == smtp_of(Code.TOO_LARGE)
    assert smtp_of(Code.TOO_LARGE).startswith("552 ")
    smtp.mail(ALICE)
    smtp.rcpt(PLAY)
    assert said(smtp.data(LETTER_OF_ALICE + b"x" * LETTER + b"\r\n")) == smtp_of(Code.TOO_LARGE)
    assert not InboundMail.objects.exists()


def test_a_largest_letter_is_taken(smtp: smtplib.SMTP) -> None:
    letter = LETTER_OF_ALICE + (b"x" * 998 + b"\r\n") * ((LETTER - len(LETTER_OF_ALICE)) // 1000)
    smtp.rcpt(PLAY)
    assert smtp.data(letter)[0] == 250
    assert bytes(InboundMail.objects.get().raw) == letter


# What some servers take for the end of a letter, and others hand on (SMTP smuggling, 2023).
HALF_ENDS = (
    *(b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\n.\r", b"\n\n.\r\n"),
    *(b"\r.\r", b"\r.\n", b"\r.\r\n", b"\r\n.\r", b"\r\n.\r\r\n", b"\n\r.\r\n"),
)
NO_ENDS = (b"\r\n\0.\r\n", b"\r\n.\0\r\n", b"\v.\r\n", b"\r\n..\r\n")


def test_no_second_letter_is_smuggled_behind_a_half_end(smtp: smtplib.SMTP) -> None:
    second = b"MAIL FROM:<bruno@players.localhost>\r\nRCPT TO:<play@pbem.localhost>\r\nDATA\r\n"
    for end in (*HALF_ENDS, *NO_ENDS):
        smtp.mail(ALICE)
        smtp.rcpt(PLAY)
        reply = as_given(smtp, LETTER_OF_ALICE + b"RESIGN" + end + second + LETTER_OF_ALICE + b".\r\n")
        assert reply == smtp_of(Code.BAD_LINE_ENDS) if end in HALF_ENDS else reply.startswith("250 "), end
        assert said(smtp.noop()).startswith("250"), "and nothing else was answered"
    senders = InboundMail.objects.values_list("sender", flat=True)
    assert list(senders) == [ALICE] * len(NO_ENDS), "what is no end for anybody is part of the letter"


def test_while_the_database_is_away_nobody_is_turned_away(smtp: smtplib.SMTP, tmp_path: Path) -> None:
    player = register(name="Alice", email=ALICE, language="en", now=timezone.now())
    keys = Keyring.parse(settings.MAIL_TOKEN_KEYS)
    sealed = mint(keys, Token(Purpose.UNSUBSCRIBE, player.pk), bytes(player.salt))
    database = connections.settings["default"]
    here, away = database["NAME"], tmp_path / "away" / "pbem.sqlite3"
    database["NAME"] = away
    assert said(smtp.rcpt(address("u", sealed, "pbem.localhost"))) == smtp_of(Code.STORAGE_UNAVAILABLE)
    assert smtp_of(Code.STORAGE_UNAVAILABLE).startswith("451 ")

    database["NAME"] = here
    assert smtp.rcpt(PLAY)[0] == 250
    database["NAME"] = away
    assert said(smtp.data(LETTER_OF_ALICE)) == smtp_of(Code.STORAGE_UNAVAILABLE)

    database["NAME"] = here
    assert not InboundMail.objects.exists(), "nothing was half kept"
    smtp.mail(ALICE)
    smtp.rcpt(PLAY)
    assert smtp.data(LETTER_OF_ALICE)[0] == 250


def test_a_full_disk_is_told_as_such(smtp: smtplib.SMTP, full: None) -> None:
    smtp.rcpt(PLAY)
    assert said(smtp.data(LETTER_OF_ALICE + b"x" * 100_000 + b"\r\n")) == smtp_of(Code.DISK_LOW)
    assert smtp_of(Code.DISK_LOW).startswith("452 ")
    assert not InboundMail.objects.exists()


def test_a_fault_of_ours_is_never_a_reason_to_send_the_letter_back(
    smtp: smtplib.SMTP, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RecursionError("a fault")

    smtp.rcpt(PLAY)
    monkeypatch.setattr("pbem.inbox.transports.smtp_server.store_message", broken)
    monkeypatch.setattr("pbem.inbox.transports.smtp_server.resolve_recipient", broken)
    assert said(smtp.rcpt(PLAY)) == smtp_of(Code.STORAGE_UNAVAILABLE)
    assert said(smtp.data(LETTER_OF_ALICE)) == smtp_of(Code.STORAGE_UNAVAILABLE)


def test_the_twenty_first_letter_of_an_hour_may_come_later(smtp: smtplib.SMTP) -> None:
    """Whatever its envelope says: the name in From is counted. Nothing of it is kept."""
    for number in range(20):
        assert sent(smtp, number, f"{number}@players.localhost") == "250"
    assert sent(smtp, 20, ALICE) == smtp_of(Code.RATE_LIMITED)
    assert smtp_of(Code.RATE_LIMITED).startswith("451 ")
    assert sent(smtp, 7, ALICE) == "250", "this one we have"
    assert InboundMail.objects.count() == 20


def sent(client: smtplib.SMTP, number: int, sender: str) -> str:
    """The reply to the letter, in short if it was taken."""
    client.mail(sender)
    client.rcpt(PLAY)
    reply = said(client.data(LETTER_OF_ALICE.replace(b"<1@", b"<%d@" % number)))
    return "250" if reply.startswith("250 ") else reply


def test_on_sqlite_one_thread_keeps_what_many_bring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each would open the file, and read anew what another one has written."""
    threads, kept = set(), []

    def noted(*octets: object, **more: Any) -> InboundMail:
        threads.add(threading.get_ident())
        return store_message(*octets, **more)

    def bring(door: tuple[str, int], number: int) -> None:
        with smtplib.SMTP(*door, timeout=30) as client:
            client.ehlo()
            kept.extend(sent(client, number + more, f"{number}@players.localhost") for more in range(3))

    monkeypatch.setattr("pbem.inbox.transports.smtp_server.store_message", noted)
    with opened("smtp") as door:
        clients = [threading.Thread(target=bring, args=(door, 10 * number)) for number in range(4)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
    assert kept == ["250"] * 12
    assert InboundMail.objects.count() == 12
    assert len(threads) == 1


# -- LMTP: one reply for each recipient (RFC 2033) -------------------------------------------------------


def replies(client: smtplib.SMTP, first: str, count: int) -> list[str]:
    return [first, *(said(client.getreply()) for _ in range(count - 1))]


def test_lmtp_answers_for_each_recipient(lmtp: smtplib.LMTP) -> None:
    assert lmtp.rcpt(PLAY)[0] == 250
    assert said(lmtp.rcpt("nobody@pbem.localhost")) == smtp_of(Code.NO_SUCH_ADDRESS)
    assert lmtp.rcpt("PLAY@pbem.localhost")[0] == 250
    kept = replies(lmtp, as_given(lmtp, LETTER_OF_ALICE + b".\r\n"), 2)
    pk = InboundMail.objects.get().pk
    assert kept == [f"250 2.0.0 kept as {pk}"] * 2, "two recipients, one reader"
    assert lmtp.noop()[0] == 250, "no reply is left over"


def test_our_own_mail_server_may_say_whom_each_letter_is_from(lmtp: smtplib.LMTP) -> None:
    """In several commands, escaped (RFC 3461), unknown; what was said of one letter is not said of the next."""
    assert lmtp.esmtp_features["xforward"].split() == ["ADDR", "HELO"]
    letters = (
        (["ADDR=192.0.2.7 HELO=mx+2Bone.example"], "192.0.2.7", "mx+one.example"),
        (["ADDR=IPV6:2001:db8::1", "helo=[UNAVAILABLE]"], "2001:db8::1", ""),
        (["ADDR=[UNAVAILABLE] HELO=mx.example"], None, "mx.example"),
        ([], "127.0.0.1", lmtp.local_hostname),
    )
    for number, (told, peer, helo) in enumerate(letters):
        lmtp.rset()
        for attributes in told:
            assert lmtp.docmd("XFORWARD", attributes)[0] == 250
        assert sent(lmtp, number, ALICE) == "250"
        row = InboundMail.objects.latest("pk")
        assert (row.peer, row.helo) == (peer, helo)
    assert [lmtp.docmd("XFORWARD", odd)[0] for odd in ("", "ADDR", "=1")] == [501] * 3


def test_strangers_may_not_say_whom_a_letter_is_from(smtp: smtplib.SMTP) -> None:
    assert not smtp.has_extn("xforward")
    assert smtp.docmd("XFORWARD", "ADDR=192.0.2.7")[0] == 500


def test_lmtp_refuses_for_each_recipient(lmtp: smtplib.LMTP) -> None:
    for end, code in ((b"\r\n.\r\n", Code.TOO_LARGE), (b"\n\r\n.\r\n", Code.BAD_LINE_ENDS)):
        text = LETTER_OF_ALICE + (b"x" * LETTER if code == Code.TOO_LARGE else b"x") + end
        lmtp.mail(ALICE)
        lmtp.rcpt(PLAY)
        lmtp.rcpt(PLAY)
        assert replies(lmtp, as_given(lmtp, text), 2) == [smtp_of(code)] * 2
        assert lmtp.noop()[0] == 250
    assert not InboundMail.objects.exists()


def test_lmtp_tells_each_recipient_whether_its_letters_are_too_many(lmtp: smtplib.LMTP) -> None:
    """One letter to play@ and to the address of a question, which are counted apart."""
    for number in range(20):
        raw = LETTER_OF_ALICE.replace(b"<1@", b"<earlier.%d@" % number)
        letter = store_message(raw, sender="", recipient=PLAY, now=timezone.now())
    asked = Confirmation.objects.create(
        letter=letter, address=ALICE, lines=["Alice"], language="en", asked_at=timezone.now()
    )
    keys = Keyring.parse(settings.MAIL_TOKEN_KEYS)
    sealed = mint(keys, Token(Purpose.CONFIRM, asked.pk), bytes(asked.salt))
    lmtp.rcpt(PLAY)
    lmtp.rcpt(address("c", sealed, "pbem.localhost"))
    first, second = replies(lmtp, as_given(lmtp, LETTER_OF_ALICE + b".\r\n"), 2)
    assert first == smtp_of(Code.RATE_LIMITED)
    assert second.startswith("250 ")


def test_lmtp_says_for_each_recipient_that_the_fault_is_ours(
    lmtp: smtplib.LMTP, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RecursionError("a fault")

    for step in ("store_message", "objection_on_the_wire"):
        monkeypatch.setattr(f"pbem.inbox.transports.smtp_server.{step}", broken)
        lmtp.mail(ALICE)
        lmtp.rcpt(PLAY)
        lmtp.rcpt(PLAY)
        assert (
            replies(lmtp, as_given(lmtp, LETTER_OF_ALICE + b".\r\n"), 2)
            == [smtp_of(Code.STORAGE_UNAVAILABLE)] * 2
        )
        assert lmtp.noop()[0] == 250


def test_lmtp_is_not_smtp(lmtp: smtplib.LMTP) -> None:
    assert lmtp.docmd("EHLO", "relay")[0] == 500


def test_a_relay_that_leaves_in_the_middle_has_sent_nothing() -> None:
    with opened("smtp") as door, socket.create_connection(door, timeout=30) as relay:
        with relay.makefile("rb") as answers:
            for line in (b"EHLO relay", b"MAIL FROM:<>", b"RCPT TO:<play@pbem.localhost>", b"DATA"):
                relay.sendall(line + b"\r\n")
                while answers.readline()[3:4] == b"-":
                    pass
        relay.sendall(LETTER_OF_ALICE)
    assert not InboundMail.objects.exists()
