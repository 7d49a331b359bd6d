"""Lists what is wrong with this installation, and what to do."""

from __future__ import annotations

import json
import logging
import os
import shutil
import stat
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone
from redis import Redis, RedisError

from pbem.inbox.transports.store import MEBIBYTE
from pbem.operator import setting_up
from pbem.operator.doctor import database, reachability
from pbem.operator.doctor.reachability import is_heard
from pbem.operator.problem import Problem
from pbem.operator.setting_up import LOADED, Setting, Unread, read
from pbem.outbox.delivery.backends import sender_for
from pbem.outbox.delivery.smtp import DeliveryError, RelayAway, SmtpSender
from pbem.settings import env

# Checks, in the order in which to fix the problems

# The broker

BROKER_PATIENCE = 5.0  # seconds for an answer
SCHEMES = ("redis", "rediss")
HINT = "Write redis://HOST:6379/0, or leave it out and run everything in one process (pbem serve)."


def broker_problems() -> Iterator[Problem]:
    url: str = settings.CELERY_BROKER_URL
    if url.startswith("memory:"):
        return
    try:
        if urlsplit(url).scheme not in SCHEMES:
            yield Problem("CELERY_BROKER_URL", "is no broker that is known here.", HINT)
            return
        broker = Redis.from_url(url, socket_connect_timeout=BROKER_PATIENCE, socket_timeout=BROKER_PATIENCE)
        broker.set("pbem:doctor", "was here", ex=1)
    except (RedisError, OSError, ValueError) as trouble:
        yield Problem(
            "CELERY_BROKER_URL",
            f"the broker cannot be used: {' '.join(str(trouble).split()).rstrip('.')}.",
            f"Is it running? {HINT}",
        )


# The settings file: its permissions, and lines that are not read


def file_problems(file: Path, lines: Sequence[Setting | Unread]) -> Iterator[Problem]:
    name = str(file)
    if file.exists() and file.stat().st_mode & (stat.S_IROTH | stat.S_IWOTH):
        yield Problem(name, "everybody on this machine can read the keys.", f"chmod 600 {file}")
    for line in lines:
        if isinstance(line, Unread):
            yield Problem(
                name, f"line {line.line} is no NAME=VALUE ({line.text[:40]!r}).", "Nothing reads it: mend it."
            )
    settings = [line for line in lines if isinstance(line, Setting)]
    for setting, times in Counter(line.name for line in settings).items():
        if times > 1:
            where = ", ".join(str(line.line) for line in settings if line.name == setting)
            yield Problem(setting, f"stands in lines {where}.", "The last one counts: leave one.")


# The disk and the clock

TIMESYNC = Path("/run/systemd/timesync")
WRITTEN_IN = datetime(2026, 1, 1, tzinfo=UTC)  # an earlier clock is wrong


def machine_problems(now: datetime) -> Iterator[Problem]:
    yield from _var()
    if now < WRITTEN_IN:
        yield Problem("clock", f"it says {now:%Y-%m-%d}.", "Set it: timedatectl set-ntp true.")
    elif TIMESYNC.is_dir() and not (TIMESYNC / "synchronized").exists():
        yield Problem("clock", "nobody has set it yet.", "timedatectl set-ntp true, and wait a minute.")


def _var() -> Iterator[Problem]:
    var = Path(settings.VAR)
    if not var.is_dir():
        return  # named by the checks of the settings
    free = shutil.disk_usage(var).free // MEBIBYTE
    if free < settings.DISK_RESERVE:
        yield Problem(
            "DISK_RESERVE",
            f"{settings.DISK_RESERVE} MiB of the disk of VAR must stay free, and {free} are: email waits outside.",
            "Make room (RETAIN_RAW_MAIL), or write less.",
        )
    for path in (var, *var.glob("pbem.sqlite3*")):
        if path.stat().st_uid != os.geteuid() != 0:
            yield Problem("VAR", f"{path} belongs to somebody else.", f"chown -R pbem {var}")


# The relay: greeting, encryption, password, and whether it accepts an envelope; no letter is sent

RELAY_PATIENCE = 15.0  # seconds for all of it


def relay_problems() -> Iterator[Problem]:
    try:
        sender = sender_for(settings.EMAIL_URL)
    except (ValueError, OSError):
        return  # named by the checks of the settings
    if not isinstance(sender, SmtpSender):
        return
    sender.patience = RELAY_PATIENCE
    where = f"the relay {sender.host}:{sender.port}"
    to = settings.ORGANISER_EMAIL or f"postmaster@{settings.MAIL_DOMAIN}"
    try:
        sender.would_take(f"play@{settings.MAIL_DOMAIN}", to)
    except RelayAway as away:
        yield Problem(
            "EMAIL_URL",
            f"{where} cannot be reached: {away.reply}.",
            "Is it running, are host and port right?",
        )
    except DeliveryError as refusal:
        yield Problem(
            "EMAIL_URL", f"{where} does not take our letters: {refusal.reply}.", _hint(refusal.reply)
        )


def _hint(reply: str) -> str:
    for words, hint in HINTS:
        if any(word in reply for word in words):
            return hint
    return "Its administrator knows what this answer means."


HINTS = (
    (
        ("CERTIFICATE", "Certificate"),
        "Write the name that its certificate has, or name the certificate in EMAIL_CERTIFICATES.",
    ),
    (("STARTTLS",), "Write smtps:// (port 465), or smtp:// if it is on this machine."),
    (("AUTH", "530", "534", "535", "538"), "Are USER and PASSWORD right, with %40 for @ and %2F for /?"),
    (
        ("elay", "550", "553", "554"),
        "Let it send mail of MAIL_DOMAIN from this machine, or with USER:PASSWORD.",
    ),
)


log = logging.getLogger(__name__)


def diagnose(
    *,
    path: Path,
    around: Mapping[str, str],
    known: Collection[str],
    refused: Collection[Problem],
    now: datetime,
) -> Iterator[Problem]:
    """Yields problems: `around` is the environment, `known` the settings read, `refused` those unreadable."""
    lines = LOADED or _lines(path)
    in_file = [line.name for line in lines if isinstance(line, Setting)]
    yield from file_problems(path, lines)
    yield from refused
    yield from setting_up.unknown(in_file, around, known)
    said = {problem.setting for problem in refused}  # replaced by defaults, about which nothing is reported
    for look in (
        partial(reachability.setting_problems, known),
        partial(machine_problems, now),
        database.problems,
        broker_problems,
        relay_problems,
        database.record_problems,
        reachability.problems,
    ):
        yield from (problem for problem in _seen(look) if problem.setting not in said)


def _seen(look: Callable[[], Iterator[Problem]]) -> Iterator[Problem]:
    """Runs a check; an exception becomes a problem too, so that the other checks run."""
    try:
        yield from look()
    except Exception as surprise:
        log.debug("the doctor stumbled", exc_info=True)
        yield Problem(
            "doctor",
            f"it could not see everything: {surprise!r}.",
            "LOG_LEVEL=DEBUG says where. Please report it.",
        )


def _lines(path: Path) -> list[Setting | Unread]:
    try:
        return list(read(path.read_text("utf-8", "replace")))
    except OSError:
        return []  # all settings are in the environment


class Command(BaseCommand):
    help = (
        "Check the settings and all that they name: database, broker, relay, DNS, disk, clock, mailbox; and where "
        "the service runs, its door and web from outside. One line for each problem. Exit status: 0 none, 1 some."
    )

    requires_system_checks = ()  # it runs them itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON array of setting, problem and hint")

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(
            diagnose(
                path=setting_up.where(os.environ),
                around=os.environ,
                known=sorted(env.dump()),
                refused=setting_up.REFUSED,
                now=timezone.now(),
            )
        )
        if options["json"]:
            self.stdout.write(json.dumps([asdict(problem) for problem in found], indent=2))
        else:
            for problem in found:
                self.stdout.write(str(problem))
            self._say_what_was_not_seen()
            if not found:
                self.stdout.write("Nothing is wrong.")
        if found:
            raise SystemExit(1)

    def _say_what_was_not_seen(self) -> None:
        if not (is_heard(settings.SMTP_LISTEN) or is_heard(settings.WEB_LISTEN)):
            self.stdout.write("The service does not run here: its door and web were not checked.")
