"""Builds our addresses in letters, with sealed tokens."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from pbem.players import services
from pbem.players.tokens import Keyring, Token, address, mint

# The subject of a Purpose.NEVER token: an invitation or a letter.
NEVER_INVITED, NEVER_WRITTEN = 0, 1


def play_address() -> str:
    return f"play@{settings.MAIL_DOMAIN}"


def sealed_address(token: Token, salt: bytes | memoryview) -> str:
    """Returns an address of ours that only the letter's reader can know."""
    return address_with(token, sealed(token, salt))


def address_with(token: Token, text: str) -> str:
    return address(token.purpose, text, settings.MAIL_DOMAIN, settings.MAIL_SEPARATOR)


def sealed(token: Token, salt: bytes | memoryview) -> str:
    return mint(_keyring(), token, bytes(salt), services.to_write_with())


def _keyring() -> Keyring:
    return _parsed(settings.MAIL_TOKEN_KEYS)


_parsed = cache(Keyring.parse)
