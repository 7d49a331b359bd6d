"""From five answers to a settings file: which settings, and with which fresh keys."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pbem.operator.settings_file import written

DOORS = ("lmtp", "smtp", "pipe", "webhook")  # or an imaps:// URL
ALONE = "sqlite"
# What else each needs; `pbem samples DIR` brings the files.
NEXT = {
    "lmtp": "Give Postfix the lines of postfix/main.cf.",
    "smtp": "Let the unit listen on port 25 (systemd/port25.conf), and name a certificate in DOOR_CERTIFICATE.",
    "pipe": "Give Postfix the lines of postfix/pipe.main.cf and postfix/pipe.master.cf.",
    "webhook": "Tell your provider the address of its webhook (mail-in.md), with ANYMAIL_WEBHOOK_SECRET in it.",
}
_HEAD = """\
# The settings of PBeM; SETTINGS.md in its samples explains them all. `pbem doctor` says what is wrong with them.
# Keep a copy apart from the backups: without MAIL_TOKEN_KEYS no answer to an older letter is known.
"""


@dataclass(frozen=True)
class Answers:
    """`door` is one of DOORS or the URL of a mailbox, `database` "sqlite" or a URL of PostgreSQL."""

    domain: str
    relay: str
    door: str
    database: str
    organiser: str
    var: Path
    broker: str = ""
    site: str = ""

    def mistakes(self) -> Iterator[str]:
        """What the doctor cannot find out later, or the answers do not fit together."""
        if self.door not in DOORS and "://" not in self.door:
            yield f"The door is {', '.join(DOORS)}, or imaps://USER:PASSWORD@HOST/INBOX."
        if "." not in self.domain or "@" in self.domain or "/" in self.domain:
            yield "The domain is what stands after the @ of play@, for instance play.example.org."
        if "@" not in self.organiser:
            yield "The first organiser is the address of a person, for instance olga@example.org."
        if self.database != ALONE and "://" not in self.database:
            yield "The database is sqlite, or postgres://USER:PASSWORD@HOST/NAME."

    def settings(self) -> Iterator[tuple[str, str]]:
        yield "SECRET_KEY", secrets.token_hex(32)
        yield "MAIL_TOKEN_KEYS", f"1:{secrets.token_hex(32)}"
        yield "MAIL_DOMAIN", self.domain
        yield "SITE_URL", self.site or f"https://{self.domain}"
        yield "ORGANISER_EMAIL", self.organiser
        yield "EMAIL_URL", self.relay
        yield "VERIFY_SENDERS", "1"
        yield from self._door()
        if self.database != ALONE:
            yield "DATABASE_URL", self.database
        if self.broker:
            yield "CELERY_BROKER_URL", self.broker
        yield "VAR", str(self.var)

    def _door(self) -> Iterator[tuple[str, str]]:
        if self.door == "smtp":
            yield "DOOR_LISTEN", "0.0.0.0:25"
        elif self.door == "lmtp":
            yield "DOOR_PROTOCOL", "lmtp"
        elif self.door == "webhook":
            yield "ANYMAIL_WEBHOOK_SECRET", f"pbem:{secrets.token_hex(16)}"
        elif self.door not in DOORS:
            yield "IMAP_URL", self.door


def write(file: Path, answers: Answers, *, owner: str) -> None:
    """A new file. Raises FileExistsError and other OSErrors. A pipe starts PBeM as its user, who must read it."""
    piped = answers.door == "pipe"
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(_HEAD + "\n".join(written(*each) for each in answers.settings()) + "\n")
    if piped and os.geteuid() == 0:
        shutil.chown(file, group=pwd.getpwnam(owner).pw_gid)
        file.chmod(0o640)


def make_var(var: Path, *, owner: str) -> None:
    """Raises OSError, LookupError."""
    var.mkdir(parents=True, exist_ok=True, mode=0o750)
    if os.geteuid() == 0:
        shutil.chown(var, owner, pwd.getpwnam(owner).pw_gid)
