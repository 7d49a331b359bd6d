"""How mail comes and goes: addresses, servers, accounts, keys."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from ipaddress import ip_address

from django.conf import settings
from django.core.checks import Error

from pbem.bind import address_of
from pbem.imap_url import Account
from pbem.outbox.delivery.sender import sender_for
from pbem.players.tokens import Keyring

_DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
_SEPARATORS = "+-=_."
MOST_PORT = 65_535
LONGEST_NAME = 100  # characters
EMAIL_HINT = "Write smtp://, smtp+starttls:// or smtps://USER:PASSWORD@HOST:PORT, or file:///FOLDER."
_IMAP_HINT = "Write imaps:// or imap+starttls://USER:PASSWORD@HOST/FOLDER."
RANDOM = "python -c 'import secrets; print(secrets.token_hex(32))' prints one."
KEYRING_HINT = f"Write ID:64 hexadecimal digits, the highest ID seals; separate several with commas. {RANDOM}"


def mistakes() -> Iterator[Error]:
    yield from _keyring()
    yield from _organiser()
    yield from _domain()
    yield from _door()
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
    """Letters to the organiser would come to the program, which writes to the organiser about it."""
    if settings.ORGANISER_EMAIL and not re.fullmatch(r"[^@\s]+@[^@\s]+", settings.ORGANISER_EMAIL):
        yield Error(
            f"ORGANISER_EMAIL is {settings.ORGANISER_EMAIL!r}",
            hint="Write one address, without a name.",
            id="pbem.E050",
        )
    if not settings.ORGANISER_NAME.isprintable() or len(settings.ORGANISER_NAME) > LONGEST_NAME:
        yield Error(
            f"ORGANISER_NAME is {settings.ORGANISER_NAME!r}",
            hint=f"Write a name in one line, of {LONGEST_NAME} characters at most: it stands below every letter.",
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
            f"MAIL_DOMAIN is {settings.MAIL_DOMAIN!r}, which is no domain.",
            hint="Write what stands after the @ of play@, for instance play.example.org.",
            id="pbem.E062",
        )
    if len(settings.MAIL_SEPARATOR) != 1 or settings.MAIL_SEPARATOR not in _SEPARATORS:
        yield Error(
            f"MAIL_SEPARATOR is {settings.MAIL_SEPARATOR!r}",
            hint=f"Write one of {' '.join(_SEPARATORS)}, or leave it out: +.",
            id="pbem.E066",
        )


def _door() -> Iterator[Error]:
    if settings.DOOR_PROTOCOL not in ("smtp", "lmtp"):
        yield Error(
            f"DOOR_PROTOCOL is {settings.DOOR_PROTOCOL!r}", hint="Write smtp or lmtp.", id="pbem.E002"
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
                yield Error(
                    "IMAP_URL sends the password for everybody to read.", hint=_IMAP_HINT, id="pbem.E022"
                )
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
    except OSError as mistake:  # ssl.SSLError is one
        yield Error(
            f"EMAIL_CERTIFICATES is {settings.EMAIL_CERTIFICATES!r}: {mistake}",
            hint="Name a file of certificates that begin with -----BEGIN CERTIFICATE-----, or leave it out.",
            id="pbem.E007",
        )


def _who_is_believed() -> Iterator[Error]:
    if settings.TRUST_LOCAL_SENDERS and (settings.AUTHSERV_IDS or settings.VERIFY_SENDERS):
        yield Error(
            "TRUST_LOCAL_SENDERS believes every From, and AUTHSERV_IDS or VERIFY_SENDERS says who else is asked.",
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
