"""Checks of the settings: values that cannot work, and unsafe defaults in production, each with a hint.

Mistakes are Errors, not exceptions of the settings module, so that an operator sees all of them at once.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured

from games.registry import games
from pbem.network import LOOPBACK, Account, address_of
from pbem.outbox.delivery.backends import sender_for
from pbem.players.tokens import Keyring

# Mail: addresses, servers, accounts, keys

_DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
_SEPARATORS = "+-=_."
MOST_PORT = 65_535
LONGEST_NAME = 100  # characters
EMAIL_HINT = "Write smtp://, smtp+starttls:// or smtps://USER:PASSWORD@HOST:PORT, or file:///FOLDER."
_IMAP_HINT = "Write imaps:// or imap+starttls://USER:PASSWORD@HOST/FOLDER."
RANDOM = "python -c 'import secrets; print(secrets.token_hex(32))' prints one."
KEYRING_HINT = f"Write ID:64 hexadecimal digits, the highest ID seals; separate several with commas. {RANDOM}"


def mail_mistakes() -> Iterator[Error]:
    yield from _keyring()
    yield from _organiser()
    yield from _domain()
    yield from _listener()
    yield from _imap()
    yield from _webhook()
    yield from _relay()
    yield from _who_is_believed()


def _keyring() -> Iterator[Error]:
    try:
        Keyring.parse(settings.MAIL_TOKEN_KEYS)
    except ValueError as mistake:
        yield Error(f"MAIL_TOKEN_KEYS: {mistake}", hint=KEYRING_HINT, id="pbem.E001")


def _organiser() -> Iterator[Error]:
    """Checks the organiser's address, which may not be one of the service: it would write to itself."""
    if settings.ORGANISER_EMAIL and not re.fullmatch(r"[^@\s]+@[^@\s]+", settings.ORGANISER_EMAIL):
        yield Error(
            f"ORGANISER_EMAIL is {settings.ORGANISER_EMAIL!r}",
            hint="Write one address, without a name.",
            id="pbem.E050",
        )
    if not settings.ORGANISER_NAME.isprintable() or len(settings.ORGANISER_NAME) > LONGEST_NAME:
        yield Error(
            f"ORGANISER_NAME is {settings.ORGANISER_NAME!r}",
            hint=f"Write a name in one line, of {LONGEST_NAME} characters at most: it appears below every letter.",
            id="pbem.E077",
        )
    local, _, domain = settings.ORGANISER_EMAIL.lower().rpartition("@")
    name, separator, _token = local.partition(settings.MAIL_SEPARATOR or "+")
    if domain == settings.MAIL_DOMAIN and (local == "play" or (separator and len(name) == 1)):
        yield Error(
            f"ORGANISER_EMAIL is {settings.ORGANISER_EMAIL!r}, which this service reads itself.",
            hint="Write the address of a person.",
            id="pbem.E064",
        )


def _domain() -> Iterator[Error]:
    if not re.fullmatch(r"[\w-]+(\.[\w-]+)*", settings.MAIL_DOMAIN):
        yield Error(
            f"MAIL_DOMAIN is {settings.MAIL_DOMAIN!r}, which is not a domain.",
            hint="Write what comes after the @ of play@, for instance play.example.org.",
            id="pbem.E062",
        )
    if len(settings.MAIL_SEPARATOR) != 1 or settings.MAIL_SEPARATOR not in _SEPARATORS:
        yield Error(
            f"MAIL_SEPARATOR is {settings.MAIL_SEPARATOR!r}",
            hint=f"Write one of {' '.join(_SEPARATORS)}, or leave it out: +.",
            id="pbem.E066",
        )


def _listener() -> Iterator[Error]:
    if settings.SMTP_PROTOCOL not in ("smtp", "lmtp"):
        yield Error(
            f"SMTP_PROTOCOL is {settings.SMTP_PROTOCOL!r}", hint="Write smtp or lmtp.", id="pbem.E002"
        )
    for name in ("SMTP_CERTIFICATE", "SMTP_CERTIFICATE_KEY"):
        path = getattr(settings, name)
        if path and not os.access(path, os.R_OK):
            yield Error(
                f"{name} is {path!r}, which cannot be read.",
                hint="Write the path of a PEM file that the service may read.",
                id="pbem.E020",
            )
    for name in ("SMTP_LISTEN", "WEB_LISTEN"):
        host, _, port = getattr(settings, name).rpartition(":")
        if not (host and port.isdecimal() and int(port) <= MOST_PORT):
            yield Error(
                f"{name} is {getattr(settings, name)!r}",
                hint="Write HOST:PORT, for instance 127.0.0.1:2525.",
                id="pbem.E003",
            )


def _imap() -> Iterator[Error]:
    if settings.IMAP_URL:
        try:
            if Account.parse(settings.IMAP_URL).in_the_clear:
                yield Error("IMAP_URL sends the password in the clear.", hint=_IMAP_HINT, id="pbem.E022")
        except ValueError as mistake:
            yield Error(f"IMAP_URL: {mistake}", hint=_IMAP_HINT, id="pbem.E021")


def _webhook() -> Iterator[Error]:
    if not all(re.fullmatch("[^:]+:.{16,}", secret) for secret in settings.ANYMAIL["WEBHOOK_SECRET"]):
        yield Error(
            "ANYMAIL_WEBHOOK_SECRET is not USER:PASSWORD with a long password.",
            hint=f"Anyone who has it may bring letters of anybody. {RANDOM}",
            id="pbem.E023",
        )


def _relay() -> Iterator[Error]:
    try:
        sender_for(settings.EMAIL_URL)
    except ValueError as mistake:
        yield Error(f"EMAIL_URL: {mistake}", hint=EMAIL_HINT, id="pbem.E005")
    except OSError as mistake:  # the base of ssl.SSLError
        yield Error(
            f"EMAIL_CERTIFICATES is {settings.EMAIL_CERTIFICATES!r}: {mistake}",
            hint="Name a file of certificates that begin with -----BEGIN CERTIFICATE-----, or leave it out.",
            id="pbem.E007",
        )


def _who_is_believed() -> Iterator[Error]:
    if settings.TRUST_LOCAL_SENDERS and (settings.AUTHSERV_IDS or settings.VERIFY_SENDERS):
        yield Error(
            "TRUST_LOCAL_SENDERS trusts every From, and AUTHSERV_IDS or VERIFY_SENDERS says who else is asked.",
            hint="Leave TRUST_LOCAL_SENDERS out: it is for trying PBeM out on one machine.",
            id="pbem.E035",
        )
    if settings.TRUST_LOCAL_SENDERS and not settings.DEVELOPMENT:
        yield Error(
            "TRUST_LOCAL_SENDERS lets every program of this machine write in every player's name.",
            hint="Leave it out; name your mail server in AUTHSERV_IDS instead.",
            id="pbem.E036",
        )
    for provider in settings.PEC_PROVIDERS:
        if not _DOMAIN.fullmatch(provider):
            yield Error(f"PEC_PROVIDERS: {provider!r}", hint="Write domains, with commas.", id="pbem.E032")
    for server in settings.DNS_SERVERS:
        try:
            ip_address(address_of(server)[0])
        except ValueError:
            yield Error(
                f"DNS_SERVERS: {server!r}", hint="Write IP addresses, with :PORT or without.", id="pbem.E030"
            )


# Robots


def robot_mistakes() -> Iterator[Error]:
    if not (len(settings.ROBOT_DELAY) == 2 and 0 <= settings.ROBOT_DELAY[0] <= settings.ROBOT_DELAY[1]):
        yield Error(
            f"ROBOT_DELAY is {','.join(f'{minutes:g}' for minutes in settings.ROBOT_DELAY)!r}.",
            hint="Write two numbers of minutes, the smaller one first: 1,4.",
            id="pbem.E071",
        )
    commands = settings.ROBOT_COMMANDS
    for name, command in commands.items() if isinstance(commands, dict) else [("", commands)]:
        level, _, game = name.partition(" ")
        known = level in map(str, settings.ROBOT_LEVELS) and game in ("", *games())
        if not known or not _can_be_run(command):
            yield Error(
                f"ROBOT_COMMANDS has {name!r}: {command!r}.",
                hint="Write a level of ROBOT_LEVELS and perhaps a game, and a program that can be run: "
                '{"3 loa": "/opt/engine --quiet"}.',
                id="pbem.E075",
            )


def _can_be_run(command: object) -> bool:
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:  # an open quotation
        return False
    return bool(words) and shutil.which(words[0]) is not None


# Production

SLOW_RELAY = 120  # seconds for one letter: 30 for each response


def production_mistakes() -> Iterator[Error]:
    yield from _relay_production()
    yield from _defaults()


def _relay_production() -> Iterator[Error]:
    relay = urlsplit(settings.EMAIL_URL)
    if settings.EMAIL_URL.startswith("file:"):
        yield Error(
            "EMAIL_URL writes letters to a folder: nobody would get them.", hint=EMAIL_HINT, id="pbem.E014"
        )
    if relay.scheme == "smtp" and relay.password and relay.hostname not in LOOPBACK:
        yield Error(
            "EMAIL_URL sends the password in the clear.",
            hint="Write smtps:// or smtp+starttls:// instead of smtp://.",
            id="pbem.E016",
        )
    if settings.LEASE_SECONDS < SLOW_RELAY:
        yield Error(
            f"LEASE_SECONDS is {settings.LEASE_SECONDS}: a slow mail server would get letters twice.",
            hint=f"Set LEASE_SECONDS to {SLOW_RELAY} or more, or leave it out.",
            id="pbem.E015",
        )


def _defaults() -> Iterator[Error]:
    if settings.DEBUG:
        yield Error(
            "DEBUG shows strangers how the service works inside.", hint="Unset DEBUG.", id="pbem.E009"
        )
    if settings.SECRET_KEY == settings.INSECURE_SECRET_KEY:
        yield Error(
            "SECRET_KEY is empty, or the one that everybody can read in the source.",
            hint=f"Set SECRET_KEY to a long random text, or DEVELOPMENT=1 on your own machine. {RANDOM}",
            id="pbem.E010",
        )
    if settings.MAIL_TOKEN_KEYS == settings.INSECURE_MAIL_TOKEN_KEYS:
        yield Error(
            "MAIL_TOKEN_KEYS is the one that everybody can read in the source.",
            hint=KEYRING_HINT,
            id="pbem.E011",
        )
    if settings.MAIL_DOMAIN.endswith("localhost"):
        yield Error(
            f"MAIL_DOMAIN is {settings.MAIL_DOMAIN!r}: nobody could answer a letter.",
            hint="Set MAIL_DOMAIN to the domain whose mail reaches the door.",
            id="pbem.E012",
        )


# The site: address, proxy, folder


def site_mistakes() -> Iterator[Error]:
    yield from _site()
    yield from _proxies()
    yield from _folder()


def _site() -> Iterator[Error]:
    try:
        site = urlsplit(settings.SITE_URL)
        known = site.scheme in ("http", "https") and bool(site.hostname) and not site.query
    except ValueError:
        known = False
    if not known:
        yield Error(
            f"SITE_URL is {settings.SITE_URL!r}, which is not a site's address.",
            hint="Write it with its scheme, for instance https://play.example.org.",
            id="pbem.E063",
        )


def _proxies() -> Iterator[Error]:
    for proxy in settings.TRUSTED_PROXIES:
        try:
            ip_address(proxy)
        except ValueError:
            yield Error(
                f"TRUSTED_PROXIES: {proxy!r}", hint="Write IP addresses, with commas.", id="pbem.E060"
            )


def _folder() -> Iterator[Error]:
    # Tried out, since root may write into any folder. In development it is made when needed.
    var = settings.VAR
    there = next(filter(os.path.exists, (var, *var.parents))) if settings.DEVELOPMENT else var
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as trouble:
        yield Error(
            f"VAR is {str(var)!r}, where nothing can be written: {trouble.strerror}.",
            hint="Name a folder that the service's user owns: install --directory --owner pbem FOLDER makes one.",
            id="pbem.E065",
        )


def refuse_unsafe_settings(*, one_process: bool = False) -> None:
    """Raises ImproperlyConfigured with every mistake, for processes without system checks."""
    mistakes = list(_mistakes())
    if not one_process and settings.CELERY_BROKER_URL == "memory://":
        mistakes.append(_DEAF)
    if mistakes:
        raise ImproperlyConfigured("\n".join(f"{m.msg}\n  {m.hint}" for m in mistakes))


@register()
def check_settings(app_configs: Any, **_: Any) -> list[CheckMessage]:
    return list(_mistakes())


def _mistakes() -> Iterator[Error]:
    yield from mail_mistakes()
    yield from robot_mistakes()
    yield from site_mistakes()
    if not settings.DEVELOPMENT:
        yield from production_mistakes()


_DEAF = Error(
    "CELERY_BROKER_URL is memory://, which no other process hears.",
    hint="Set CELERY_BROKER_URL=redis://..., or run everything in one process: manage.py serve.",
    id="pbem.E013",
)
