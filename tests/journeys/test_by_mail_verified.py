"""A service without a mail server in front that checks senders: it looks for itself, at letters really signed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from pbem.inbox import services as inbox
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import AUTHSERV_ID, Correspondent, play_address
from tests.nameserver import Zone, served
from tests.signing import rsa_key, signed

MOVE = "Wd4, a1"


@pytest.fixture
def zone(zertz: Match, settings: Settings) -> Iterator[Zone]:
    """The domain of the players asks that what it has not signed be rejected."""
    zone = Zone()
    zone.txt("_dmarc.example.org", "v=DMARC1; p=reject")
    zone.txt("s1._domainkey.example.org", rsa_key().record)
    with served(zone):
        settings.AUTHSERV_IDS = []
        settings.VERIFY_SENDERS = True
        settings.DNS_SERVERS = [zone.server]
        yield zone


def sends(who: Correspondent, raw: bytes, to: str) -> str:
    return who.post.deliver(raw, to, who.email).verdict


def test_a_signed_move_is_played(zone: Zone, zertz: Match, alice: Correspondent) -> None:
    raw = signed(alice.pens(MOVE, dmarc=""), rsa_key(), "example.org")
    assert sends(alice, raw, alice.letter.reply_to) == "ok"
    zertz.refresh_from_db()
    assert zertz.ply == 1


def test_a_forged_move_is_held_though_the_reply_address_is_right(
    zone: Zone, zertz: Match, alice: Correspondent
) -> None:
    """The forger has the address of her letter and writes her name; headers of their own count for nothing."""
    raw = alice.pens(MOVE, dmarc="pass")
    assert raw.startswith(f"Authentication-Results: {AUTHSERV_ID}; spf=pass".encode())
    assert sends(alice, raw, alice.letter.reply_to) == Code.DMARC_FAIL
    raw = signed(alice.pens(MOVE, dmarc=""), rsa_key(2), "mallory.example")
    assert sends(alice, raw, alice.letters[-2].reply_to) == Code.DMARC_FAIL
    zertz.refresh_from_db()
    assert zertz.ply == 0
    assert alice.kinds() == ["confirm", "confirm"]


def test_a_signed_letter_without_a_token_is_as_good_as_her_word(
    zone: Zone, zertz: Match, alice: Correspondent
) -> None:
    raw = signed(alice.pens(f"{zertz.pk} {MOVE}", dmarc=""), rsa_key(), "example.org")
    assert sends(alice, raw, play_address()) == "ok"


def test_while_the_name_server_is_broken_the_token_alone_counts(
    zone: Zone, zertz: Match, alice: Correspondent
) -> None:
    zone.broken.add("s1._domainkey.example.org")
    raw = signed(alice.pens(MOVE, dmarc=""), rsa_key(), "example.org")
    assert (
        sends(alice, signed(alice.pens("DRAW", dmarc=""), rsa_key(), "example.org"), play_address())
        == Code.CONFIRM_NEEDED
    )
    assert sends(alice, raw, alice.letters[-2].reply_to) == "ok"


def test_several_authors_fail_without_a_question(zone: Zone, zertz: Match, alice: Correspondent) -> None:
    both = {"From": "alice@example.org, mallory@mallory.example"}
    raw = signed(alice.pens(MOVE, dmarc="", headers=both), rsa_key(), "example.org")
    assert sends(alice, raw, alice.letter.reply_to) == Code.SEVERAL_FROM
    assert zone.asked == []


def test_an_automatic_letter_asks_nobody(zone: Zone, alice: Correspondent) -> None:
    raw = alice.pens("I am away", dmarc="", headers={"Auto-Submitted": "auto-replied"})
    assert sends(alice, raw, alice.letter.reply_to) == Code.AUTO_REPLY
    assert zone.asked == []


def test_where_a_mail_server_is_trusted_nobody_else_is_asked(
    zone: Zone, settings: Settings, zertz: Match, alice: Correspondent
) -> None:
    settings.AUTHSERV_IDS = [AUTHSERV_ID]
    assert sends(alice, alice.pens(MOVE, dmarc="pass"), alice.letter.reply_to) == "ok"
    assert zone.asked == []


def test_no_name_server_is_asked_inside_a_transaction(
    zone: Zone, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept is opened in two transactions, with none between them."""
    order: list[str] = []
    process = inbox.process
    monkeypatch.setattr(inbox, "failpoint", lambda name: order.append(f"{name}: {len(zone.asked)} asked"))
    monkeypatch.setattr(inbox, "process", lambda *letter: (order.append("carrying out"), process(*letter)))
    sends(alice, signed(alice.pens(MOVE, dmarc=""), rsa_key(), "example.org"), alice.letter.reply_to)
    assert order == [
        "claimed: 0 asked",
        "read: 2 asked",
        "carrying out",
        "carried-out: 2 asked",
        "opened: 2 asked",
    ]
