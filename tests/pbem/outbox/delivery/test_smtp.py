"""What the relay may say or leave unsaid at each step, and what we take it for."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.outbox.delivery.smtp import (
    DeliveryError,
    Refusal,
    RelayAway,
    RelayRefuses,
    ReplyLost,
    SmtpSender,
    TemporaryFailure,
    Tls,
)
from pbem.refusals import Code
from tests.relay import HANG, HANG_UP, Relay, certificate

_send = smtplib.SMTP.send
LETTER = b"Subject: hello\r\n\r\nb1-b3\r\n"


@pytest.fixture
def relay() -> Iterator[Relay]:
    with Relay().open() as relay:
        yield relay


Calling = Callable[..., SmtpSender]


@pytest.fixture
def calling(relay: Relay) -> Iterator[Calling]:
    """Makes senders, and hangs up in the end."""
    with ExitStack() as stack:

        def call(host: str = relay.address[0], **more: Any) -> SmtpSender:
            sender = SmtpSender(host, relay.address[1], **{"patience": 10.0} | more)
            stack.callback(sender.close)
            return sender

        yield call


@pytest.fixture
def sender(calling: Calling) -> SmtpSender:
    return calling()


def send(sender: SmtpSender, to: str = "alice@example.org") -> str:
    return sender.send("b+token@pbem.test", to, LETTER)


def refused(sender: SmtpSender, to: str = "alice@example.org") -> DeliveryError:
    with pytest.raises(DeliveryError) as why:
        send(sender, to)
    return why.value


@pytest.mark.parametrize(
    ("verb", "reply", "kind", "fate"),
    [
        ("CONNECT", "421 4.3.2 not now", RelayAway, Code.SOFT),
        ("CONNECT", "554 5.7.1 no service for you", RelayRefuses, Code.POLICY),
        ("CONNECT", HANG_UP, RelayAway, Code.SOFT),
        ("EHLO", HANG_UP, RelayAway, Code.SOFT),
        ("MAIL", "451 4.3.0 disk", RelayAway, Code.SOFT),
        ("MAIL", "421 4.7.0 too many connections", RelayAway, Code.SOFT),
        ("MAIL", "530 5.7.0 Authentication required", RelayRefuses, Code.POLICY),
        ("MAIL", "550 5.1.8 Sender address rejected", RelayRefuses, Code.POLICY),
        ("MAIL", HANG_UP, RelayAway, Code.SOFT),
        ("RCPT", "450 4.7.1 greylisted", TemporaryFailure, Code.SOFT),
        ("RCPT", "452 4.2.2 over quota", TemporaryFailure, Code.MAILBOX_FULL),
        ("RCPT", "421 4.7.0 [TSS04] deferred", TemporaryFailure, Code.SOFT),
        ("RCPT", "550 5.1.1 no such user", Refusal, Code.HARD),
        ("RCPT", "552 5.2.2 mailbox full", Refusal, Code.MAILBOX_FULL),
        ("RCPT", "550 5.7.1 on our block list (S3140)", Refusal, Code.POLICY),
        ("RCPT", "530 5.7.0 Authentication required", RelayRefuses, Code.POLICY),
        ("RCPT", HANG_UP, TemporaryFailure, Code.SOFT),
        ("DATA", "451 4.3.0 try again", TemporaryFailure, Code.SOFT),
        ("DATA", "554 5.7.1 no", Refusal, Code.POLICY),
        ("DATA", HANG_UP, TemporaryFailure, Code.SOFT),
        ("DATA", "250 that is no answer", TemporaryFailure, Code.SOFT),
        (".", "451 4.7.1 greylisted", TemporaryFailure, Code.SOFT),
        (".", "421 4.3.2 shutting down", TemporaryFailure, Code.SOFT),
        (".", "550 5.7.26 unauthenticated mail", Refusal, Code.POLICY),
        (".", "552 5.3.4 too big", Refusal, Code.LETTER),
        (".", HANG_UP, ReplyLost, Code.UNKNOWN_REPLY),
        (".", "yes", ReplyLost, Code.UNKNOWN_REPLY),
        (".", "354 go on", ReplyLost, Code.UNKNOWN_REPLY),
    ],
)
def test_each_reply_at_each_step(
    relay: Relay, calling: Calling, verb: str, reply: str, kind: type[DeliveryError], fate: str
) -> None:
    for relay.offers in ((), ("PIPELINING",)):
        relay.script[verb], sender = [reply], calling()
        why = refused(sender)
        assert (type(why), why.fate) == (kind, fate)
        assert send(sender) == "250 2.0.0 queued", "the next letter finds a relay that takes it"


def test_an_envelope_goes_in_one_piece_where_the_relay_offers_it(
    relay: Relay, sender: SmtpSender, monkeypatch: pytest.MonkeyPatch
) -> None:
    relay.offers = ("PIPELINING",)
    sent: list[bytes | str] = []

    def spy(smtp: smtplib.SMTP, data: bytes | str) -> None:
        sent.append(data)
        _send(smtp, data)

    monkeypatch.setattr(smtplib.SMTP, "send", spy)
    for to in ("alice@example.org", "bruno@example.org"):
        send(sender, to)
    assert sent[1::2] == [
        f"MAIL FROM:<b+token@pbem.test>\r\nRCPT TO:<{to}@example.org>\r\nDATA\r\n"
        for to in ("alice", "bruno")
    ]
    assert sent[2::2] == [LETTER + b".\r\n"] * 2
    assert (relay.connections, relay.taken) == (1, [LETTER] * 2)


def test_what_was_asked_ahead_is_heard_before_the_next_letter(relay: Relay, sender: SmtpSender) -> None:
    """Some relays wait for a letter that is for nobody: it is empty, and nobody gets it."""
    relay.offers = ("PIPELINING",)
    relay.script["MAIL"] = ["451 4.3.0 disk"]
    relay.script["RCPT"] = ["503 5.5.1 no MAIL", "550 5.1.1 no such user", "550 5.1.1 no such user"]
    relay.script["DATA"] = ["503 5.5.1 no RCPT", "554 5.5.1 no valid recipients"]
    assert [type(refused(sender)) for _ in range(3)] == [RelayAway, Refusal, Refusal]
    assert send(sender) == "250 2.0.0 queued"
    assert (relay.connections, relay.taken) == (1, [LETTER])


def test_a_line_end_in_an_address_is_no_command(relay: Relay, sender: SmtpSender) -> None:
    relay.offers = ("PIPELINING",)
    with pytest.raises(ValueError, match="line end"):
        sender.send(" \r\n", "alice@example.org", LETTER)
    assert relay.taken == []


@pytest.mark.parametrize(
    ("verb", "kind"),
    [
        ("CONNECT", RelayAway),
        ("EHLO", RelayAway),
        ("MAIL", RelayAway),
        ("RCPT", TemporaryFailure),
        ("DATA", TemporaryFailure),
        (".", ReplyLost),
    ],
)
def test_silence_ends_before_somebody_else_takes_the_letter_up(
    relay: Relay, calling: Calling, verb: str, kind: type[DeliveryError]
) -> None:
    relay.script[verb] = [HANG]
    why = refused(calling(patience=0.3))
    assert type(why) is kind
    assert why.silent == (verb in ("RCPT", "DATA", ".")), "before, it does not know whom the letter is for"
    assert send(calling()) == "250 2.0.0 queued"


def test_a_refused_letter_leaves_the_connection_to_the_next(relay: Relay, sender: SmtpSender) -> None:
    relay.script["RCPT"] = ["550 5.1.1 no such user", "450 4.7.1 greylisted"]
    relay.script["."] = ["550 5.7.1 spam"]
    for _ in range(3):
        refused(sender)
    send(sender)
    assert relay.connections == 1
    assert (
        " ".join(relay.heard) == "EHLO MAIL RCPT RSET MAIL RCPT RSET MAIL RCPT DATA . RSET MAIL RCPT DATA ."
    )


def test_421_closes_the_connection(relay: Relay, sender: SmtpSender) -> None:
    relay.script["RCPT"] = ["421 4.7.0 too many"]
    refused(sender)
    send(sender)
    assert relay.connections == 2
    assert "RSET" not in relay.heard


def test_a_relay_that_said_421_while_we_were_idle_is_called_again(relay: Relay, sender: SmtpSender) -> None:
    relay.script["MAIL"] = ["250 OK", "421 4.4.2 idle for too long"]
    send(sender)
    assert send(sender) == "250 2.0.0 queued"
    assert (relay.connections, len(relay.taken)) == (2, 2)


def test_dots_and_a_missing_line_end_arrive_as_they_should(relay: Relay, sender: SmtpSender) -> None:
    sender.send("b+x@pbem.test", "alice@example.org", b"Subject: x\r\n\r\n.\r\n..two\r\nend")
    assert relay.taken == [b"Subject: x\r\n\r\n..\r\n...two\r\nend\r\n"]


def test_a_domain_is_written_as_dns_has_it(relay: Relay, sender: SmtpSender) -> None:
    assert send(sender, "alice@bücher.example") == "250 2.0.0 queued"


def test_an_address_that_is_not_ascii_needs_a_relay_that_takes_such(relay: Relay, calling: Calling) -> None:
    why = refused(calling(), "elène@example.org")
    assert (type(why), why.fate) == (Refusal, Code.HARD)
    assert "SMTPUTF8" in why.reply
    relay.offers = ("SMTPUTF8",)
    assert send(calling(), "elène@example.org") == "250 2.0.0 queued"


def test_a_password_that_is_refused_is_not_the_fault_of_the_address(relay: Relay, calling: Calling) -> None:
    relay.offers = ("AUTH PLAIN",)
    relay.script["AUTH"] = ["535 5.7.8 Authentication credentials invalid"]
    assert type(refused(calling(user="pbem", password="old"))) is RelayRefuses
    relay.script["AUTH"] = ["454 4.7.0 Temporary authentication failure"]
    assert type(refused(calling(user="pbem", password="new"))) is RelayAway


def test_a_password_is_never_said_where_nobody_asks_for_it(relay: Relay, calling: Calling) -> None:
    assert type(refused(calling(user="pbem", password="secret"))) is RelayRefuses
    assert relay.heard == ["EHLO", "HELO"][: len(relay.heard)]


@pytest.fixture
def own_certificate(relay: Relay, tmp_path: Path) -> Path:
    """The relay's, which no authority vouches for."""
    public, relay.tls = certificate(tmp_path)
    relay.offers = ("STARTTLS",)
    return public


@pytest.fixture
def encrypting(calling: Calling) -> Calling:
    return partial(calling, "localhost", tls=Tls.STARTTLS)


@pytest.mark.prove
def test_a_certificate_that_is_trusted_is_enough(encrypting: Calling, own_certificate: Path) -> None:
    assert send(encrypting(certificates=str(own_certificate))) == "250 2.0.0 queued"


def test_a_certificate_of_nobody_is_refused_before_anything_is_said(
    relay: Relay, encrypting: Calling, own_certificate: Path
) -> None:
    why = refused(encrypting())
    assert (type(why), why.fate) == (RelayRefuses, Code.POLICY)
    assert "certificate verify failed" in why.reply
    assert "MAIL" not in relay.heard


def test_a_certificate_for_another_name_is_refused(calling: Calling, own_certificate: Path) -> None:
    sender = calling("127.0.0.1", tls=Tls.STARTTLS, certificates=str(own_certificate))
    assert type(refused(sender)) is RelayRefuses


def test_a_relay_that_will_not_encrypt_gets_nothing_in_the_clear(relay: Relay, encrypting: Calling) -> None:
    assert type(refused(encrypting())) is RelayRefuses
    relay.offers = ("STARTTLS",)
    relay.script["STARTTLS"] = ["454 4.7.0 TLS not available now"]
    assert type(refused(encrypting())) is RelayAway
    assert "MAIL" not in relay.heard
