"""Letters in and out through Postfix, OpenDKIM and OpenDMARC, all with the lines that we ship."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Iterator
from dataclasses import dataclass

import dkim
import pytest
from django.utils import timezone
from pytest_django import Settings

from pbem.inbox.interpretation import interpret
from pbem.inbox.models import InboundMail
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.parsing.headers import summarise
from pbem.players.services import register
from tests.journeys.at_the_door import ALICE, PLAY
from tests.journeys.conftest import House
from tests.journeys.milters import judging, needs_milters
from tests.journeys.postfix import SHIPPED, Postfix, needs_postfix, running
from tests.processes import wait_until
from tests.signing import rsa_key
from tests.smtp_fixtures import Letter, Mailboxes, mailboxes

pytestmark = [needs_postfix, needs_milters, pytest.mark.prove]
OURS, THEIRS = rsa_key(1), rsa_key(2)
RECORDS = {
    "pbem._domainkey.pbem.localhost": OURS.record,
    "s._domainkey.players.localhost": THEIRS.record,
    "_dmarc.players.localhost": "v=DMARC1; p=reject",
}
MILTERS = "".join(re.findall(r"(?m)^(?:non_)?smtpd_milters = .*\n", (SHIPPED / "main.cf").read_text()))
PRETENDS = (
    "smtpd_authorized_xclient_hosts = 127.0.0.0/8\n"  # a test comes from addresses that it does not have
)


@dataclass(frozen=True)
class Outside:
    postfix: Postfix
    letters: list[Letter]

    def sends(self, words: str, *, signed: bool) -> None:
        """From an address of the Internet, in Alice's name, with a verdict that nobody has given."""
        raw = (
            f"From: {ALICE}\r\nTo: {PLAY}\r\nSubject: hello\r\nDate: Mon, 23 Nov 2026 12:00:00 +0000\r\n"
            f"Message-ID: <{words.replace(' ', '.')}@alice>\r\n\r\n{words}\r\n"
        ).encode()
        if signed:
            raw = dkim.sign(raw, b"s", b"players.localhost", THEIRS.pem) + raw
        forged = b"Authentication-Results: mx.pbem.localhost; dmarc=pass header.from=players.localhost\r\n"
        with smtplib.SMTP(*self.postfix.address, timeout=60) as client:
            client.ehlo("mx.players.localhost")
            assert client.docmd("XCLIENT", "ADDR=192.0.2.66 NAME=mx.players.localhost")[0] == 220
            client.ehlo("mx.players.localhost")
            client.sendmail(ALICE, PLAY, forged + raw)


@pytest.fixture
def outside(house: House, settings: Settings) -> Iterator[Outside]:
    settings.AUTHSERV_IDS = {"mx.pbem.localhost"}
    letters: list[Letter] = []
    with (
        mailboxes(lambda: Mailboxes(letters.append)) as relay,
        running("main.cf", door=house.door, relay=relay, lines=MILTERS + PRETENDS) as postfix,
        judging(postfix.folder / "queue", OURS.pem, RECORDS),
    ):
        house.env["EMAIL_URL"] = "smtp://{}:{}".format(*postfix.address)
        yield Outside(postfix, letters)


def test_what_both_find_is_believed_and_what_leaves_is_signed(house: House, outside: Outside) -> None:
    with house.rows():
        alice = register(name="Alice", email=ALICE, language="en", now=timezone.now())
    house.serve(SMTP_PROTOCOL="lmtp", AUTHSERV_IDS="mx.pbem.localhost")
    outside.sends("SET LANGUAGE it", signed=False)
    outside.sends("HELP", signed=True)
    [question, answer] = wait_until(lambda: len(outside.letters) == 2 and by_kind(outside), "both letters")
    assert (question.kind, answer.kind) == ("confirm", "help")
    with house.rows():
        found = {
            summarise(bytes(row.raw)).message_id: interpret(row).dmarc for row in InboundMail.objects.all()
        }
        alice.refresh_from_db()
    assert found == {"<SET.LANGUAGE.it@alice>": Dmarc.FAIL, "<HELP@alice>": Dmarc.PASS}
    assert alice.language == "en", "its player was asked"
    for letter in (question, answer):
        assert dkim.verify(unstuffed(letter.raw), dnsfunc=published)
        assert {"list-unsubscribe", "list-unsubscribe-post", "subject"} <= signed(letter)


def by_kind(outside: Outside) -> list[Letter]:
    return sorted(outside.letters, key=lambda letter: letter.kind)


def unstuffed(came: bytes) -> bytes:
    """Without what SMTP puts before a dot, and after the letter."""
    return came.removesuffix(b".\r\n").replace(b"\r\n..", b"\r\n.")


def published(name: bytes, timeout: int = 5) -> str:
    return RECORDS[name.decode().rstrip(".")]


def signed(letter: Letter) -> set[str]:
    """The fields that the signature covers."""
    [names] = re.findall(rb"(?s)DKIM-Signature:.*?\bh=(.*?);", letter.raw)
    return {name.strip().lower() for name in names.decode().split(":")}
