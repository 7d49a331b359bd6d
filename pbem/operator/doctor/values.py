"""What the checks of the settings say, and what works but hardly as it was meant."""

from __future__ import annotations

import re
import ssl
from collections.abc import Collection, Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Tags, run_checks

from pbem.checks import check_settings
from pbem.checks.mail import RANDOM
from pbem.imap_url import LOOPBACK
from pbem.operator.problem import Problem

# What Django's own checks of a deployment are about here.
ABOUT = {
    "security.W009": ("SECRET_KEY", "is too short to be random.", RANDOM),
    "security.W018": ("DEBUG", "shows strangers how the service works inside.", "Unset DEBUG."),
    "security.W020": ("ALLOWED_HOSTS", "is empty.", "Leave it out."),
}
SAID_ONCE = {"security.W004", "security.W008", "security.W012", "security.W016"}  # by an http SITE_URL
EVERYWHERE = ("0.0.0.0", "[::]", "::", "*", "")
OF_THIS_MACHINE = (*LOOPBACK, "[::1]")


def problems(known: Collection[str]) -> Iterator[Problem]:
    deployment = (
        [] if settings.DEVELOPMENT else run_checks(tags=[Tags.security], include_deployment_checks=True)
    )
    for message in (*check_settings(None), *deployment):
        if message.id not in SAID_ONCE and not message.is_silenced():
            yield _said(message, known)
    yield from _door()
    if settings.DEVELOPMENT:
        yield from _development()
    else:
        yield from _site()
        yield from _people()


def _said(message: CheckMessage, known: Collection[str]) -> Problem:
    if message.id in ABOUT:
        return Problem(*ABOUT[message.id])
    about = next((word for word in re.findall(r"[A-Z][A-Z_]+", message.msg) if word in known), "")
    setting = about or str(message.id)
    problem = message.msg.removeprefix(setting).lstrip(": ")
    hint = message.hint or "Write it as deploy/SETTINGS.md says."
    return Problem(setting, problem if problem.endswith((".", "!")) else f"{problem}.", hint)


def _development() -> Iterator[Problem]:
    if not settings.MAIL_DOMAIN.endswith("localhost"):
        yield Problem(
            "DEVELOPMENT",
            f"1 with a real MAIL_DOMAIN ({settings.MAIL_DOMAIN}): anybody reads all letters at /letters/.",
            "Leave DEVELOPMENT out.",
        )


def _site() -> Iterator[Problem]:
    try:
        site = urlsplit(settings.SITE_URL)
    except ValueError:
        return  # named already
    hint = "Write how the web is reached from outside, for instance https://play.example.org."
    if site.hostname in OF_THIS_MACHINE:
        yield Problem(
            "SITE_URL", f"{settings.SITE_URL} is this machine: links in letters lead nowhere.", hint
        )
    elif site.scheme == "http":
        yield Problem(
            "SITE_URL",
            "is http: passwords of the admin can be read on the way, and mail programs offer no unsubscribe button.",
            "Put nginx or Caddy with a certificate in front (deploy/web.md), and write https://.",
        )
    if site.path.strip("/"):
        yield Problem("SITE_URL", f"has a path ({site.path}), which the pages do not have.", hint)
    hosts: list[str] = settings.ALLOWED_HOSTS
    if (
        site.hostname
        and "*" not in hosts
        and not any(
            site.hostname == host.lower()
            or (host.startswith(".") and f".{site.hostname}".endswith(host.lower()))
            for host in hosts
        )
    ):
        yield Problem(
            "ALLOWED_HOSTS",
            f"lacks {site.hostname}, the host of SITE_URL: every page says 400.",
            "Add it, or leave it out.",
        )
    if "*" in hosts:
        yield Problem(
            "ALLOWED_HOSTS", "* answers to names of others.", "Write your own names, or leave it out."
        )


def _people() -> Iterator[Problem]:
    if not settings.ORGANISER_EMAIL:
        yield Problem(
            "ORGANISER_EMAIL",
            "is not set: nobody hears when a player writes to the organiser.",
            "Write the address of a person.",
        )
    if not (settings.VERIFY_SENDERS or settings.AUTHSERV_IDS):
        yield Problem(
            "VERIFY_SENDERS",
            "is not 1 and AUTHSERV_IDS names nobody: no sender is confirmed, and players are always asked.",
            "Write VERIFY_SENDERS=1.",
        )
    for name in settings.AUTHSERV_IDS:
        if not re.fullmatch(r"[\w.-]+", name):
            yield Problem(
                "AUTHSERV_IDS",
                f"{name!r} is no name of a mail server.",
                "Write what stands first in Authentication-Results.",
            )


def _door() -> Iterator[Problem]:
    host = settings.DOOR_LISTEN.rpartition(":")[0]
    if settings.DOOR_LISTEN == settings.WEB_LISTEN:
        yield Problem("DOOR_LISTEN", "is the same as WEB_LISTEN.", "Each needs a port of its own.")
    if settings.DOOR_PROTOCOL == "lmtp" and host in EVERYWHERE:
        yield Problem(
            "DOOR_LISTEN",
            f"is {settings.DOOR_LISTEN} with LMTP: anybody outside could pretend to be your mail server.",
            "Write 127.0.0.1:2525, or DOOR_PROTOCOL=smtp.",
        )
    if settings.DOOR_PROTOCOL == "smtp" and host in EVERYWHERE and not settings.DOOR_CERTIFICATE:
        yield Problem(
            "DOOR_CERTIFICATE",
            "is not set, and the door faces the Internet: mail comes unencrypted.",
            "Name the file of a certificate (deploy/mail-in.md).",
        )
    if settings.DOOR_CERTIFICATE:
        yield from _certificate()


def _certificate() -> Iterator[Problem]:
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(settings.DOOR_CERTIFICATE, settings.DOOR_CERTIFICATE_KEY or None)
    except ssl.SSLError as trouble:
        yield Problem(
            "DOOR_CERTIFICATE",
            f"{settings.DOOR_CERTIFICATE} is no certificate with its key ({trouble.reason or trouble}).",
            "Name a PEM file of the certificate, and in DOOR_CERTIFICATE_KEY that of its key.",
        )
    except OSError:
        pass  # named by the checks of the settings
