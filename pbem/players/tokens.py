"""Reply tokens, in the signed addresses of our letters: made, verified and revoked without a database query.

A token is 20 bytes, written as 32 base32 characters: version and key id (1), subject (5), nonce (2), expiry
day (2), a proof that we made it (4), and a seal over all of these (6). The holder of the address may act for
its subject. The seal covers the purpose and the subject's salt, so that a new salt revokes every token; and
the restore epoch, so that tokens from a lost history are not valid. The proof needs neither salt nor epoch,
and outlives the row with the salt.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import b32decode, b32encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from functools import cache

VERSION = 2
UNPROVED = 1  # tokens from before restores existed: one seal of ten bytes
DAY_ZERO = date(2024, 1, 1)
_TEXT = re.compile(r"[A-Za-z2-7]{32}")  # a relay may change case; no other spelling decodes to the same bytes
_DUMMY_SALT = bytes(16)


class Purpose(StrEnum):
    """The purpose of a token; the value is the prefix of the address, except for those of the web."""

    MOVE = "m"
    CONFIRM = "c"
    BOUNCE = "b"
    UNSUBSCRIBE = "u"
    WRITE = "w"
    INVITE = "i"
    NEVER = "n"
    LETTER = "l"
    BOARD = "board"
    CALENDAR = "calendar"


WEB = {Purpose.BOARD, Purpose.CALENDAR}  # paths of the site, never addresses
PLAY = "play"  # the address without a token

LIFETIME_DAYS: Mapping[Purpose, int | None] = {
    Purpose.MOVE: None,  # valid for some weeks after its ply, or until a new salt
    Purpose.CONFIRM: 3,
    Purpose.BOUNCE: 14,
    Purpose.UNSUBSCRIBE: 730,
    Purpose.WRITE: 90,
    Purpose.INVITE: 31,
    Purpose.NEVER: 730,
    Purpose.LETTER: 30,  # or less, by the plies that the letter showed
    Purpose.BOARD: None,  # as MOVE
    Purpose.CALENDAR: None,  # valid until a new salt
}
OUTLIVES_PLY = timedelta(weeks=4)  # how long a MOVE token identifies its player after the board changed


@dataclass(frozen=True)
class Token:
    """The sealed content. `nonce` of a MOVE or BOARD token is its ply; `expires` counts days from 2024, 0 is never."""

    purpose: Purpose
    subject: int
    nonce: int = 0
    expires: int = 0


@dataclass(frozen=True)
class Claim:
    """The content of an unverified token: not to be trusted before `verify`."""

    key_id: int
    subject: int
    nonce: int
    expires: int

    def expired(self, today: date) -> bool:
        """Returns whether its last day, which still counts, is over."""
        return 0 < self.expires < (today - DAY_ZERO).days


@dataclass(frozen=True)
class Keyring:
    """Master keys of 32 bytes by key id (0 to 15): the newest signs, all verify."""

    keys: Mapping[int, bytes] = field(repr=False)

    def __post_init__(self) -> None:
        if not self.keys:
            raise ValueError("a keyring needs at least one key")
        for key_id, key in self.keys.items():
            if not 0 <= key_id <= 15:
                raise ValueError(f"key id {key_id} is not between 0 and 15")
            if len(key) != 32:
                raise ValueError(f"key {key_id} has {len(key)} bytes, it needs 32")

    @classmethod
    def parse(cls, text: str) -> Keyring:
        """Reads the setting `1:<64 hex digits>,2:<64 hex digits>`. Errors never show a key."""
        keys: dict[int, bytes] = {}
        for number, entry in enumerate(filter(None, map(str.strip, text.split(","))), start=1):
            written_id, _, digits = entry.partition(":")
            try:
                key_id, key = int(written_id), bytes.fromhex(digits)
            except ValueError:
                raise ValueError(f"entry {number} of the keyring is not `id:hex digits`") from None
            if key_id in keys:
                raise ValueError(f"key id {key_id} is in the keyring twice")
            keys[key_id] = key
        return cls(keys)

    @property
    def newest(self) -> int:
        return max(self.keys)


def expiry(purpose: Purpose, today: date) -> int:
    """Returns the `expires` of a token made today: its last day, 0 for never."""
    days = LIFETIME_DAYS[purpose]
    return 0 if days is None else (today + timedelta(days) - DAY_ZERO).days


def mint(keyring: Keyring, token: Token, salt: bytes, epoch: int = 0) -> str:
    """Returns the text of a new token. Raises ValueError when a number does not fit its field."""
    # With the default epoch a token counts as an old one: confirmed with the player, not trusted.
    key_id = keyring.newest
    try:
        body = (
            bytes([VERSION << 4 | key_id])
            + token.subject.to_bytes(5, "big")
            + token.nonce.to_bytes(2, "big")
            + token.expires.to_bytes(2, "big")
        )
    except OverflowError:
        raise ValueError(f"{token} does not fit a token: 5, 2 and 2 bytes, never negative") from None
    key = keyring.keys[key_id]
    sealed = body + _proof(key, token.purpose, body) + _seal(key, token.purpose, body, salt, epoch)
    return b32encode(sealed).decode("ascii").lower()


def unseal(text: str) -> Claim | None:
    """Returns what `text` claims, without verification. None when it is not shaped as a token."""
    sealed = _sealed(text)
    if sealed is None:
        return None
    return Claim(
        key_id=sealed[0] & 15,
        subject=int.from_bytes(sealed[1:6], "big"),
        nonce=int.from_bytes(sealed[6:8], "big"),
        expires=int.from_bytes(sealed[8:10], "big"),
    )


def verify(keyring: Keyring, purpose: Purpose, text: str, salt: bytes | None, epoch: int = 0) -> bool:
    """Returns whether we sealed `text` for `purpose` with `salt` in `epoch`."""
    return epoch_of(keyring, purpose, text, salt, (epoch,)) is not None


def epoch_of(
    keyring: Keyring, purpose: Purpose, text: str, salt: bytes | None, epochs: Iterable[int]
) -> int | None:
    """Returns the first of `epochs` in which we sealed `text` for `purpose` with `salt`. None when in none.

    `salt` None means an unknown subject. Expiry is not checked.
    """
    # An unknown subject or key takes as long as a bad seal, so that timing reveals nothing.
    sealed = _sealed(text)
    if sealed is None:
        return None
    key = keyring.keys.get(sealed[0] & 15)
    known = (key is not None and salt is not None) & _is_proved(keyring, purpose, sealed)
    for epoch in epochs:
        seal = _seal(key or keyring.keys[keyring.newest], purpose, sealed[:10], salt or _DUMMY_SALT, epoch)
        if hmac.compare_digest(seal, sealed[-len(seal) :]) and known:
            return epoch
    return None


def is_proved(keyring: Keyring, purpose: Purpose, text: str) -> bool:
    """Returns whether we made `text` for `purpose`, with any subject, salt and epoch; authorises nothing."""
    sealed = _sealed(text)
    return sealed is not None and sealed[0] >> 4 == VERSION and _is_proved(keyring, purpose, sealed)


def fingerprint(keyring: Keyring, text: str) -> str:
    """Returns 24 hex digits that only we can derive from `text`; they change with the newest key."""
    key = _derive(keyring.keys[keyring.newest], b"pbem fingerprint")
    return hmac.digest(key, text.encode(), hashlib.sha256)[:12].hex()


def address(prefix: str, text: str, domain: str, separator: str = "+") -> str:
    """Returns `m+<text>@domain`, or `play@domain` when the text is empty."""
    return f"{prefix}{separator}{text}@{domain}" if text else f"{prefix}@{domain}"


def parse_address(recipient: str, domain: str, separator: str = "+") -> tuple[str, str] | None:
    """Returns prefix and text of an address of ours, in lower case. None for any other address."""
    local, _, at = recipient.strip().lower().rpartition("@")
    if at != domain.lower():
        return None
    if local == PLAY:
        return PLAY, ""
    prefix, _, text = local.partition(separator)
    return (prefix, text) if text and prefix in set(Purpose) - WEB else None


def _sealed(text: str) -> bytes | None:
    if not _TEXT.fullmatch(text):
        return None
    sealed = b32decode(text.upper())
    return sealed if sealed[0] >> 4 in (UNPROVED, VERSION) else None


def _is_proved(keyring: Keyring, purpose: Purpose, sealed: bytes) -> bool:
    if sealed[0] >> 4 == UNPROVED:
        return True  # its seal has ten bytes
    key = keyring.keys.get(sealed[0] & 15)
    proof = _proof(key or keyring.keys[keyring.newest], purpose, sealed[:10])
    return hmac.compare_digest(proof, sealed[10:14]) and key is not None


def _proof(master: bytes, purpose: Purpose, body: bytes) -> bytes:
    return hmac.digest(_derive(master, f"pbem proof {purpose}".encode()), body, hashlib.sha256)[:4]


def _seal(master: bytes, purpose: Purpose, body: bytes, salt: bytes, epoch: int) -> bytes:
    """Returns six bytes; ten for a token without a proof, which predates epochs."""
    key = _derive(master, f"pbem token {purpose}".encode())
    told = purpose.encode() + b"\0" + body + salt + (epoch.to_bytes(8, "big") if epoch else b"")
    return hmac.digest(key, told, hashlib.sha256)[: 10 if body[0] >> 4 == UNPROVED else 6]


@cache
def _derive(master: bytes, info: bytes) -> bytes:
    """HKDF-SHA256 (RFC 5869) without a salt, one block of output."""
    extracted = hmac.digest(bytes(32), master, hashlib.sha256)
    return hmac.digest(extracted, info + b"\x01", hashlib.sha256)
