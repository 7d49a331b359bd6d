"""Letters really signed, name servers that really answer: what the domain in From says of each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from pbem.mail.authentication.dkim import organisation
from pbem.mail.authentication.dmarc import Evidence, has_policy, verify
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.network import QUESTIONS, Resolver, Unanswered, ask
from tests.nameserver import Zone, served
from tests.signing import ed25519_key, rsa_key, signed, signed_by_hand

ALICE = "alice@mail.home-of-alice.example"
DOMAIN = "mail.home-of-alice.example"
OWNER = "home-of-alice.example"
HOME = "9.9.9.9"  # an address that is not reserved for examples: pyspf and ipaddress know which ones are
LETTER = (
    b"From: Alice <alice@mail.home-of-alice.example>\r\nTo: play@pbem.localhost\r\nSubject: [1] Insert\r\n"
    b"Date: Mon, 04 May 2026 09:00:00 +0000\r\nMessage-ID: <1@home-of-alice.example>\r\n\r\nb1-b3\r\n"
)


@pytest.fixture
def zone(settings: Settings) -> Iterator[Zone]:
    """Alice's domain asks that letters that nobody stands by be rejected; her key and her server are known."""
    zone = Zone()
    zone.txt(f"_dmarc.{OWNER}", "v=DMARC1; p=reject")
    zone.txt(f"s1._domainkey.{OWNER}", rsa_key().record)
    zone.txt(f"s1._domainkey.{DOMAIN}", rsa_key().record)
    zone.txt("s1._domainkey.mallory.example", rsa_key(2).record)
    zone.txt(OWNER, f"v=spf1 ip4:{HOME} -all")
    with served(zone):
        settings.DNS_SERVERS = [zone.server]
        yield zone


def verdict(raw: bytes, author: str = ALICE, **session: str) -> str:
    return verify(Evidence(ParsedMail(raw), **session), author, Resolver(ask)).dmarc


# -- DKIM --------------------------------------------------------------------------------------------


@pytest.mark.prove
def test_the_signature_of_her_domain_passes(zone: Zone) -> None:
    assert verdict(signed(LETTER, rsa_key(), DOMAIN)) == "pass"


def test_that_of_the_same_owner_passes_unless_the_policy_is_strict(zone: Zone) -> None:
    assert verdict(signed(LETTER, rsa_key(), OWNER)) == "pass"
    zone.txt(f"_dmarc.{DOMAIN}", "v=DMARC1; p=none; adkim=s")
    assert verdict(signed(LETTER, rsa_key(), OWNER)) == "fail"
    assert verdict(signed(LETTER, rsa_key(), DOMAIN)) == "pass"


def test_a_letter_without_a_signature_fails(zone: Zone) -> None:
    assert verdict(LETTER) == "fail"


def test_a_good_signature_of_another_domain_fails(zone: Zone) -> None:
    assert verdict(signed(LETTER, rsa_key(2), "mallory.example")) == "fail"


@pytest.mark.parametrize(
    ("written", "instead"),
    [(b"b1-b3", b"b1-b4"), (b"[1] Insert", b"[2] Insert"), (b"Alice <", b"Mallory <")],
    ids=["text", "Subject", "From"],
)
def test_a_letter_changed_on_its_way_fails(zone: Zone, written: bytes, instead: bytes) -> None:
    assert verdict(signed(LETTER, rsa_key(), DOMAIN).replace(written, instead)) == "fail"


def test_a_second_from_breaks_the_signature(zone: Zone) -> None:
    raw = b"From: mallory@mallory.example\r\n" + signed(LETTER, rsa_key(), DOMAIN)
    assert verdict(raw) == "fail"


def test_one_good_signature_among_bad_ones_passes(zone: Zone) -> None:
    """A mailing list or a company's server adds its own; the first one need not be the one that counts."""
    raw = signed(LETTER, rsa_key(), DOMAIN)
    raw = signed(raw, rsa_key(2), "mallory.example")
    raw = b"DKIM-Signature: v=1; d=home-of-alice.example; a=new; nonsense\r\n" + raw
    assert verdict(raw) == "pass"
    broken = b"DKIM-Signature: v=1; a=rsa-sha256; d=home-of-alice.example; s=s1; h=from; bh=YQ==; b=YQ==\r\n"
    assert verdict(broken * 2 + raw) == "pass"
    assert verdict(broken * 3 + raw) == "fail"


def test_a_signature_over_a_part_of_the_text_fails(zone: Zone) -> None:
    """With l= anybody may add their own lines below."""
    raw = signed(LETTER, rsa_key(), DOMAIN, length=True)
    assert verdict(raw) == "fail"
    assert verdict(raw + b"RESIGN\r\n") == "fail"


def test_a_signature_that_leaves_out_from_fails(zone: Zone) -> None:
    """The library would take it: then anyone who has one signed letter could write any name above it."""
    assert verdict(signed_by_hand(LETTER, rsa_key(), DOMAIN, b"from:subject")) == "pass"
    assert verdict(signed_by_hand(LETTER, rsa_key(), DOMAIN, b"subject:date")) == "fail"


def test_a_signature_that_has_run_out_fails(zone: Zone) -> None:
    for until, found in ((4_102_444_800, "pass"), (1_700_000_000, "fail")):  # 2100 and 2023
        assert verdict(signed_by_hand(LETTER, rsa_key(), f"{DOMAIN}; x={until}", b"from")) == found


def test_a_chain_of_servers_vouches_for_nobody(zone: Zone) -> None:
    """ARC (RFC 8617) says what others have seen; anyone who seals it may say what they like."""
    sealed = b"".join(
        b"ARC-%s: i=1; a=rsa-sha256; cv=none; d=%s; s=s1; dmarc=pass; b=YQ==\r\n" % (name, OWNER.encode())
        for name in (b"Seal", b"Message-Signature", b"Authentication-Results")
    )
    assert verdict(sealed + LETTER) == "fail"


def test_a_key_that_is_too_short_fails(zone: Zone) -> None:
    short = rsa_key(3, bits=768)
    zone.txt(f"short._domainkey.{DOMAIN}", short.record)
    assert verdict(signed(LETTER, short, DOMAIN, selector="short")) == "fail"


def test_a_key_that_would_take_minutes_is_not_tried(zone: Zone) -> None:
    zone.txt(f"huge._domainkey.{DOMAIN}", rsa_key().record + "A" * 3000)
    assert verdict(signed(LETTER, rsa_key(), DOMAIN, selector="huge")) == "fail"


def test_the_newer_kind_of_signature_passes_as_well(zone: Zone) -> None:
    zone.txt(f"s2._domainkey.{DOMAIN}", ed25519_key().record)
    raw = signed(LETTER, ed25519_key(), DOMAIN, "s2", signature_algorithm=b"ed25519-sha256")
    assert verdict(raw) == "pass"
    assert verdict(raw.replace(b"b1-b3", b"b1-b4")) == "fail"
    somebody_elses = signed(LETTER, ed25519_key(2), DOMAIN, "s2", signature_algorithm=b"ed25519-sha256")
    assert verdict(somebody_elses) == "fail"


def test_a_signature_of_a_kind_that_is_not_known_here_never_passes(zone: Zone) -> None:
    raw = signed(LETTER, rsa_key(), DOMAIN)
    for kind in (b"rsa-sha1", b"ed25519-sha256", b"rsa-sha512"):
        assert verdict(raw.replace(b"a=rsa-sha256", b"a=" + kind)) != "pass"


# -- SPF ---------------------------------------------------------------------------------------------


def test_the_server_of_her_domain_passes_without_a_signature(zone: Zone) -> None:
    assert verdict(LETTER, sender=f"alice@{OWNER}", peer=HOME) == "pass"
    zone.txt(f"_dmarc.{DOMAIN}", "v=DMARC1; p=reject; aspf=s")
    assert verdict(LETTER, sender=f"alice@{OWNER}", peer=HOME) == "fail"


def test_a_bounce_has_no_envelope_sender_and_its_helo_speaks(zone: Zone) -> None:
    assert verdict(LETTER, sender="", peer=HOME, helo=OWNER) == "pass"


def test_two_domains_in_the_envelope_sender_prove_nothing(zone: Zone) -> None:
    zone.txt("mallory.example", f"v=spf1 ip4:{HOME} -all")
    for sender in (
        f"x@mallory.example@{OWNER}",
        f"x@{OWNER}@mallory.example",
        f'"x@{OWNER}"@mallory.example',
    ):
        assert verdict(LETTER, sender=sender, peer=HOME, helo="mallory.example") == "fail"


def test_another_server_fails(zone: Zone) -> None:
    assert verdict(LETTER, sender=f"alice@{OWNER}", peer="8.8.8.8") == "fail"


def test_the_server_of_another_domain_fails(zone: Zone) -> None:
    zone.txt("mallory.example", f"v=spf1 ip4:{HOME} -all")
    assert verdict(LETTER, sender="mallory@mallory.example", peer=HOME) == "fail"


@pytest.mark.parametrize("domain", [f"{OWNER}-of-mallory.example", f"evil-{OWNER}", "alice.example"])
def test_a_domain_that_only_begins_or_ends_alike_is_another(zone: Zone, domain: str) -> None:
    """A known library reads the domain of an address up to its first hyphen."""
    zone.txt(domain, f"v=spf1 ip4:{HOME} -all")
    zone.txt(f"s1._domainkey.{domain}", rsa_key().record)
    assert verdict(LETTER, sender=f"alice@{domain}", peer=HOME) == "fail"
    assert verdict(signed(LETTER, rsa_key(), domain)) == "fail"


@pytest.mark.parametrize("peer", ["", "127.0.0.1", "10.1.2.3", "::1", "192.168.7.7"])
def test_a_relay_of_our_own_proves_nothing(zone: Zone, peer: str) -> None:
    zone.records[OWNER]["TXT"] = ['"v=spf1 +all"']
    assert verdict(LETTER, sender=f"alice@{OWNER}", peer=peer) == "fail"


def test_spf_through_mx_and_include(zone: Zone) -> None:
    zone.records[OWNER]["TXT"] = ['"v=spf1 include:_spf.provider.example mx -all"']
    zone.txt("_spf.provider.example", "v=spf1 ip4:1.1.1.1 -all")
    zone.add(OWNER, "MX", "10 mx.provider.example.")
    zone.add("mx.provider.example", "A", HOME)
    for peer in (HOME, "1.1.1.1"):
        assert verdict(LETTER, sender=f"alice@{OWNER}", peer=peer) == "pass"


def test_an_spf_record_that_goes_round_in_circles_fails(zone: Zone) -> None:
    zone.records[OWNER]["TXT"] = [f'"v=spf1 include:{OWNER} +all"']
    assert verdict(LETTER, sender=f"alice@{OWNER}", peer=HOME) == "fail"


# -- policies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["none", "quarantine", "reject"])
def test_a_fail_is_a_fail_whatever_the_domain_wants_done(zone: Zone, policy: str) -> None:
    """As in the header of a mail server: the letter is not rejected, but held until she confirms it."""
    zone.records[f"_dmarc.{OWNER}"]["TXT"] = [f'"v=DMARC1; p={policy}"']
    assert verdict(LETTER) == "fail"
    assert verdict(signed(LETTER, rsa_key(), DOMAIN)) == "pass"


@pytest.mark.parametrize(
    "records",
    [
        [],
        ['"v=spf1 -all"'],
        ['"v=DMARC1; p=reject"', '"v=DMARC1; p=none"'],
        ['"v=DMARC1"'],
        ['"v=DMARC1; p="'],
    ],
    ids=["none", "another record", "two", "no policy", "an empty policy"],
)
def test_without_one_policy_the_domain_says_nothing(zone: Zone, records: list[str]) -> None:
    zone.records[f"_dmarc.{OWNER}"]["TXT"] = records
    assert verdict(LETTER) == "none"
    assert verdict(signed(LETTER, rsa_key(), DOMAIN)) == "none"


def test_whether_a_domain_has_a_policy_at_all(zone: Zone) -> None:
    assert has_policy(ALICE, Resolver(ask)) is True
    assert has_policy("alice@home-of-bruno.example", Resolver(ask)) is False
    zone.broken.add(f"_dmarc.{OWNER}")
    assert has_policy(ALICE, Resolver(ask)) is None


@pytest.mark.parametrize("author", ["alice", "alice@localhost"])
def test_what_is_no_domain_has_no_policy(author: str) -> None:
    def answer(name: str, kind: str, patience: float) -> list[Any]:
        raise AssertionError(name)

    assert has_policy(author, Resolver(answer)) is False


def test_organisations() -> None:
    assert organisation("a.b.example.co.uk") == "example.co.uk"
    assert organisation("alice.github.io") != organisation("mallory.github.io")
    assert organisation("mail.alice.a-new-end") == "alice.a-new-end"


# -- name servers that are away ----------------------------------------------------------------------


@pytest.mark.parametrize("name", [f"_dmarc.{OWNER}", f"_dmarc.{DOMAIN}", f"s1._domainkey.{DOMAIN}"])
def test_while_a_name_server_is_broken_the_letter_neither_passes_nor_fails(zone: Zone, name: str) -> None:
    zone.broken.add(name)
    assert verdict(signed(LETTER, rsa_key(), DOMAIN)) == "none"


def test_a_broken_name_server_does_not_hide_what_another_check_proves(zone: Zone) -> None:
    zone.broken.add(f"s1._domainkey.{DOMAIN}")
    assert verdict(signed(LETTER, rsa_key(), DOMAIN), sender=f"alice@{OWNER}", peer=HOME) == "pass"
    zone.broken.add(OWNER)
    assert verdict(signed(LETTER, rsa_key(), DOMAIN), sender=f"alice@{OWNER}", peer=HOME) == "none"


def test_a_silent_name_server_is_not_waited_for_beyond_the_patience(zone: Zone) -> None:
    zone.silent.add(f"_dmarc.{DOMAIN}")
    impatient = Resolver(ask, patience=0.2)
    assert verify(Evidence(ParsedMail(signed(LETTER, rsa_key(), DOMAIN))), ALICE, impatient).dmarc == "none"


def test_no_name_server_at_all(settings: Settings) -> None:
    settings.DNS_SERVERS = ["127.0.0.1:1"]
    questions = Resolver(ask, patience=0.5)
    assert verify(Evidence(ParsedMail(signed(LETTER, rsa_key(), DOMAIN))), ALICE, questions).dmarc == "none"


def test_a_letter_cannot_make_us_ask_without_end() -> None:
    asked: list[str] = []

    def answer(name: str, kind: str, patience: float) -> list[Any]:
        asked.append(name)
        return []

    questions = Resolver(answer)
    for number in (*range(QUESTIONS), *range(QUESTIONS)):
        questions(f"{number}.example", "TXT")
    with pytest.raises(Unanswered):
        questions("one-more.example", "TXT")
    assert len(asked) == QUESTIONS


# -- letters that mean ill ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        LETTER.replace(b"b1-b3", b" " * 2_000_000 + b"b1-b3"),
        LETTER.replace(b"Subject:", b"X: " + b"\r\n y" * 200_000 + b"\r\nSubject:"),
        LETTER.replace(b"Subject:", b"\xff\x00(: \r\nSubject:"),
        b"DKIM-Signature: " + b"a=b;" * 1_000_000 + b"\r\n" + LETTER,
        b"DKIM-Signature: v=1; a=rsa-sha256; d=home-of-alice.example; s=s1; h=from; bh=; b="
        + b" " * 150
        + LETTER,
        b"DKIM-Signature: v=1; a=rsa-sha256; d=home-of-alice.example; s=\xff; h=from; bh=YQ==; b=YQ==\r\n"
        + LETTER,
        LETTER.partition(b"\r\n\r\n")[0],
        b"",
    ],
    ids=["blanks", "folds", "octets", "tags", "no end", "selector", "no body", "nothing"],
)
def test_nobody_gains_by_being_unreadable(zone: Zone, raw: bytes) -> None:
    """Where her domain has a policy, what cannot be checked has failed: it is held, not played."""
    assert verdict(raw) == "fail"


@pytest.mark.parametrize(
    "author", ["", "alice", "alice@", "alice@localhost", "a@" + "x" * 300, "a@b..c", "a@é\ud800.it"]
)
def test_an_author_without_a_domain_is_vouched_for_by_nobody(author: str) -> None:
    def answer(name: str, kind: str, patience: float) -> list[Any]:
        raise AssertionError(name)

    assert verify(Evidence(ParsedMail(LETTER)), author, Resolver(answer)).dmarc == "none"


def test_a_domain_with_letters_of_its_own_is_asked_for_in_ascii(zone: Zone) -> None:
    zone.txt("_dmarc.xn--caff-8oa.example", "v=DMARC1; p=reject")
    zone.txt("s1._domainkey.xn--caff-8oa.example", rsa_key().record)
    raw = LETTER.replace(DOMAIN.encode(), "caffè.example".encode())
    assert verdict(raw, "alice@caffè.example") == "fail"
    assert verdict(signed(raw, rsa_key(), "xn--caff-8oa.example"), "alice@caffè.example") == "pass"


def _answer(answers: dict[str, list[Any]], name: str, kind: str, patience: float) -> list[Any]:
    return answers.get(kind, [])


@given(
    raw=st.binary(max_size=300),
    text=st.binary(max_size=100),
    sender=st.text(max_size=40),
    helo=st.text(max_size=40),
    peer=st.ip_addresses().map(str),
)
def test_whatever_the_letter_and_its_name_servers_say_nothing_raises(
    raw: bytes, text: bytes, sender: str, helo: str, peer: str
) -> None:
    answers = {
        "TXT": [(text,), (b"v=DMARC1; p=reject",), (b"v=spf1 " + text,)],
        "MX": [(10, helo)],
        "A": [sender],
    }
    signature = b"DKIM-Signature: v=1; d=home-of-alice.example; s=s1; a=rsa-sha256; h=from; bh=YQ==; b=YQ==; "
    evidence = Evidence(ParsedMail(signature + raw + b"\r\n" + LETTER), sender=sender, peer=peer, helo=helo)
    assert verify(evidence, ALICE, Resolver(partial(_answer, answers))).dmarc in set(Dmarc)
