"""Letters out of a real IMAP mailbox: each is kept once and moved away, whatever happens on the way."""

from __future__ import annotations

import signal
import smtplib
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

import pytest
from django.utils import timezone

from pbem.inbox.models import InboundMail
from pbem.inbox.transports.imap import TROUBLE, fetch_all
from pbem.inbox.transports.store import objection
from pbem.mail.parsing.parts import HEADERS, LETTER
from pbem.matches.models import Heartbeat
from pbem.players.services import register
from tests.journeys.at_the_door import ALICE, LETTER_OF_ALICE, PLAY
from tests.journeys.conftest import House
from tests.journeys.dovecot import Dovecot, needs_dovecot, running
from tests.processes import TIMEOUT, Process, wait_until

pytestmark = [needs_dovecot, pytest.mark.prove]
KEPT, UNKNOWN, REFUSED = "PBeM-kept", "PBeM-unknown", "PBeM-refused"
TO_PLAY = LETTER_OF_ALICE.replace(b"Subject", b"To: play@pbem.localhost\r\nSubject")
SPLIT = {"CELERY_BROKER_URL": "redis://127.0.0.1:1"}  # a broker that is away: no matter


@pytest.fixture
def dovecot() -> Iterator[Dovecot]:
    with running() as dovecot:
        yield dovecot


@pytest.fixture(autouse=True)
def rows(house: House) -> Iterator[None]:
    with house.rows():
        yield


def once(house: House, dovecot: Dovecot, **env: str) -> Process:
    """`fetch_mail --once`, ended."""
    process = house.start("manage.py", "fetch_mail", "--once", IMAP_URL=dovecot.url, **env)
    process.status()
    return process


def fetched(house: House, dovecot: Dovecot, **env: str) -> None:
    process = once(house, dovecot, **env)
    assert process.status() == 0, process.said
    assert dovecot.has() == []


def kept() -> list[InboundMail]:
    return list(InboundMail.objects.order_by("pk"))


def test_a_letter_is_kept_and_moved_away(house: House, dovecot: Dovecot) -> None:
    before = timezone.now().replace(microsecond=0)
    dovecot.deliver(TO_PLAY)
    delivered = timezone.now()
    fetched(house, dovecot)
    [row], [moved] = kept(), dovecot.has(KEPT)
    assert bytes(row.raw) == moved
    assert moved.endswith(TO_PLAY)
    assert (row.sender, row.recipient) == (ALICE, PLAY)
    assert before <= row.received_at <= delivered, "the mail server took it then"
    assert Heartbeat.objects.get().component == "mailbox"


def test_nothing_is_read_before_it_is_kept(house: House, dovecot: Dovecot) -> None:
    """No \\Seen, nothing moved: anyone who looks into the mailbox sees what is not done."""
    dovecot.deliver(TO_PLAY)
    process = once(house, dovecot, DATABASE_URL=f"sqlite:///{house.folder}/away/pbem.sqlite3")
    assert process.status() == 1
    assert "cannot be emptied: unable to open database file" in process.said
    with dovecot.signed_in() as mailbox:
        assert len(mailbox.uids("UNSEEN")) == 1
    fetched(house, dovecot)
    assert len(kept()) == 1


def test_killed_between_the_commit_and_the_move_it_finds_the_letter_again(
    house: House, dovecot: Dovecot
) -> None:
    dovecot.deliver(TO_PLAY)
    assert once(house, dovecot, DIE_AT="moving").status() == -signal.SIGKILL
    assert len(kept()) == len(dovecot.has()) == 1
    fetched(house, dovecot)
    assert len(kept()) == len(dovecot.has(KEPT)) == 1


def test_two_who_empty_the_same_mailbox_keep_each_letter_once(house: House, dovecot: Dovecot) -> None:
    """The second empties it while the first is at its first letter; the first begins anew."""
    for number in range(3):
        dovecot.deliver(TO_PLAY.replace(b"<1@", b"<%d@" % number))
    stop = threading.Event()
    with dovecot.signed_in() as first, dovecot.signed_in() as second:

        def meanwhile() -> datetime:
            fetch_all(second, PLAY, clock=timezone.now, stop=stop)
            return timezone.now()

        with suppress(*TROUBLE):
            fetch_all(first, PLAY, clock=meanwhile, stop=stop)
    assert len(kept()) == len(dovecot.has(KEPT)) == 3


def test_a_letter_that_breaks_our_program_keeps_no_other_waiting(
    house: House, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(3):
        dovecot.deliver(TO_PLAY.replace(b"<1@", b"<%d@" % number))

    def poisoned(raw: bytes) -> str:
        if b"<1@" in raw:
            raise RecursionError("a fault")
        return objection(raw)

    monkeypatch.setattr("pbem.inbox.transports.imap.objection", poisoned)
    with dovecot.signed_in() as mailbox:
        assert fetch_all(mailbox, PLAY, clock=timezone.now, stop=threading.Event()) == 1
        assert [len(dovecot.has(folder)) for folder in ("INBOX", KEPT)] == [1, 2]
        assert "stays in the mailbox" in caplog.text
        monkeypatch.undo()
        assert fetch_all(mailbox, PLAY, clock=timezone.now, stop=threading.Event()) == 0
    assert len(kept()) == 3


def test_a_letter_that_came_through_the_door_as_well_is_kept_once(house: House, dovecot: Dovecot) -> None:
    door = house.start("manage.py", "smtpd", **SPLIT)
    door.is_ready("mail door on ")
    with smtplib.SMTP(*house.door, timeout=TIMEOUT) as client:
        client.sendmail(ALICE, PLAY, TO_PLAY)
    dovecot.deliver(TO_PLAY)
    fetched(house, dovecot)
    assert len(kept()) == 1


def test_what_is_not_for_us_and_what_is_too_much_is_put_aside(house: House) -> None:
    """In a mailbox that is not the play address: nothing is lost, and each is where its folder says."""
    frame = TO_PLAY.replace(b"<1@alice>", b"<%d@alice>")
    largest = frame % 4 + (b"x" * 998 + b"\r\n") * ((LETTER - 4096) // 1000)
    with running(user="club@pbem.localhost") as dovecot:
        dovecot.deliver(frame % 1)
        dovecot.deliver(b"\x00\xff\r\n \r\n\xe9no headers at all\r\n", sender="")
        dovecot.deliver(TO_PLAY.replace(b"To: play@", b"To: nobody@"))
        dovecot.deliver(b"X: y\r\n" * (HEADERS + 1) + frame % 2)
        dovecot.deliver(frame % 3 + b"x\r\n" * (LETTER // 3))
        dovecot.deliver(largest)
        dovecot.deliver(b"", sender="")
        fetched(house, dovecot)
        assert [len(dovecot.has(folder)) for folder in (KEPT, UNKNOWN, REFUSED)] == [2, 3, 2]
    first, last = kept()
    assert bytes(first.raw).endswith(frame % 1)
    assert bytes(last.raw).endswith(largest)


def test_a_blind_copy_to_the_play_address_is_for_it(house: House, dovecot: Dovecot) -> None:
    dovecot.deliver(LETTER_OF_ALICE)
    dovecot.deliver(b"\x00\xff\r\n \r\n\xe9no headers at all\r\n", sender="")
    fetched(house, dovecot)
    assert [(row.recipient, row.sender) for row in kept()] == [(PLAY, ALICE), (PLAY, "")]


def test_the_header_of_the_mail_server_says_whom_the_letter_is_for(house: House, dovecot: Dovecot) -> None:
    """A mailbox for the whole domain: its own address, play@, is in all of them."""
    register(name="Alice", email=ALICE, language="en", now=timezone.now())
    service = house.serve(IMAP_URL=dovecot.url, IMAP_SECONDS="1")
    dovecot.deliver(TO_PLAY.replace(b"HELP", b"RESIGN 1"))
    house.player("Alice").read()
    assert service.end() == 0
    reply = next(letter["Reply-To"].addresses[0].addr_spec for letter in house.delivered)
    forwarded = b"X-Original-To: " + reply.encode() + b"\r\n" + TO_PLAY.replace(b"<1@", b"<2@")
    dovecot.deliver(forwarded)
    fetched(house, dovecot)
    assert kept()[-1].recipient == reply


def test_the_service_hears_of_a_letter_at_once_and_answers_it(house: House, dovecot: Dovecot) -> None:
    """IDLE: an hour passes between two looks."""
    service = house.serve(IMAP_URL=dovecot.url, IMAP_SECONDS="240", LOG_LEVEL="INFO")
    wait_until(Heartbeat.objects.filter(component="mailbox").exists, "a first look")
    dovecot.deliver(TO_PLAY.replace(b"HELP", b"REGISTER Alice"))
    assert house.player("Alice").read().message["Reply-To"].addresses[0].addr_spec.startswith("c+")
    assert service.end() == 0
    assert f"mailbox of play@pbem.localhost at 127.0.0.1:{dovecot.imap}, folder INBOX" in service.said


def test_a_server_that_cannot_tell_is_asked(house: House) -> None:
    with running(lines="imap_capability = IMAP4rev1 UIDPLUS\n") as dovecot:
        process = house.start("manage.py", "fetch_mail", IMAP_URL=dovecot.url, IMAP_SECONDS="1", **SPLIT)
        process.is_ready("mailbox of play@pbem.localhost")
        wait_until(Heartbeat.objects.filter(component="mailbox").exists, "a first look")
        dovecot.deliver(TO_PLAY)
        wait_until(lambda: len(dovecot.has(KEPT)) == 1, "the letter")
        assert process.end() == 0
    assert "corner" not in process.said


def test_a_mail_server_that_was_away_is_found_again(house: House, dovecot: Dovecot) -> None:
    process = house.start("manage.py", "fetch_mail", IMAP_URL=dovecot.url, **SPLIT)
    wait_until(Heartbeat.objects.filter(component="mailbox").exists, "a first look")
    dovecot.stop()
    wait_until(lambda: "next attempt in 1 s" in process.said, "a word about it")
    dovecot.start()
    dovecot.deliver(TO_PLAY)
    wait_until(kept, "the letter")
    assert process.end(signal.SIGINT) == 0


def test_after_a_change_of_uidvalidity_nothing_is_lost_or_repeated(house: House, dovecot: Dovecot) -> None:
    dovecot.deliver(TO_PLAY)
    fetched(house, dovecot)
    dovecot.stop()
    for names in (dovecot.folder / "mail").rglob("dovecot*"):
        names.unlink()  # the server has forgotten all its UIDs
    dovecot.start()
    dovecot.deliver(TO_PLAY.replace(b"<1@", b"<2@"))
    fetched(house, dovecot)
    assert len(kept()) == len(dovecot.has(KEPT)) == 2


def test_where_all_folders_lie_below_inbox(house: House) -> None:
    with running(prefix="INBOX.") as dovecot:
        dovecot.deliver(TO_PLAY)
        fetched(house, dovecot)
        assert len(dovecot.has(f"INBOX.{KEPT}")) == 1


def test_over_tls_with_a_certificate_that_is_checked(house: House) -> None:
    pem, key = house.folder / "imap.pem", house.folder / "imap.key"
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    asked = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", *name]
    made = ["openssl", "req", "-x509", *asked, "-keyout", str(key), "-out", str(pem)]
    subprocess.run(made, check=True, capture_output=True)
    with running(ssl="yes", lines=f"ssl_cert = <{pem}\nssl_key = <{key}\n") as dovecot:
        dovecot.deliver(TO_PLAY)
        dovecot.deliver(TO_PLAY.replace(b"<1@", b"<2@"))
        credentials = "play%40pbem.localhost:corner%26edge"
        urls = [
            f"imaps://{credentials}@localhost:{dovecot.imaps}",
            f"imap+starttls://{credentials}@localhost:{dovecot.imap}",
        ]
        for url in urls:
            untrusted = house.start("manage.py", "fetch_mail", "--once", IMAP_URL=url)
            assert untrusted.status() == 1
            assert "CERTIFICATE_VERIFY_FAILED" in untrusted.said
            trusted = house.start("manage.py", "fetch_mail", "--once", IMAP_URL=url, SSL_CERT_FILE=str(pem))
            assert trusted.status() == 0, trusted.said
    assert len(kept()) == 2


def test_a_wrong_password_is_said_and_not_shown(house: House, dovecot: Dovecot) -> None:
    wrong = dovecot.url.replace("corner", "centre")
    process = house.start("manage.py", "fetch_mail", "--once", IMAP_URL=wrong)
    assert process.status() == 1
    assert "AUTHENTICATIONFAILED" in process.said
    assert "centre" not in process.said
