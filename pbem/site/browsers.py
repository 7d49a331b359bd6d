"""Known browsers: signing in by a code of six letters that the player's mailbox gets, and the cookie."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from pbem.inbox.models import CODE_LIVES
from pbem.inbox.rate_limits.slots import is_full, take_place
from pbem.mail.mailbox import mailbox_of
from pbem.network import client_address
from pbem.outbox.data_export import File, Rows, as_json, rows
from pbem.outbox.notifications.notify import write_to_player
from pbem.players.models import Player
from pbem.site.models import Browser, SignIn

KEPT = timedelta(days=180)  # from the last POST
MOST_TRIES = 5
CODE_SHOWN = timedelta(days=30)  # how long a strict player's browser acts without another code
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, that no code is a word
LENGTH = 6

SECURE = settings.SITE_URL.startswith("https:")
_SECRET = re.compile(r"[\w-]{43}", re.ASCII)
COOKIE = "__Host-pbem" if SECURE else "pbem"  # browsers take the prefix with Secure alone


# Who it is


def browser_of(request: HttpRequest, now: datetime) -> Browser | None:
    """Returns the row of a known browser, with its player; None for any other. Reads only."""
    if (digest := _digest(request)) is None:
        return None
    known = Browser.objects.select_related("player").filter(digest=digest, player__suspended_at=None)
    return known.filter(used_at__gt=now - KEPT).first()


def acts_at_once(browser: Browser, now: datetime) -> bool:
    """Tells whether what it posts is done at once: a strict player's needs a code every 30 days."""
    return not browser.player.strict or browser.code_at > now - CODE_SHOWN


# Signing in


def begin(
    request: HttpRequest,
    response: HttpResponse,
    address: str,
    players: Iterable[Player],
    *,
    now: datetime,
    waiting: Mapping[str, Any] | None = None,
) -> bool:
    """Sends each player a code, and marks the browser that may type it in. False when a cap is reached.

    `address` is what is counted: the one that was typed, or the player's. For one that no player has, all
    is the same but the letter.
    """
    _forget(now)
    mailbox, network = mailbox_of(address[:254]), client_address(request, settings.TRUSTED_PROXIES)
    if is_full("codes_from", network, now) or take_place("codes", mailbox, now) is None:
        return False
    take_place("codes_from", network, now)
    secret = request.COOKIES.get(COOKIE) if _digest(request) else secrets.token_urlsafe(32)
    assert secret is not None
    with transaction.atomic():
        for player in tuple(players) or (None,):
            _send_code(player, _hashed(secret), dict(waiting or {}), now)
    _set(response, secret)
    return True


def players_at(address: str) -> list[Player]:
    """Returns the players who may sign in with this address: several when a family shares it."""
    return list(Player.objects.people().writing_from(address.strip()[:254]).filter(suspended_at=None))


def _send_code(player: Player | None, browser: bytes, waiting: dict[str, Any], now: datetime) -> None:
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    row = SignIn(player=player, browser=browser, waiting=waiting, begun_at=now, code=_sealed(code, browser))
    row.save()
    if player is not None:
        cause = f"sign_in:{row.pk}:{now:%Y%m%dT%H%M%S}"
        write_to_player(
            player, cause=cause, section={"kind": "sign_in", "letters": code}, now=now, answers=True
        )


@dataclass(frozen=True)
class Finished:
    """A sign-in that its code has ended: what waited for it was posted at `begun_at`."""

    browser: Browser
    waiting: dict[str, Any]
    begun_at: datetime
    secret: str = field(repr=False)

    @property
    def player(self) -> Player:
        return self.browser.player


def is_begun(request: HttpRequest, now: datetime) -> bool:
    """Tells whether this browser may type in a code. Reads only."""
    digest = _digest(request)
    return digest is not None and _open(digest, now).exists()


@transaction.atomic
def finish(request: HttpRequest, code: str, *, now: datetime) -> Finished | None:
    """Makes the browser known, by the code of one of its sign-ins. None when none fits: a try is counted.

    The caller sets the new cookie with `keep`.
    """
    digest = _digest(request)
    if digest is None:
        return None
    begun = list(_open(digest, now).select_for_update(of=("self",)).select_related("player"))
    said = "".join(code.upper().split())[:40]
    seal = _sealed(said, digest)
    # Of several at once, as in a family, each counts the try.
    fits = [row for row in begun if secrets.compare_digest(bytes(row.code), seal)]
    found = next((row for row in fits if row.player is not None and row.player.suspended_at is None), None)
    if found is None or found.player is None:
        SignIn.objects.filter(pk__in=[row.pk for row in begun]).update(tries=F("tries") + 1)
        return None
    SignIn.objects.filter(browser=digest).delete()
    # A new cookie: another may have put the old one into this browser.
    Browser.objects.filter(digest=digest).delete()
    secret = secrets.token_urlsafe(32)
    browser = Browser.objects.create(
        player=found.player,
        digest=_hashed(secret),
        words=described(request.headers.get("User-Agent", "")),
        since=now,
        code_at=now,
        used_at=now,
    )
    return Finished(browser, found.waiting, found.begun_at, secret)


def _open(digest: bytes, now: datetime) -> Any:
    return SignIn.objects.filter(browser=digest, tries__lt=MOST_TRIES, begun_at__gt=now - CODE_LIVES)


def _sealed(code: str, browser: bytes) -> bytes:
    return salted_hmac("pbem.site.sign_in", browser + code.encode(), algorithm="sha256").digest()


# The cookie


def keep(response: HttpResponse, finished: Finished) -> None:
    """Gives the browser its cookie after a sign-in."""
    _set(response, finished.secret)


def used(request: HttpRequest, response: HttpResponse, browser: Browser, *, now: datetime) -> None:
    """Keeps the browser known for another 180 days, after a POST."""
    Browser.objects.filter(pk=browser.pk).update(used_at=now)
    _set(response, request.COOKIES[COOKIE])


def end(browser: Browser) -> None:
    """Makes the browser unknown."""
    browser.delete()


def end_all(player: Player) -> None:
    """Makes all browsers of the player unknown, and voids the codes on their way."""
    Browser.objects.filter(player=player).delete()
    SignIn.objects.filter(player=player).delete()


def forget_cookie(response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, samesite="Lax")
    response.cookies[COOKIE]["secure"] = SECURE or ""


def _set(response: HttpResponse, secret: str) -> None:
    age = int(KEPT.total_seconds())
    response.set_cookie(COOKIE, secret, max_age=age, secure=SECURE, httponly=True, samesite="Lax")


def _digest(request: HttpRequest) -> bytes | None:
    """Returns what rows have of the request's cookie; None without one that we could have made."""
    said = request.COOKIES.get(COOKIE, "")
    return _hashed(said) if _SECRET.fullmatch(said) else None


def _hashed(secret: str) -> bytes:
    return sha256(secret.encode()).digest()


# Keeping and forgetting


ROWS: Mapping[str, Rows] = {
    "browsers.json": {"browsers": (Browser, "player"), "sign_ins": (SignIn, "player")}
}


def kept(player: Player) -> Iterator[File]:
    """Yields what the export of a player's data has of browsers; a source of `pbem.outbox.data_export`."""
    for file, named in ROWS.items():
        yield file, as_json(rows(player, named))


def _forget(now: datetime) -> None:
    SignIn.objects.filter(begun_at__lte=now - CODE_LIVES).delete()
    Browser.objects.filter(used_at__lte=now - KEPT).delete()


# Browsers in words: the first that fits, since most call themselves several

BROWSERS = "Edg Edge, OPR Opera, Firefox Firefox, FxiOS Firefox, CriOS Chrome, Chrome Chrome, Safari Safari"
SYSTEMS = "iPhone iPhone, iPad iPad, Android Android, Windows Windows, Mac macOS, CrOS ChromeOS, Linux Linux"


def described(agent: str) -> str:
    """Returns the browser in words: `Firefox, Linux`; "" for an unknown one."""
    pairs = [[each.split() for each in of.split(", ")] for of in (BROWSERS, SYSTEMS)]
    found = (next((name for sign, name in of if sign in agent), "") for of in pairs)
    return ", ".join(filter(None, found))
