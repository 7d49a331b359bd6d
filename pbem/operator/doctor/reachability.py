"""Checks the mail door and the web, from here and from outside, and what Django says of the settings."""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from collections.abc import Collection, Iterator
from contextlib import closing
from imaplib import IMAP4
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from django.conf import settings
from django.core.checks import CheckMessage, Tags, run_checks
from imap_tools import ImapToolsError

from pbem.checks import RANDOM, check_settings
from pbem.inbox.transports.imap import signed_in
from pbem.network import LOOPBACK, Account, Resolver, Unanswered, ask
from pbem.operator.doctor.database import PRIVATE, exchangers
from pbem.operator.problem import Problem

TIMEOUT = 10.0  # seconds for an answer
PORT = 25
LOGS = "Look into its log: journalctl -u 'pbem*'."


def problems() -> Iterator[Problem]:
    yield from _mailbox()
    yield from _listener()
    yield from _web()


def _mailbox() -> Iterator[Problem]:
    try:
        account = Account.parse(settings.IMAP_URL) if settings.IMAP_URL else None
    except ValueError:
        return  # named by the checks of the settings
    if account is None:
        return
    try:
        with signed_in(account):
            pass
    except (OSError, IMAP4.error, ImapToolsError) as trouble:
        yield Problem(
            "IMAP_URL",
            f"the mailbox of {account} cannot be opened: {trouble}.",
            "Are host, user, password and folder right?",
        )


def is_heard(where: str) -> bool:
    """Tells whether a server listens on HOST:PORT."""
    host, _, port = where.rpartition(":")
    try:
        with socket.create_connection((_near(host), int(port)), timeout=TIMEOUT):
            return True
    except (OSError, ValueError, OverflowError):
        return False


def _near(host: str) -> str:
    host = host.strip("[]")
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)


def _listener() -> Iterator[Problem]:
    """Checks the mail door from here, and from outside only when it listens here."""
    if not is_heard(settings.SMTP_LISTEN):
        return
    host, _, port = settings.SMTP_LISTEN.rpartition(":")
    greeting = _greeting(_near(host), int(port))
    if "PBeM" not in greeting:
        yield Problem(
            "SMTP_LISTEN",
            f"at {settings.SMTP_LISTEN} listens another program ({greeting or 'which is silent'}).",
            "Choose another port, there and in your mail server.",
        )
        return
    domain: str = settings.MAIL_DOMAIN
    if domain.rpartition(".")[2] in PRIVATE:
        return
    try:
        hosts = exchangers(domain, Resolver(ask))
    except Unanswered:
        return  # named with the other records
    for mx in hosts[:1]:
        yield from _from_outside(mx, domain)


def _greeting(host: str, port: int) -> str:
    try:
        with socket.create_connection((host, port), timeout=TIMEOUT) as line:
            line.settimeout(TIMEOUT)
            return line.recv(200).decode("ascii", "replace").strip()
    except OSError:
        return ""


def _from_outside(host: str, domain: str) -> Iterator[Problem]:
    where = f"{host}:{PORT}, where mail for {domain} comes in,"
    try:
        with closing(smtplib.SMTP(timeout=TIMEOUT)) as smtp:
            smtp.connect(host, PORT)
            smtp.ehlo(domain)
            smtp.mail("")
            code, said = smtp.rcpt(f"play@{domain}")
    except (OSError, smtplib.SMTPException) as trouble:
        yield Problem(
            "door",
            f"{where} does not answer: {trouble}.",
            f"Open port {PORT} in the firewall; is the MX record this machine?",
        )
        return
    if code >= 400:
        yield Problem(
            "door",
            f"{where} refuses play@{domain}: {code} {said.decode('utf-8', 'replace')}.",
            "Let your mail server hand this domain on to the door (deploy/mail-in.md).",
        )


def _web() -> Iterator[Problem]:
    if not is_heard(settings.WEB_LISTEN):
        return
    hint = "Let nginx or Caddy hand it on, with Host and X-Forwarded-Proto (deploy/web.md)."
    try:
        request = Request(f"{settings.SITE_URL}/health/", headers={"User-Agent": "pbem-doctor"})
        with urlopen(request, timeout=TIMEOUT) as answer:
            said = answer.read(100).decode("utf-8", "replace").strip()
    except HTTPError as answer:
        if answer.code == 503 and answer.read(100).startswith(b"ill"):
            yield Problem("service", "it says that it is ill.", "`pbem health` says why.")
            return
        said = f"{answer.code} {answer.reason}"
    except (URLError, OSError, ValueError) as trouble:
        yield Problem(
            "SITE_URL", f"{settings.SITE_URL} cannot be reached: {getattr(trouble, 'reason', trouble)}.", hint
        )
        return
    if said != "well":
        yield Problem(
            "SITE_URL", f"at {settings.SITE_URL}/health/ somebody else answers: {said[:60]!r}.", hint
        )


# Settings

# Django's deployment checks, in words of this service
ABOUT = {
    "security.W009": ("SECRET_KEY", "is too short to be random.", RANDOM),
    "security.W018": ("DEBUG", "shows strangers how the service works inside.", "Unset DEBUG."),
    "security.W020": ("ALLOWED_HOSTS", "is empty.", "Leave it out."),
}
SAID_ONCE = {"security.W004", "security.W008", "security.W012", "security.W016"}  # by an http SITE_URL
EVERYWHERE = ("0.0.0.0", "[::]", "::", "*", "")
OF_THIS_MACHINE = (*LOOPBACK, "[::1]")


def setting_problems(known: Collection[str]) -> Iterator[Problem]:
    deployment = (
        [] if settings.DEVELOPMENT else run_checks(tags=[Tags.security], include_deployment_checks=True)
    )
    for message in (*check_settings(None), *deployment):
        if message.id not in SAID_ONCE and not message.is_silenced():
            yield _said(message, known)
    yield from _listener_values()
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


def _listener_values() -> Iterator[Problem]:
    host = settings.SMTP_LISTEN.rpartition(":")[0]
    if settings.SMTP_LISTEN == settings.WEB_LISTEN:
        yield Problem("SMTP_LISTEN", "is the same as WEB_LISTEN.", "Each needs a port of its own.")
    if settings.SMTP_PROTOCOL == "lmtp" and host in EVERYWHERE:
        yield Problem(
            "SMTP_LISTEN",
            f"is {settings.SMTP_LISTEN} with LMTP: anybody outside could pretend to be your mail server.",
            "Write 127.0.0.1:2525, or SMTP_PROTOCOL=smtp.",
        )
    if settings.SMTP_PROTOCOL == "smtp" and host in EVERYWHERE and not settings.SMTP_CERTIFICATE:
        yield Problem(
            "SMTP_CERTIFICATE",
            "is not set, and the door faces the Internet: mail comes unencrypted.",
            "Name the file of a certificate (deploy/mail-in.md).",
        )
    if settings.SMTP_CERTIFICATE:
        yield from _certificate()


def _certificate() -> Iterator[Problem]:
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(settings.SMTP_CERTIFICATE, settings.SMTP_CERTIFICATE_KEY or None)
    except ssl.SSLError as trouble:
        yield Problem(
            "SMTP_CERTIFICATE",
            f"{settings.SMTP_CERTIFICATE} is no certificate with its key ({trouble.reason or trouble}).",
            "Name a PEM file of the certificate, and in SMTP_CERTIFICATE_KEY that of its key.",
        )
    except OSError:
        pass  # named by the checks of the settings
