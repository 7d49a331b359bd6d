"""The service itself, where it runs: its door and its web, from here and as others see them."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterator
from contextlib import closing
from imaplib import IMAP4
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from django.conf import settings
from imap_tools import ImapToolsError

from pbem.dns import Resolver, Unanswered, ask
from pbem.imap_url import Account
from pbem.inbox.transports.imap_login import signed_in
from pbem.operator.doctor.records import PRIVATE, exchangers
from pbem.operator.problem import Problem

PATIENCE = 10.0  # seconds for an answer
PORT = 25
LOGS = "Look into its log: journalctl -u 'pbem*'."


def problems() -> Iterator[Problem]:
    yield from _mailbox()
    yield from _door()
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
    """Whether somebody listens there."""
    host, _, port = where.rpartition(":")
    try:
        with socket.create_connection((_near(host), int(port)), timeout=PATIENCE):
            return True
    except (OSError, ValueError, OverflowError):
        return False


def _near(host: str) -> str:
    host = host.strip("[]")
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)


def _door() -> Iterator[Problem]:
    """From outside only if it listens here: before the first start nobody is to be found there."""
    if not is_heard(settings.DOOR_LISTEN):
        return
    host, _, port = settings.DOOR_LISTEN.rpartition(":")
    greeting = _greeting(_near(host), int(port))
    if "PBeM" not in greeting:
        yield Problem(
            "DOOR_LISTEN",
            f"at {settings.DOOR_LISTEN} listens another program ({greeting or 'which is silent'}).",
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
        with socket.create_connection((host, port), timeout=PATIENCE) as line:
            line.settimeout(PATIENCE)
            return line.recv(200).decode("ascii", "replace").strip()
    except OSError:
        return ""


def _from_outside(host: str, domain: str) -> Iterator[Problem]:
    where = f"{host}:{PORT}, where mail for {domain} comes in,"
    try:
        with closing(smtplib.SMTP(timeout=PATIENCE)) as smtp:
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
        with urlopen(request, timeout=PATIENCE) as answer:
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
