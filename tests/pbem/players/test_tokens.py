"""Reply addresses: what we sealed opens, anything else is nobody's."""

import hmac
from base64 import b32encode
from datetime import date
from hashlib import sha256
from itertools import product
from random import Random

import pytest

from pbem.players.tokens import (
    LIFETIME_DAYS,
    WEB,
    Claim,
    Keyring,
    Purpose,
    Token,
    _derive,
    address,
    epoch_of,
    expiry,
    fingerprint,
    is_proved,
    mint,
    parse_address,
    unseal,
    verify,
)

OLD, NEW = bytes(range(32)), bytes(range(100, 132))
KEYRING = Keyring({1: OLD, 2: NEW})
ALICE, BRUNO = b"salt of Alice..!", b"salt of Bruno..!"
TURN = Token(Purpose.MOVE, subject=105, nonce=12)


def test_a_token_is_32_lower_case_base32_characters() -> None:
    text = mint(KEYRING, TURN, ALICE)
    assert len(text) == 32
    assert set(text) <= set("abcdefghijklmnopqrstuvwxyz234567")


def test_a_token_says_what_it_is_for_and_verifies() -> None:
    text = mint(KEYRING, Token(Purpose.CONFIRM, 2**40 - 1, 65535, 1000), ALICE)
    assert unseal(text) == Claim(key_id=2, subject=2**40 - 1, nonce=65535, expires=1000)
    assert verify(KEYRING, Purpose.CONFIRM, text, ALICE)


def test_a_relay_that_shouts_does_no_harm() -> None:
    assert verify(KEYRING, Purpose.MOVE, mint(KEYRING, TURN, ALICE).upper(), ALICE)


def test_another_salt_another_purpose_or_nobody_is_refused() -> None:
    text = mint(KEYRING, TURN, ALICE)
    assert not verify(KEYRING, Purpose.MOVE, text, BRUNO)
    assert not verify(KEYRING, Purpose.MOVE, text, None)
    for purpose in set(Purpose) - {Purpose.MOVE}:
        assert not verify(KEYRING, purpose, text, ALICE)


def test_nobodys_token_is_refused_even_if_sealed_with_the_dummy_salt() -> None:
    assert not verify(KEYRING, Purpose.MOVE, mint(KEYRING, TURN, bytes(16)), None)


def test_every_single_changed_character_breaks_the_seal() -> None:
    text = mint(KEYRING, TURN, ALICE)
    for i, other in product(range(32), "abcdefghijklmnopqrstuvwxyz234567"):
        forged = text[:i] + other + text[i + 1 :]
        assert verify(KEYRING, Purpose.MOVE, forged, ALICE) == (forged == text)


@pytest.mark.parametrize(
    "text",
    ["", "a" * 31, "a" * 33, "a" * 31 + "1", "a" * 31 + "ı", "a" * 31 + "=", "a" * 31 + "\n", "7" * 32],
)
def test_what_has_not_the_shape_of_a_token_claims_nothing(text: str) -> None:
    assert unseal(text) is None
    assert not verify(KEYRING, Purpose.MOVE, text, ALICE)


def test_rotation_the_newest_key_mints_and_all_open() -> None:
    before = mint(Keyring({1: OLD}), TURN, ALICE)
    after = mint(KEYRING, TURN, ALICE)
    assert (unseal(before).key_id, unseal(after).key_id) == (1, 2)  # type: ignore[union-attr]
    assert verify(KEYRING, Purpose.MOVE, before, ALICE)
    assert not verify(Keyring({2: NEW}), Purpose.MOVE, before, ALICE), "the old key is retired"
    assert not verify(Keyring({1: NEW}), Purpose.MOVE, before, ALICE), "the same id, another key"


def test_a_number_that_does_not_fit_is_a_clear_error() -> None:
    for token in (
        Token(Purpose.MOVE, 2**40),
        Token(Purpose.MOVE, -1),
        Token(Purpose.MOVE, 1, 65536),
        Token(Purpose.MOVE, 1, 0, -3),
    ):
        with pytest.raises(ValueError, match="does not fit a token"):
            mint(KEYRING, token, ALICE)


def test_hkdf_agrees_with_the_third_test_vector_of_rfc_5869() -> None:
    okm = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
    assert _derive(b"\x0b" * 22, b"").hex() == okm


@pytest.mark.parametrize(
    ("setting", "why"),
    [
        ("", "at least one key"),
        ("one", "entry 1 of the keyring is not"),
        ("1", "key 1 has 0 bytes"),
        (f"1:{'00' * 32},x:{'00' * 32}", "entry 2 of the keyring is not"),
        ("1:zz", "entry 1 of the keyring is not"),
        ("1:0011", "key 1 has 2 bytes"),
        (f"16:{'00' * 32}", "16 is not between 0 and 15"),
        (f"1:{'00' * 32},1:{'11' * 32}", "twice"),
    ],
)
def test_a_bad_keyring_setting_says_what_is_wrong(setting: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Keyring.parse(setting)


def test_the_keyring_setting_and_its_silence() -> None:
    keyring = Keyring.parse(f" 1:{OLD.hex()}, 2:{NEW.hex()} ")
    assert keyring == KEYRING
    assert keyring.newest == 2
    assert OLD.hex() not in repr(keyring)
    with pytest.raises(ValueError, match="keyring") as caught:
        Keyring.parse(f"one:{OLD.hex()}")
    assert OLD.hex() not in str(caught.value)


def test_a_token_counts_through_its_last_day() -> None:
    monday = date(2026, 3, 2)
    claim = unseal(mint(KEYRING, Token(Purpose.CONFIRM, 7, expires=expiry(Purpose.CONFIRM, monday)), ALICE))
    assert claim is not None
    assert not claim.expired(date(2026, 3, 5))
    assert claim.expired(date(2026, 3, 6))


def test_a_move_token_never_expires() -> None:
    assert expiry(Purpose.MOVE, date(2026, 3, 2)) == 0
    assert not Claim(1, 105, 12, 0).expired(date(2099, 1, 1))
    assert set(LIFETIME_DAYS) == set(Purpose)


@pytest.mark.parametrize("separator", ["+", "-", "_"])
def test_addresses_round_trip(separator: str) -> None:
    text = mint(KEYRING, TURN, ALICE)
    for purpose in Purpose:
        written = address(purpose, text, "play.example", separator)
        known = None if purpose in WEB else (purpose, text)
        assert parse_address(written, "play.example", separator) == known
    assert address("play", "", "play.example", separator) == "play@play.example"


def test_addresses_in_capitals_are_the_same_address() -> None:
    assert parse_address("PLAY@Play.Example", "play.example") == ("play", "")
    assert parse_address("M+ABC@play.EXAMPLE", "play.example") == ("m", "abc")


@pytest.mark.parametrize(
    "recipient",
    [
        "",
        "play",
        "@play.example",
        "m@play.example",
        "m+@play.example",
        "x+abc@play.example",
        "play+abc@play.example",
        "mplay@play.example",
        "m+abc@other.example",
        "m+abc@play.example.other",
        "postmaster@play.example",
    ],
)
def test_any_other_address_is_not_ours(recipient: str) -> None:
    assert parse_address(recipient, "play.example") is None


def test_random_text_is_never_believed() -> None:
    rng = Random(2024)
    for _ in range(500):
        text = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz234567", k=32))
        assert not verify(KEYRING, Purpose.MOVE, text, ALICE)


def test_a_fingerprint_is_always_the_same_and_nobody_else_can_make_it() -> None:
    made = fingerprint(KEYRING, "letter:34 alice@example.org")
    assert len(made) == 24
    assert made == fingerprint(Keyring({2: NEW}), "letter:34 alice@example.org")
    assert made != fingerprint(KEYRING, "letter:35 alice@example.org")
    assert made != fingerprint(Keyring({2: OLD}), "letter:34 alice@example.org")


def test_an_address_is_of_the_epoch_that_it_was_made_in() -> None:
    """After a restore the same turn of the same seat has another address, and the old one is known for what it is."""
    before, after = mint(KEYRING, TURN, ALICE), mint(KEYRING, TURN, ALICE, 7)
    assert before != after
    assert not verify(KEYRING, Purpose.MOVE, before, ALICE, 7)
    assert not verify(KEYRING, Purpose.MOVE, after, ALICE)
    assert epoch_of(KEYRING, Purpose.MOVE, before, ALICE, (9, 7, 0)) == 0
    assert epoch_of(KEYRING, Purpose.MOVE, after, ALICE, (9, 7, 0)) == 7
    assert epoch_of(KEYRING, Purpose.MOVE, after, BRUNO, (9, 7, 0)) is None


def test_what_we_made_proves_it_without_its_row() -> None:
    """The salt may be lost with the row: then nobody may act with the address, but it is one of ours."""
    text = mint(KEYRING, TURN, ALICE, 7)
    assert is_proved(KEYRING, Purpose.MOVE, text)
    assert is_proved(KEYRING, Purpose.MOVE, text.upper())
    for purpose in set(Purpose) - {Purpose.MOVE}:
        assert not is_proved(KEYRING, purpose, text)
    assert not is_proved(Keyring({2: OLD}), Purpose.MOVE, text)
    assert not is_proved(Keyring({1: NEW}), Purpose.MOVE, text)


def test_no_other_token_is_proved() -> None:
    text = mint(KEYRING, TURN, ALICE)
    for i, other in product(range(22), "abcdefghijklmnopqrstuvwxyz234567"):  # the rest is the seal's
        assert is_proved(KEYRING, Purpose.MOVE, text[:i] + other + text[i + 1 :]) == (other == text[i])


def test_an_address_from_before_there_were_proofs_still_opens() -> None:
    """It lies in mailboxes: sealed by the program as it was, it is of the first epoch, and proves nothing more."""
    key, body = _derive(NEW, b"pbem token m"), bytes([1 << 4 | 2]) + (105).to_bytes(5, "big") + b"\0\x0c\0\0"
    old = b32encode(body + hmac.digest(key, b"m\0" + body + ALICE, sha256)[:10]).decode().lower()
    assert unseal(old) == Claim(key_id=2, subject=105, nonce=12, expires=0)
    assert verify(KEYRING, Purpose.MOVE, old, ALICE)
    assert not verify(KEYRING, Purpose.MOVE, old, BRUNO)
    assert not verify(KEYRING, Purpose.MOVE, old, ALICE, 7)
    assert not is_proved(KEYRING, Purpose.MOVE, old)
    for i, other in product(range(32), "abcdefghijklmnopqrstuvwxyz234567"):
        forged = old[:i] + other + old[i + 1 :]
        assert verify(KEYRING, Purpose.MOVE, forged, ALICE) == (forged == old)
