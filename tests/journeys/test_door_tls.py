"""STARTTLS at the mail door: for anyone who sends to us from the Internet, and against anyone who sits between."""

from __future__ import annotations

import smtplib
import ssl
from pathlib import Path

import pytest
from pytest_django import Settings

from pbem.inbox.models import InboundMail
from pbem.inbox.transports import smtp_session
from tests.journeys.at_the_door import ALICE, LETTER_OF_ALICE, PLAY, Wire, opened
from tests.processes import wait_until
from tests.relay import certificate

pytestmark = pytest.mark.usefixtures("rows")


@pytest.fixture
def trusted(settings: Settings, tmp_path: Path) -> ssl.SSLContext:
    """The door has a certificate, and the other side trusts it."""
    public, _ = certificate(tmp_path)
    settings.SMTP_CERTIFICATE, settings.SMTP_CERTIFICATE_KEY = str(public), str(public.with_suffix(".key"))
    trusted = ssl.create_default_context(cafile=str(public))
    trusted.check_hostname = False
    return trusted


def test_a_door_on_the_internet_may_have_a_certificate(trusted: ssl.SSLContext) -> None:
    with opened("smtp") as door, smtplib.SMTP(*door, timeout=30) as client:
        client.ehlo()
        assert "auth" not in client.esmtp_features
        assert client.starttls(context=trusted)[0] == 220
        client.ehlo()
        assert not {"starttls", "auth"} & client.esmtp_features.keys()
        assert client.sendmail(ALICE, PLAY, LETTER_OF_ALICE) == {}
    assert InboundMail.objects.get().sender == ALICE


@pytest.mark.prove
def test_a_new_certificate_that_is_none_leaves_the_one_of_before(
    trusted: ssl.SSLContext, settings: Settings
) -> None:
    with opened("smtp") as door:
        assert is_let_in(door)
        Path(settings.SMTP_CERTIFICATE).write_text("half of a certifi")
        with smtplib.SMTP(*door, timeout=30) as client:
            assert client.starttls(context=trusted)[0] == 220
            assert client.sendmail(ALICE, PLAY, LETTER_OF_ALICE) == {}


@pytest.mark.prove
def test_nothing_that_was_said_in_the_clear_counts_behind_tls(trusted: ssl.SSLContext) -> None:
    """Commands that somebody has put behind STARTTLS are not read as if they had come encrypted (RFC 3207, 6)."""
    with opened("smtp") as door, Wire(door) as wire:
        wire.heard()
        wire.says(b"EHLO relay.example")
        wire.send(b"STARTTLS\r\nEHLO mallory\r\nMAIL FROM:<mallory@elsewhere.example>\r\n")
        assert wire.heard().startswith("220 ")
        with trusted.wrap_socket(wire.socket) as inside:
            for command, reply in ((b"NOOP", b"250 "), (b"RCPT TO:<play@pbem.localhost>", b"503 ")):
                inside.sendall(command + b"\r\n")
                assert inside.recv(100).startswith(reply)


@pytest.mark.parametrize("handshake", [b"", b"QUIT\r\n", None], ids=repr)
def test_whoever_ends_in_the_handshake_leaves_his_place(
    trusted: ssl.SSLContext,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    handshake: bytes | None,
) -> None:
    """They go away, say something else, or say nothing until they are sent away."""
    settings.SMTP_CONNECTIONS = 1
    monkeypatch.setattr(smtp_session, "SHORT_IDLE_TIMEOUT", 5 if handshake is not None else 0.2)
    with opened("smtp") as door:
        with Wire(door) as wire:
            wire.heard()
            wire.says(b"EHLO relay.example")
            assert wire.says(b"STARTTLS").startswith("220 ")
            if handshake is None:
                assert wire.heard() == ""
            else:
                wire.send(handshake)
        wait_until(lambda: is_let_in(door), "the place is free again")
    assert "was not taken" not in caplog.text, "no letter was there"


def is_let_in(door: tuple[str, int]) -> bool:
    with Wire(door) as wire:
        return wire.heard().startswith("220 ")
