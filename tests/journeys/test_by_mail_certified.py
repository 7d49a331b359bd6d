"""Italian certified mail (PEC): its envelope may be anybody's, and takes no word away from the domain inside."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from pbem.matches.models import Match
from pbem.players.models import Address
from pbem.refusals import Code
from tests.mail_fixtures import AUTHSERV_ID, Correspondent
from tests.nameserver import Zone, served
from tests.signing import rsa_key, signed

MOVE = "Wd4, a1"
PROVIDER = "pec.provider.example"


@pytest.fixture
def zone(zertz: Match, alice: Correspondent, settings: Settings) -> Iterator[Zone]:
    """Alice has certified mail; its provider signs its envelopes and says what becomes of forged letters."""
    zone = Zone()
    for domain, key in ((PROVIDER, rsa_key()), ("mallory.example", rsa_key(2))):
        zone.txt(f"_dmarc.{domain}", "v=DMARC1; p=reject")
        zone.txt(f"s1._domainkey.{domain}", key.record)
    with served(zone):
        settings.DNS_SERVERS = [zone.server]
        settings.PEC_PROVIDERS = [PROVIDER]
        yield zone


@pytest.fixture(params=["here", "in front"])
def seen(request: pytest.FixtureRequest, zone: Zone, settings: Settings) -> str:
    """Who looks at the envelope."""
    if request.param == "here":
        settings.AUTHSERV_IDS, settings.VERIFY_SENDERS = [], True
    return str(request.param)


def moves_to(alice: Correspondent, email: str) -> None:
    Address.objects.filter(email=alice.email).update(email=email)
    alice.email = email


def enveloped(
    letter: bytes,
    seen: str,
    domain: str = PROVIDER,
    key: int = 1,
    mailbox: str = "posta-certificata",
    name: str = "envelope",
) -> bytes:
    """In an envelope from `domain`, as its provider signs it."""
    head = (
        f'From: "Per conto di: alice" <{mailbox}@{domain}>\r\nTo: play@pbem.localhost\r\n'
        "Subject: POSTA CERTIFICATA: Re\r\nDate: Mon, 04 May 2026 09:00:00 +0000\r\n"
        f"Message-ID: <{name}{key}@{domain}>\r\nX-Trasporto: posta-certificata\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/mixed; boundary="mixed"\r\n\r\n--mixed\r\n'
        'Content-Type: message/rfc822; name="postacert.eml"\r\n\r\n'
    )
    raw = signed(head.encode() + letter + b"\r\n--mixed--\r\n", rsa_key(key), domain)
    if seen == "here":
        return raw
    found = f"{AUTHSERV_ID}; spf=pass smtp.mailfrom={domain}; dmarc=pass header.from={domain}"
    return f"Authentication-Results: {found}\r\n".encode() + raw


@pytest.mark.prove
def test_a_forged_letter_is_no_better_for_its_envelope(zone: Zone, seen: str, alice: Correspondent) -> None:
    """Who knows her reply address writes her name, in an envelope of their own that their domain has signed."""
    zone.txt("_dmarc.example.org", "v=DMARC1; p=reject")
    to, forged = alice.letter.reply_to, alice.pens(MOVE, dmarc="")
    for raw in (enveloped(forged, seen, "mallory.example", 2), enveloped(forged, seen)):
        row = alice.post.deliver(raw, to, "mallory@mallory.example")
        assert (row.verdict, row.reading["dmarc"]) == (Code.DMARC_FAIL, "fail")
    assert Match.objects.get().ply == 0
    assert set(alice.kinds()) == {"confirm"}


def test_while_nobody_knows_whether_her_domain_says_anything_we_ask(
    zone: Zone, seen: str, alice: Correspondent
) -> None:
    zone.broken |= {"_dmarc.example.org"}
    row = alice.post.deliver(
        enveloped(alice.pens(MOVE, dmarc=""), seen), alice.letter.reply_to, "x@y.example"
    )
    assert (row.verdict, row.reading["doubt"]) == (Code.CONFIRM_NEEDED, "wrapped")
    assert Match.objects.get().ply == 0


def test_a_domain_that_says_nothing_is_believed_as_without_an_envelope(
    zone: Zone, seen: str, alice: Correspondent
) -> None:
    row = alice.post.deliver(
        enveloped(alice.pens(MOVE, dmarc=""), seen), alice.letter.reply_to, "x@y.example"
    )
    assert (row.verdict, row.reading["dmarc"]) == ("ok", "none")


def test_her_own_provider_vouches_for_her(zone: Zone, seen: str, alice: Correspondent) -> None:
    """Though it publishes a policy: it knows its customers, and has signed the envelope."""
    letter = alice.letter
    moves_to(alice, f"alice@{PROVIDER}")
    row = alice.post.deliver(enveloped(alice.pens(MOVE, dmarc=""), seen), letter.reply_to, "x@y.example")
    assert (row.verdict, row.reading["dmarc"]) == ("ok", "none")
    row = alice.post.deliver(
        enveloped(alice.pens("DRAW", dmarc=""), seen, name="another"), "play@pbem.localhost", "x@y.example"
    )
    assert row.verdict == Code.CONFIRM_NEEDED, "at play@ she is asked"


@pytest.mark.parametrize("what", ["mailbox", "provider", "signature"])
def test_nobody_else_vouches_for_her(
    what: str, zone: Zone, seen: str, alice: Correspondent, settings: Settings
) -> None:
    """Another customer of the same provider; a provider that is none; an envelope that nobody has signed."""
    letter = alice.letter
    moves_to(alice, f"alice@{PROVIDER}")
    raw = enveloped(
        alice.pens(MOVE, dmarc=""), seen, mailbox="mallory" if what == "mailbox" else "posta-certificata"
    )
    if what == "provider":
        settings.PEC_PROVIDERS = []
    if what == "signature":
        raw = raw.replace(b"spf=pass", b"spf=none").replace(b"d=pec.", b"d=")
    row = alice.post.deliver(raw, letter.reply_to, "x@y.example")
    assert (row.verdict, row.reading["dmarc"]) == (Code.DMARC_FAIL, "fail")
    assert Match.objects.get().ply == 0


def test_where_nobody_looks_an_envelope_is_a_letter(
    zone: Zone, alice: Correspondent, settings: Settings
) -> None:
    settings.AUTHSERV_IDS, settings.VERIFY_SENDERS = [], False
    row = alice.post.deliver(
        enveloped(alice.pens(MOVE, dmarc=""), "here"), alice.letter.reply_to, "x@y.example"
    )
    assert row.verdict == "ok"
    assert zone.asked == []


def test_what_opens_twice_within_is_not_believed(zone: Zone, seen: str, alice: Correspondent) -> None:
    twice = b"Subject: DRAW\r\n" + alice.pens(MOVE, dmarc="")
    row = alice.post.deliver(enveloped(twice, seen), alice.letter.reply_to, "x@y.example")
    assert row.reading["dmarc"] == "fail"
    assert Match.objects.get().ply == 0
