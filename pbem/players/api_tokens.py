"""Tokens of the API: `pbem_` and 40 base32 characters, which let a program act for a player.

A token is derived from a key of ours and the nonce of its row, so that a letter can show it while no row,
and no backup, holds it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import b32encode
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache

from django.conf import settings
from django.db.models import QuerySet

from pbem.players.models import ApiToken, Player
from pbem.players.models.api_token import ApiTokenQuerySet, new_nonce
from pbem.players.tokens import Keyring
from pbem.queue.sql import compiled_query
from pbem.refusals import Code, Refused

PREFIX = "pbem_"
MOST = 10  # valid tokens of a player
USUAL, LONGEST = 90, 365  # days
_TEXT = re.compile(rf"{PREFIX}[a-z2-7]{{40}}")


class Scope(StrEnum):
    """What a token allows: to read what the player reads; to play; to challenge and take offers."""

    READ = "read"
    PLAY = "play"
    OFFER = "offer"


def create(
    player: Player, scopes: Iterable[Scope], days: int = USUAL, *, now: datetime
) -> tuple[ApiToken, str]:
    """Returns a new token and its text, which is shown once. Each token reads. Refuses L06 over MOST."""
    if valid_of(player, now).count() >= MOST:
        raise Refused(Code.TOO_MANY_TOKENS, limit=MOST)
    allowed = {Scope.READ, *scopes}
    nonce = new_nonce()
    text = _derived(_keyring(settings.MAIL_TOKEN_KEYS).newest, nonce)
    row = player.api_tokens.create(
        scopes=" ".join(scope for scope in Scope if scope in allowed),
        created_at=now,
        expires_at=now + timedelta(days=min(max(days, 1), LONGEST)),
        nonce=nonce,
        digest=_digest(text),
    )
    return row, text


def find(text: str, now: datetime) -> ApiToken | None:
    """Returns the valid token with this text, with its player. None for any other text."""
    found = _with_digest(_digest(text)) if _TEXT.fullmatch(text) else []
    return next((row for row in found if row.expires_at > now and row.player.suspended_at is None), None)


@compiled_query
def _with_digest(digest: str) -> QuerySet[ApiToken]:
    return ApiToken.objects.select_related("player").filter(digest=digest)


def text_of(token: ApiToken) -> str:
    """Returns the text, for the one letter that shows it; "" when the key is gone."""
    texts = (_derived(key, bytes(token.nonce)) for key in _keyring(settings.MAIL_TOKEN_KEYS).keys)
    return next((text for text in texts if _digest(text) == token.digest), "")


def allows(token: ApiToken, scope: Scope) -> bool:
    return scope in token.scopes.split()


def valid_of(player: Player, now: datetime) -> ApiTokenQuerySet:
    return ApiToken.objects.valid(now).filter(player=player)


def stop(player: Player, number: int | None = None) -> int:
    """Ends the token with this number, or all of the player; returns how many there were."""
    rows = player.api_tokens.all() if number is None else player.api_tokens.filter(pk=number)
    return rows.delete()[0]


def _derived(key_id: int, nonce: bytes) -> str:
    key = _keyring(settings.MAIL_TOKEN_KEYS).keys[key_id]
    sealed = hmac.digest(key, b"pbem api token" + nonce, hashlib.sha256)[:25]
    return PREFIX + b32encode(sealed).decode("ascii").lower()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


_keyring = cache(Keyring.parse)
