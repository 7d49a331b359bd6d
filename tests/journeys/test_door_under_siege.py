"""What people do to mail servers on the Internet, done to the door: nobody else notices, and memory stays small."""

from __future__ import annotations

import errno
import smtplib
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from pytest_django import Settings

from pbem.inbox.models import InboundMail
from pbem.inbox.transports import smtp_session
from pbem.mail.parsing.parts import HEADERS, PARTS
from pbem.refusals import Code
from tests.journeys.at_the_door import ALICE, LETTER_OF_ALICE, PLAY, Wire, opened, smtp_of
from tests.journeys.conftest import House

pytestmark = pytest.mark.usefixtures("rows")


@pytest.fixture
def door() -> Iterator[tuple[str, int]]:
    with opened("smtp") as door:
        yield door


@pytest.fixture
def wire(door: tuple[str, int]) -> Iterator[Wire]:
    with Wire(door) as wire:
        yield wire


def a_letter_gets_through(door: tuple[str, int]) -> bool:
    with smtplib.SMTP(*door, timeout=30) as client:
        return client.sendmail(ALICE, PLAY, LETTER_OF_ALICE) == {}


# -- slow-loris ------------------------------------------------------------------------------------


def test_who_says_nothing_is_sent_away(monkeypatch: pytest.MonkeyPatch, wire: Wire) -> None:
    wire.heard()
    monkeypatch.setattr(smtp_session, "IDLE_TIMEOUT", 0.2)
    assert wire.says(b"EHLO slow").startswith("250-")
    assert wire.heard() == "421 4.4.2 Too slow; try again later"
    assert wire.heard() == ""


def test_a_command_that_trickles_is_no_sign_of_life(monkeypatch: pytest.MonkeyPatch, wire: Wire) -> None:
    wire.heard()
    monkeypatch.setattr(smtp_session, "IDLE_TIMEOUT", 1.0)
    assert wire.says(b"EHLO slow").startswith("250-")
    wire.socket.settimeout(0.05)
    heard, sent = None, 0
    while heard is None and sent < 6000:  # five minutes, if octets counted
        try:
            heard = wire.socket.recv(100)
        except TimeoutError:
            wire.send(b"N")
            sent += 1
    assert heard == b"421 4.4.2 Too slow; try again later\r\n"


def test_a_letter_that_trickles_ends_in_time(monkeypatch: pytest.MonkeyPatch, wire: Wire) -> None:
    monkeypatch.setattr(smtp_session, "DATA", 0.3)
    wire.begin()
    wire.send(b"Subject: slow\r\n\r\n")
    assert wire.heard() == "421 4.4.2 Too slow; try again later"
    assert not InboundMail.objects.exists()


def test_a_session_that_is_always_busy_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp_session, "SESSION", 0.3)
    monkeypatch.setattr(smtp_session, "MOST_REPLIES", 10**9)
    with opened("smtp") as door, Wire(door) as wire:
        replies = [wire.heard()]
        while replies[-1].startswith("2"):
            replies.append(wire.says(b"NOOP"))
        assert "421 4.4.2 Too slow; try again later" in (replies[-1], wire.heard())


def test_the_hurried_clock_runs_when_places_are_short() -> None:
    people = smtp_session.ConnectionLimiter(most=4, most_of_one=0)
    seen = []
    for peer in "abcd":
        assert people.enter(peer)
        seen.append(people.patience)
    assert seen == [300, 300, 30, 30]


# -- too many ----------------------------------------------------------------------------------------


def test_one_peer_cannot_take_all_places(settings: Settings) -> None:
    settings.SMTP_CONNECTIONS_PER_PEER = 2
    with opened("smtp") as door, Wire(door) as first:
        with Wire(door) as second, Wire(door) as third:
            assert first.heard().startswith("220 ")
            assert second.heard().startswith("220 ")
            assert third.heard() == "421 4.7.0 Too many connections; try again later"
            assert third.heard() == ""
            assert second.says(b"QUIT").startswith("221 ")
            assert second.heard() == ""
        assert a_letter_gets_through(door), "the place is free again"


def test_the_door_has_so_many_places(settings: Settings) -> None:
    settings.SMTP_CONNECTIONS = 3
    with opened("lmtp") as door, ExitStack() as stack:
        wires = [stack.enter_context(Wire(door)) for _ in range(4)]
        assert [wire.heard()[:3] for wire in wires] == ["220", "220", "220", "421"]


@pytest.mark.prove
def test_hundred_slow_letters_lie_on_the_disk_and_not_in_memory(house: House) -> None:
    """Each sends 1 MiB and then waits: 100 MiB that are not in the memory of the door."""
    process = house.start(
        "manage.py", "smtpd", CELERY_BROKER_URL="redis://127.0.0.1:1", SMTP_CONNECTIONS_PER_PEER="100"
    )
    process.is_ready("mail door on ")
    with Wire(house.door) as first:
        first.begin()
        before = process.memory
        with ExitStack() as stack:
            for _ in range(99):
                wire = stack.enter_context(Wire(house.door))
                wire.begin()
                wire.send(LETTER_OF_ALICE + b"x" * 1024 * 1024)
            assert process.memory - before < 50 * 1024 * 1024


# -- junk ------------------------------------------------------------------------------------------


def test_too_many_errors_end_the_session(wire: Wire) -> None:
    wire.heard()
    wire.says(b"EHLO relay")
    wire.says(b"MAIL FROM:<>")
    replies = [wire.says(b"RCPT TO:<%d@pbem.localhost>" % number) for number in range(21)]
    assert set(replies[:20]) == {smtp_of(Code.NO_SUCH_ADDRESS)}
    assert replies[20] == "421 4.7.0 Too many errors; goodbye"
    assert wire.heard() == ""


def test_our_own_mail_server_may_ask_for_many_who_do_not_live_here() -> None:
    with opened("lmtp") as door, Wire(door) as wire:
        wire.heard()
        wire.says(b"LHLO relay")
        for number in range(100):
            assert wire.says(b"MAIL FROM:<>").startswith("250 ")
            assert wire.says(b"RCPT TO:<%d@pbem.localhost>" % number) == smtp_of(Code.NO_SUCH_ADDRESS)
            assert wire.says(b"RSET").startswith("250 ")


@pytest.mark.parametrize("junk", [b"GET / HTTP/1.1", b"\x00\xff\x16\x03\x01", b"", b"\x00" * 600], ids=repr)
def test_junk_ends_the_session(wire: Wire, junk: bytes) -> None:
    wire.heard()
    replies = [wire.says(junk)]
    while replies[-1]:
        try:
            replies.append(wire.says(junk))
        except ConnectionError:
            break
    assert replies[0][:4] in ("500 ", "501 ")
    assert any(reply.startswith("421 4.7.0 Too many errors") for reply in replies)
    assert len(replies) < 25


def test_commands_that_lead_to_nothing_end_the_session(wire: Wire) -> None:
    wire.heard()
    replies = [wire.says(b"NOOP") for _ in range(smtp_session.MOST_REPLIES)]
    assert replies[0].startswith("250 ")
    assert replies[-1].startswith("421 4.7.0 ")


@pytest.mark.prove
def test_a_command_without_an_end_takes_no_memory(house: House) -> None:
    process = house.start("manage.py", "smtpd", CELERY_BROKER_URL="redis://127.0.0.1:1")
    process.is_ready("mail door on ")
    with Wire(house.door) as wire:
        wire.heard()
        before = process.memory
        for _ in range(64):
            wire.send(b"A" * 1024 * 1024)
        assert wire.says(b"") == "500 5.5.2 Bad syntax"
        assert process.memory - before < 10 * 1024 * 1024


@pytest.mark.parametrize(
    "command",
    [
        b"MAIL FROM:<" + b"(" * 480 + b">",
        b"MAIL FROM:" + b'"' * 400,
        b"MAIL FROM:<@@@>",
        b"MAIL FROM:<a@[" + b"[" * 400 + b">",
        b"MAIL FROM:<alice\x00@players.localhost> SIZE=-1",
        b"MAIL FROM:<a@b> BODY=\xff",
        b"RCPT TO:<play@pbem.localhost\x00>",
        b"RCPT TO:\x00",
    ],
    ids=lambda command: repr(command[:30]),
)
def test_no_address_is_too_odd_to_be_refused(wire: Wire, command: bytes) -> None:
    wire.heard()
    wire.says(b"EHLO \x00\xff(((")
    if command.startswith(b"RCPT"):
        wire.says(b"MAIL FROM:<>")
    assert wire.says(command)[:2] in ("50", "55")


def test_a_session_with_an_odd_name_may_bring_a_letter(wire: Wire) -> None:
    wire.begin(b"EHLO \x00\xff [rubbish]\x7f")
    assert wire.says(LETTER_OF_ALICE + b".").startswith("250 2.0.0 kept")


def test_nobody_learns_who_lives_here_or_what_he_wrote(wire: Wire) -> None:
    wire.heard()
    wire.says(b"EHLO relay")
    known, unknown = wire.says(b"VRFY play@pbem.localhost"), wire.says(b"VRFY <script>@pbem.localhost")
    assert known == unknown == "252 2.5.0 Send it and see"
    assert wire.says(b"EXPN players").startswith("502 ")
    assert wire.says(b"<script>\rFOO") == "500 5.5.1 No such command"


def test_commands_in_one_go_are_answered_one_by_one(wire: Wire) -> None:
    wire.heard()
    assert "250-PIPELINING" in wire.says(b"EHLO relay")
    wire.send(b"MAIL FROM:<>\r\nRCPT TO:<x@pbem.localhost>\r\nRCPT TO:<play@pbem.localhost>\r\nDATA\r\n")
    assert [wire.heard()[:3] for _ in range(4)] == ["250", "550", "250", "354"]
    wire.send(LETTER_OF_ALICE + b".\r\nNOOP\r\nQUIT\r\n")
    assert [wire.heard()[:3] for _ in range(4)] == ["250", "250", "221", ""]
    assert InboundMail.objects.count() == 1


# -- letters that are refused ----------------------------------------------------------------------------


def test_a_door_that_closes_while_a_letter_comes_in_keeps_none_of_it() -> None:
    with ExitStack() as later:
        with opened("smtp") as door:
            wire = later.enter_context(Wire(door))
            wire.begin()
            wire.send(LETTER_OF_ALICE)
        assert wire.heard() == "", "no reply, so that the other side tries again"
    assert not InboundMail.objects.exists()


def test_who_does_not_stop_is_stopped(wire: Wire) -> None:
    wire.begin()
    replies = []
    try:
        for _ in range(25):
            wire.send(b"x" * 1024 * 1024)
    except ConnectionError:
        pass
    replies.append(wire.heard())
    assert replies[0] in (smtp_of(Code.TOO_LARGE), ""), "a reset may overtake the words"
    assert not InboundMail.objects.exists()


def test_a_letter_of_empty_lines_costs_no_more_than_another(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp_session, "MOST_LINES", 1000)
    wire.begin()
    wire.send(LETTER_OF_ALICE + b"\r\n" * 995)
    assert wire.heard() == smtp_of(Code.TOO_COMPLEX)
    assert wire.heard() == ""
    assert not InboundMail.objects.exists()


def test_a_line_without_an_end_is_a_letter_like_another(wire: Wire) -> None:
    wire.begin()
    letter = LETTER_OF_ALICE + b"." * 300_000 + b"\r\n"
    assert wire.says(letter.replace(b"\r\n.", b"\r\n..") + b".").startswith("250 ")
    assert bytes(InboundMail.objects.get().raw) == letter


@pytest.mark.parametrize(
    "letter",
    [
        b"X: y\r\n" * (HEADERS + 1) + b"\r\nHELP\r\n",
        b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + b"--b\r\n\r\n" * (PARTS + 1) + b"--b--\r\n",
    ],
    ids=["headers", "parts"],
)
def test_a_letter_that_no_program_writes_is_refused(wire: Wire, letter: bytes) -> None:
    wire.begin()
    assert wire.says(letter + b".") == smtp_of(Code.TOO_COMPLEX)
    assert not InboundMail.objects.exists()


def test_before_the_disk_is_full_mail_servers_are_asked_to_wait(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    wire.heard()
    wire.says(b"EHLO relay")
    settings.DISK_RESERVE = 10**9
    assert wire.says(b"MAIL FROM:<>") == smtp_of(Code.DISK_LOW)
    settings.DISK_RESERVE = 0
    assert wire.says(b"MAIL FROM:<>").startswith("250 ")


def test_a_disk_that_fails_while_a_letter_arrives_is_told_at_its_end(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows is still the letter, and not a command."""

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    wire.begin()
    monkeypatch.setattr("tempfile.SpooledTemporaryFile.write", full)
    assert wire.says(LETTER_OF_ALICE + b"RSET\r\n.") == smtp_of(Code.DISK_LOW)
    monkeypatch.undo()
    assert wire.says(b"NOOP").startswith("250 ")
    assert not InboundMail.objects.exists()
