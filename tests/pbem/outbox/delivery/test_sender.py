"""Handing over: to a relay that takes, waits or refuses, or to a folder."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from pytest_django import Settings

from pbem.outbox.delivery.backends import FileSender, default_sender, sender_for
from pbem.outbox.delivery.smtp import Refusal, SmtpSender, TemporaryFailure, Tls

LETTER = b"Subject: hello\r\n\r\nb1-b3\r\n.\r\n..two dots\r\n"


@dataclass
class Relay:
    """Answers RCPT and DATA as told, and keeps what it took."""

    rcpt: str = "250 OK"
    data: str = "250 queued as 4711"
    taken: list[tuple[str, list[str], bytes]] = field(default_factory=list)
    connections: int = 0
    port: int = 0

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, name: str, options: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = name
        return options

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self.rcpt

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.taken.append(
            (envelope.mail_from or "", envelope.rcpt_tos, bytes(envelope.original_content or b""))
        )
        return self.data


class _AnyPort(Controller):
    """Listens wherever the system has room."""

    def _trigger_server(self) -> None:
        [listening] = self.server.sockets
        self.port = listening.getsockname()[1]
        super()._trigger_server()


@pytest.fixture
def relay() -> Iterator[Relay]:
    relay = Relay()
    controller = _AnyPort(relay, hostname="127.0.0.1", port=0, ready_timeout=10)
    controller.start()
    relay.port = controller.port
    yield relay
    controller.stop()


@pytest.fixture
def sender(relay: Relay) -> Iterator[SmtpSender]:
    sender = SmtpSender("127.0.0.1", relay.port)
    yield sender
    sender.close()


def send(sender: SmtpSender) -> str:
    return sender.send("b+token@pbem.test", "alice@example.org", LETTER)


def test_the_relay_gets_the_bytes_as_they_are(relay: Relay, sender: SmtpSender) -> None:
    assert send(sender) == "250 queued as 4711"
    assert relay.taken == [("b+token@pbem.test", ["alice@example.org"], LETTER)]


def test_one_connection_serves_many_letters(relay: Relay, sender: SmtpSender) -> None:
    for _ in range(3):
        send(sender)
    assert (len(relay.taken), relay.connections) == (3, 1)


@pytest.mark.parametrize("where", ["rcpt", "data"])
def test_4xx_is_tried_later_and_5xx_never(relay: Relay, sender: SmtpSender, where: str) -> None:
    setattr(relay, where, "451 4.7.1 greylisted")
    with pytest.raises(TemporaryFailure, match=r"451 4\.7\.1 greylisted"):
        send(sender)
    setattr(relay, where, "550 5.1.1 no such user")
    with pytest.raises(Refusal, match=r"550 5\.1\.1 no such user"):
        send(sender)
    setattr(relay, where, "250 OK")
    assert send(sender).startswith("250")


def test_a_relay_that_hung_up_meanwhile_is_called_again(relay: Relay, sender: SmtpSender) -> None:
    send(sender)
    kept: smtplib.SMTP = sender._kept.smtp
    kept.close()
    send(sender)
    assert len(relay.taken) == 2


def test_a_relay_that_is_away_is_tried_later(relay: Relay) -> None:
    nobody = SmtpSender("127.0.0.1", 1)
    with pytest.raises(TemporaryFailure, match="refused"):
        send(nobody)


def test_a_folder_keeps_each_letter_once(tmp_path: Path) -> None:
    sender = FileSender(tmp_path / "letters")
    for _ in range(2):
        assert sender.send("b+x@pbem.test", "alice@example.org", LETTER).startswith("250 written to alice@")
    [path] = (tmp_path / "letters").iterdir()
    assert path.read_bytes() == LETTER


@pytest.mark.parametrize(
    ("url", "host", "port", "tls"),
    [
        ("smtp://relay.test", "relay.test", 25, Tls.NONE),
        ("smtp://relay.test:2526", "relay.test", 2526, Tls.NONE),
        ("smtp://[::1]", "::1", 25, Tls.NONE),
        ("smtp://[2001:db8::25]:2526", "2001:db8::25", 2526, Tls.NONE),
        ("smtp+starttls://user:p%40ss@relay.test", "relay.test", 587, Tls.STARTTLS),
        ("smtps://user:p%40ss@relay.test", "relay.test", 465, Tls.FROM_THE_START),
    ],
)
def test_a_url_names_the_relay(url: str, host: str, port: int, tls: Tls) -> None:
    sender = sender_for(url)
    assert isinstance(sender, SmtpSender)
    assert (sender.host, sender.port, sender.tls) == (host, port, tls)
    assert sender.password == ("p@ss" if "p%40ss" in url else "")


@pytest.mark.parametrize("url", ["", "relay.test", "http://relay.test", "smtp://", "file:letters"])
def test_other_urls_are_refused_with_what_to_write(url: str) -> None:
    with pytest.raises(ValueError, match="smtp://HOST:PORT"):
        sender_for(url)


def test_the_setting_chooses_the_sender(settings: Settings, tmp_path: Path) -> None:
    settings.EMAIL_URL = f"file://{tmp_path}/with%20blank"
    default_sender.cache_clear()
    try:
        default_sender().send("", "alice@example.org", LETTER)
    finally:
        default_sender.cache_clear()
    assert len(list((tmp_path / "with blank").iterdir())) == 1
