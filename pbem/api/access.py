"""Who asks, and how often: tokens, their scopes, and limits in the running minute."""

from __future__ import annotations

import threading
import time
from collections import Counter
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import parse_etags
from django.utils.translation import gettext
from ninja.errors import HttpError
from ninja.security import HttpBearer

from pbem.api.problems import Unchanged, problem
from pbem.inbox.rate_limits.table import CAPS
from pbem.network import client_address
from pbem.players.api_tokens import Scope, allows, find
from pbem.players.models import ApiToken, Player

TURNS = "/me/turns"  # its first request in a minute is always answered


COUNTS = Counter[str]()  # of the running minute, in this process
_LOCK, _running = threading.Lock(), [0]


def count(whom: str, minute: int) -> int:
    """Returns how many there have been in the minute."""
    with _LOCK:
        if _running != [minute]:
            _running[:] = [minute]
            COUNTS.clear()
        COUNTS[whom] += 1
        return COUNTS[whom]


def token_of(request: HttpRequest) -> ApiToken | None:
    """Returns the valid token that the request shows."""
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    return find(text.strip(), timezone.now()) if scheme.lower() == "bearer" else None


def too_many(request: HttpRequest, token: ApiToken | None) -> HttpResponse | None:
    """Counts the request; returns a problem when it is one too many."""
    now = time.time()
    minute = int(now // 60)
    if token and request.path.endswith(TURNS) and count(f"turns:{token.pk}", minute) == 1:
        return None
    name = "token" if token else "visitor"
    whom = str(token.pk) if token else client_address(request, settings.TRUSTED_PROXIES)
    if count(f"{name}:{whom}", minute) <= CAPS[name].most:
        return None
    said = gettext("Too many requests in this minute. Wait until the next one.")
    return problem(429, said, headers={"Retry-After": str(60 - int(now % 60))})


class Token(HttpBearer):
    """Lets in a token that allows the scope."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Player | None:
        known: ApiToken | None = getattr(request, "api_token", None)
        if known and not allows(known, self.scope):
            raise HttpError(403, gettext("This token does not allow it: %(scope)s.") % {"scope": self.scope})
        return known.player if known else None


def player_of(request: HttpRequest) -> Player:
    player: Player = request.auth  # type: ignore[attr-defined]  # as ninja keeps what `authenticate` returned
    return player


def etag_of(content: bytes) -> str:
    return f'"{sha256(content).hexdigest()[:32]}"'


def unless_known(request: Any, *state: object) -> None:
    """Raises Unchanged when the reader has a response made of this state."""
    request.api_etag = etag_of(repr(state).encode())
    if request.api_etag in parse_etags(request.headers.get("If-None-Match", "")):
        raise Unchanged
