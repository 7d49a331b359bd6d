"""Anyone who tries the service out on one machine is believed; nobody else is, and no operator can mean it."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from pbem.checks import mail_mistakes
from pbem.inbox.models import InboundMail
from pbem.inbox.transports.store import store_message
from tests.mail_fixtures import Correspondent, Post, play_address


@pytest.fixture
def tried_out(post: Post, settings: Settings) -> None:
    settings.AUTHSERV_IDS = []
    settings.DEVELOPMENT = settings.TRUST_LOCAL_SENDERS = True


def dmarc(who: Correspondent, peer: str) -> object:
    now = who.post.now
    row = store_message(
        who.pens("ADDRESSES", dmarc=""), sender=who.email, recipient=play_address(), now=now, peer=peer
    )
    who.post.open()
    return InboundMail.objects.get(pk=row.pk).reading["dmarc"]


def test_what_this_machine_brings_is_believed(tried_out: None, alice: Correspondent) -> None:
    assert [dmarc(alice, peer) for peer in ("127.0.0.1", "::1")] == ["pass", "pass"]
    assert [dmarc(alice, peer) for peer in ("192.0.2.1", "10.0.0.1", "")] == ["none"] * 3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRUST_LOCAL_SENDERS", False),
        ("DEVELOPMENT", False),
        ("AUTHSERV_IDS", ["mx"]),
        ("VERIFY_SENDERS", True),
    ],
)
def test_nowhere_else(
    tried_out: None, alice: Correspondent, settings: Settings, name: str, value: object
) -> None:
    settings.DNS_SERVERS = ["127.0.0.1:9"]
    setattr(settings, name, value)
    assert dmarc(alice, "127.0.0.1") == "none"
    found = {mistake.id for mistake in mail_mistakes()} & {"pbem.E035", "pbem.E036"}
    expected = {"DEVELOPMENT": {"pbem.E036"}, "TRUST_LOCAL_SENDERS": set()}.get(name, {"pbem.E035"})
    assert found == expected


def test_two_from_are_still_a_forgery(tried_out: None, alice: Correspondent) -> None:
    raw = b"From: mallory@example.org\r\n" + alice.pens("ADDRESSES", dmarc="")
    row = store_message(
        raw, sender=alice.email, recipient=play_address(), now=alice.post.now, peer="127.0.0.1"
    )
    alice.post.open()
    assert InboundMail.objects.get(pk=row.pk).reading["dmarc"] == "fail"
