"""What must not reach production: unsafe defaults and settings that cannot work, with a hint for each."""

import os
import re
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured

from pbem.imap_account import LOOPBACK, Account
from pbem.miswritten import folder, miswritten
from pbem.nameserver import address_of
from pbem.outbox.sending.sender import sender_for
from pbem.players.tokens import Keyring

MOST_IMAP_SECONDS = 240  # a mailbox that nobody has looked into for five minutes is away
SLOW_RELAY = 120  # seconds that it may take over one letter: 30 for each answer


def refuse_unsafe_settings(*, one_process: bool = False) -> None:
    """Raises ImproperlyConfigured with every mistake: for processes that run no system checks."""
    mistakes = list(_mistakes())
    if not one_process and settings.CELERY_BROKER_URL == "memory://":
        mistakes.append(_DEAF)
    if mistakes:
        raise ImproperlyConfigured("\n".join(f"{m.msg}\n  {m.hint}" for m in mistakes))


@register()
def check_settings(app_configs: Any, **_: Any) -> list[CheckMessage]:
    return list(_mistakes())


def _mistakes() -> Iterator[Error]:
    yield from _unusable()
    yield from miswritten()
    if not settings.DEVELOPMENT:
        yield from folder()
        yield from _unsafe()


def _unusable() -> Iterator[Error]:
    try:
        Keyring.parse(settings.MAIL_TOKEN_KEYS)
    except ValueError as mistake:
        yield Error(f"MAIL_TOKEN_KEYS: {mistake}", hint=_KEYRING_HINT, id="pbem.E001")
    if settings.ORGANISER_EMAIL and not re.fullmatch(r"[^@\s]+@[^@\s]+", settings.ORGANISER_EMAIL):
        yield Error(
            f"ORGANISER_EMAIL is {settings.ORGANISER_EMAIL!r}",
            hint="Write one address, without a name.",
            id="pbem.E050",
        )
    if settings.DOOR_PROTOCOL not in ("smtp", "lmtp"):
        yield Error(
            f"DOOR_PROTOCOL is {settings.DOOR_PROTOCOL!r}", hint="Write smtp or lmtp.", id="pbem.E002"
        )
    if settings.IMAP_URL:
        try:
            if Account.parse(settings.IMAP_URL).in_the_clear:
                yield Error(
                    "IMAP_URL sends the password for everybody to read.", hint=_IMAP_HINT, id="pbem.E022"
                )
        except ValueError as mistake:
            yield Error(f"IMAP_URL: {mistake}", hint=_IMAP_HINT, id="pbem.E021")
    if not all(re.fullmatch("[^:]+:.{16,}", secret) for secret in settings.ANYMAIL["WEBHOOK_SECRET"]):
        yield Error(
            "ANYMAIL_WEBHOOK_SECRET is not USER:PASSWORD with a long password.",
            hint=f"Whoever has it may bring letters of anybody. {_RANDOM}",
            id="pbem.E023",
        )
    for name, least in (
        ("DOOR_CONNECTIONS", 1),
        ("DOOR_CONNECTIONS_PER_PEER", 1),
        ("IMAP_SECONDS", 1),
        ("HEALTH_SECONDS", 0),
        ("ABSENCE_DAYS", 0),
        ("RETAIN_RAW_MAIL", 0),
        ("RETAIN_REJECTED", 0),
        ("RETAIN_LETTERS", 0),
        ("STRANGERS_ANSWERED_PER_DAY", 0),
        ("STRANGERS_ANSWERED_PER_SERVER", 0),
    ):
        if getattr(settings, name) < least:
            yield Error(
                f"{name} is {getattr(settings, name)!r}", hint=f"Write {least} or more.", id="pbem.E024"
            )
    if settings.IMAP_SECONDS > MOST_IMAP_SECONDS:
        yield Error(
            f"IMAP_SECONDS is {settings.IMAP_SECONDS!r}: each pause would be taken for an outage.",
            hint=f"Write {MOST_IMAP_SECONDS} or less.",
            id="pbem.E033",
        )
    for name in ("DOOR_CERTIFICATE", "DOOR_CERTIFICATE_KEY"):
        path = getattr(settings, name)
        if path and not os.access(path, os.R_OK):
            yield Error(
                f"{name} is {path!r}, which cannot be read.",
                hint="Write the path of a PEM file that the service may read.",
                id="pbem.E020",
            )
    for name in ("DOOR_LISTEN", "WEB_LISTEN"):
        host, _, port = getattr(settings, name).rpartition(":")
        if not (host and port.isdigit()):
            yield Error(
                f"{name} is {getattr(settings, name)!r}",
                hint="Write HOST:PORT, for instance 127.0.0.1:2525.",
                id="pbem.E003",
            )
    try:
        sender_for(settings.EMAIL_URL)
    except ValueError as mistake:
        yield Error(f"EMAIL_URL: {mistake}", hint=_EMAIL_HINT, id="pbem.E005")
    except OSError as mistake:  # ssl.SSLError is one
        yield Error(
            f"EMAIL_CERTIFICATES is {settings.EMAIL_CERTIFICATES!r}: {mistake}",
            hint="Name a file of certificates that begin with -----BEGIN CERTIFICATE-----, or leave it out.",
            id="pbem.E007",
        )
    if settings.LETTERS_AT_ONCE < 1:
        yield Error(
            f"LETTERS_AT_ONCE is {settings.LETTERS_AT_ONCE}: no letter could leave.",
            hint="Write 1 or more, or leave it out: 4 suits everybody.",
            id="pbem.E008",
        )
    if settings.LEASE_SECONDS <= 0 or _shortest_pause() <= 0:
        yield Error(
            "LEASE_SECONDS, BACK_OFF_MINUTES or SLOW_DOWN_SECONDS says not to wait at all.",
            hint="Write more than nothing, or leave them out.",
            id="pbem.E006",
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
    if settings.STRANGERS_PER_HOUR < 1:
        yield Error(
            f"STRANGERS_PER_HOUR is {settings.STRANGERS_PER_HOUR}: nobody could sign up.",
            hint="Write how many letters an hour your machine can bear, or leave it out: 1000.",
            id="pbem.E031",
        )
    if settings.LANGUAGE_CODE not in dict(settings.LANGUAGES):
        yield Error(
            f"LANGUAGE_CODE is {settings.LANGUAGE_CODE!r}",
            hint=f"Write one of {', '.join(dict(settings.LANGUAGES))}.",
            id="pbem.E004",
        )


def _shortest_pause() -> float:
    return min(min(pauses, default=0) for pauses in (settings.BACK_OFF_MINUTES, settings.SLOW_DOWN_SECONDS))


def _unsafe() -> Iterator[Error]:
    if settings.DEBUG:
        yield Error(
            "DEBUG shows strangers how the service works inside.", hint="Unset DEBUG.", id="pbem.E009"
        )
    if settings.EMAIL_URL.startswith("file:"):
        yield Error(
            "EMAIL_URL writes letters to a folder: nobody would get them.", hint=_EMAIL_HINT, id="pbem.E014"
        )
    relay = urlsplit(settings.EMAIL_URL)
    if relay.scheme == "smtp" and relay.password and relay.hostname not in LOOPBACK:
        yield Error(
            "EMAIL_URL sends the password for everybody to read.",
            hint="Write smtps:// or smtp+starttls:// in place of smtp://.",
            id="pbem.E016",
        )
    if settings.LEASE_SECONDS < SLOW_RELAY:
        yield Error(
            f"LEASE_SECONDS is {settings.LEASE_SECONDS}: a slow mail server would get letters twice.",
            hint=f"Set LEASE_SECONDS to {SLOW_RELAY} or more, or leave it out.",
            id="pbem.E015",
        )
    if settings.SECRET_KEY == settings.INSECURE_SECRET_KEY:
        yield Error(
            "SECRET_KEY is empty, or the one that everybody can read in the source.",
            hint=f"Set SECRET_KEY to a long random text, or DEVELOPMENT=1 on your own machine. {_RANDOM}",
            id="pbem.E010",
        )
    if settings.MAIL_TOKEN_KEYS == settings.INSECURE_MAIL_TOKEN_KEYS:
        yield Error(
            "MAIL_TOKEN_KEYS is the one that everybody can read in the source.",
            hint=_KEYRING_HINT,
            id="pbem.E011",
        )
    if settings.MAIL_DOMAIN.endswith("localhost"):
        yield Error(
            f"MAIL_DOMAIN is {settings.MAIL_DOMAIN!r}: nobody could answer a letter.",
            hint="Set MAIL_DOMAIN to the domain whose mail reaches the door.",
            id="pbem.E012",
        )


_DEAF = Error(
    "CELERY_BROKER_URL is memory://, which rings no bell in another process.",
    hint="Set CELERY_BROKER_URL=redis://..., or run everything in one process: manage.py serve.",
    id="pbem.E013",
)
_DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
_EMAIL_HINT = "Write smtp://, smtp+starttls:// or smtps://USER:PASSWORD@HOST:PORT, or file:///FOLDER."
_IMAP_HINT = "Write imaps:// or imap+starttls://USER:PASSWORD@HOST/FOLDER."
_RANDOM = "python -c 'import secrets; print(secrets.token_hex(32))' prints one."
_KEYRING_HINT = (
    f"Write ID:64 hexadecimal digits, the highest ID seals; separate several with commas. {_RANDOM}"
)
