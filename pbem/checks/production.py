"""What is right for development and would be unsafe, or in vain, outside of it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import Error

from pbem.checks.mail import EMAIL_HINT, KEYRING_HINT, RANDOM
from pbem.imap_url import LOOPBACK

SLOW_RELAY = 120  # seconds that it may take over one letter: 30 for each answer


def mistakes() -> Iterator[Error]:
    yield from _relay()
    yield from _defaults()


def _relay() -> Iterator[Error]:
    relay = urlsplit(settings.EMAIL_URL)
    if settings.EMAIL_URL.startswith("file:"):
        yield Error(
            "EMAIL_URL writes letters to a folder: nobody would get them.", hint=EMAIL_HINT, id="pbem.E014"
        )
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
