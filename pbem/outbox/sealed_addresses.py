"""The addresses of ours that letters name: what is sealed into one says whom it is for and what it is about."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from pbem.players import services
from pbem.players.tokens import Keyring, Token, address, mint

# What the subject of a token of Purpose.NEVER is: an invitation, a letter.
NEVER_INVITED, NEVER_WRITTEN = 0, 1


def play_address() -> str:
    return f"play@{settings.MAIL_DOMAIN}"


def sealed_address(token: Token, salt: bytes | memoryview) -> str:
    """The address of ours that only the reader of a letter can know."""
    return address_with(token, sealed(token, salt))


def address_with(token: Token, text: str) -> str:
    return address(token.purpose, text, settings.MAIL_DOMAIN, settings.MAIL_SEPARATOR)


def sealed(token: Token, salt: bytes | memoryview) -> str:
    return mint(_keyring(), token, bytes(salt), services.to_write_with())


def _keyring() -> Keyring:
    return _parsed(settings.MAIL_TOKEN_KEYS)


_parsed = cache(Keyring.parse)
