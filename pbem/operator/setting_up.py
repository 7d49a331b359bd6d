"""The settings file: parsed, written from a few answers, checked for unreadable and unknown names."""

from __future__ import annotations

import importlib
import os
import pwd
import re
import secrets
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from environs.exceptions import EnvError

from pbem.operator.problem import Problem

# The file, as systemd reads it (EnvironmentFile=): one setting on a line, and nothing is executed

USUAL = "/etc/pbem.env"
USUAL_USER = "pbem"
CREDENTIAL = "pbem.env"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PLAIN = re.compile(r"[^\s\"'\\#;`$][^\"'\\`$\n]*(?<!\s)|")
_TO_ESCAPE = re.compile(r"([\"\\`$])")
_IN_QUOTES = re.compile(r"\\([\"\\`$])")


@dataclass(frozen=True)
class Setting:
    line: int
    name: str
    value: str


@dataclass(frozen=True)
class Unread:
    """A line that systemd ignores as well."""

    line: int
    text: str


LOADED: list[Setting | Unread] = []  # by root, before this process became a user without access to the file


def where(environ: Mapping[str, str]) -> Path:
    """Returns the path: systemd's credential (LoadCredential=), else PBEM_ENV, else the usual one."""
    credential = Path(environ.get("CREDENTIALS_DIRECTORY", "/nowhere")) / CREDENTIAL
    if "PBEM_ENV" not in environ and os.access(credential, os.R_OK):
        return credential
    return Path(environ.get("PBEM_ENV") or USUAL)


def read(text: str) -> Iterator[Setting | Unread]:
    number = 1
    for line in text.replace("\r\n", "\n").replace("\\\n", "\0").split("\n"):
        said = line.strip()
        if said and said[0] not in "#;":
            yield _read(number, said.replace("\0", ""))
        number += 1 + line.count("\0")


def _read(number: int, line: str) -> Setting | Unread:
    name, equals, value = line.partition("=")
    name, value = name.strip(), value.strip()
    if not (equals and _NAME.fullmatch(name)):
        return Unread(number, name)
    return Setting(number, name, _value(value))


def _value(text: str) -> str:
    if text[:1] == "'" and (end := text.find("'", 1)) > 0:
        return text[1:end]
    if text[:1] == '"' and (quoted := re.match(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL)):
        return _IN_QUOTES.sub(r"\1", quoted[1])
    return _ESCAPED.sub(r"\1", text)


def written(name: str, value: str) -> str:
    """Returns the line that reads as this value, here and in systemd."""
    if _PLAIN.fullmatch(value):
        return f"{name}={value}"
    escaped = _TO_ESCAPE.sub(r"\\\1", value)
    return f'{name}="{escaped}"'


DOORS = ("lmtp", "smtp", "pipe", "webhook")  # or an imaps:// URL
ALONE = "sqlite"
# The next step for each door; `pbem samples DIR` brings the files
NEXT = {
    "lmtp": "Give Postfix the lines of postfix/main.cf.",
    "smtp": "Let the unit listen on port 25 (systemd/port25.conf), and name a certificate in SMTP_CERTIFICATE.",
    "pipe": "Give Postfix the lines of postfix/pipe.main.cf and postfix/pipe.master.cf.",
    "webhook": "Tell your provider the address of its webhook (mail-in.md), with ANYMAIL_WEBHOOK_SECRET in it.",
}
_HEAD = """\
# The settings of PBeM; SETTINGS.md in its samples explains them all. `pbem doctor` says what is wrong with them.
# Keep a copy apart from the backups: without MAIL_TOKEN_KEYS no answer to an older letter is known.
"""


@dataclass(frozen=True)
class Answers:
    """The answers: `door` is one of DOORS or a mailbox URL, `database` "sqlite" or a PostgreSQL URL."""

    domain: str
    relay: str
    door: str
    database: str
    organiser: str
    var: Path
    broker: str = ""
    site: str = ""

    def mistakes(self) -> Iterator[str]:
        """Yields mistakes that the doctor cannot find later, and answers that contradict each other."""
        if self.door not in DOORS and "://" not in self.door:
            yield f"The door is {', '.join(DOORS)}, or imaps://USER:PASSWORD@HOST/INBOX."
        if "." not in self.domain or "@" in self.domain or "/" in self.domain:
            yield "The domain is what comes after the @ of play@, for instance play.example.org."
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
            yield "SMTP_LISTEN", "0.0.0.0:25"
        elif self.door == "lmtp":
            yield "SMTP_PROTOCOL", "lmtp"
        elif self.door == "webhook":
            yield "ANYMAIL_WEBHOOK_SECRET", f"pbem:{secrets.token_hex(16)}"
        elif self.door not in DOORS:
            yield "IMAP_URL", self.door


def write(file: Path, answers: Answers, *, owner: str) -> None:
    """Writes a new file. Raises FileExistsError and other OSErrors. Behind a pipe `owner` may read it."""
    piped = answers.door == "pipe"
    settings = [*answers.settings(), *([("PBEM_USER", owner)] if owner != USUAL_USER else [])]
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(_HEAD + "\n".join(written(*each) for each in settings) + "\n")
    if piped and os.geteuid() == 0:
        shutil.chown(file, group=pwd.getpwnam(owner).pw_gid)
        file.chmod(0o640)


def make_var(var: Path, *, owner: str) -> None:
    """Makes the folder VAR. Raises OSError, LookupError."""
    var.mkdir(parents=True, exist_ok=True, mode=0o750)
    if os.geteuid() == 0:
        shutil.chown(var, owner, pwd.getpwnam(owner).pw_gid)


# Values that cannot be read, and unknown names

OURS = frozenset({"PBEM_ENV", "PBEM_USER"})
# Variables of Python, gunicorn and libraries, which may stand in the file
OTHERS = re.compile(
    r"PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|PYTHON\w*|DJANGO_\w+|CELERY_\w+|GUNICORN_\w+|WEB_CONCURRENCY|SSL_CERT_\w+"
    r"|PG[A-Z]+|\w+_proxy|\w+_PROXY|ANYMAIL_\w+|MALLOC_\w+"
)
_NAMED = re.compile(r'variable "(\w+)" (?:invalid: |must )?(.*)', re.DOTALL)
REFUSED: list[Problem] = []  # what was removed from the environment, for the doctor
_PUNCTUATION = re.compile(r"[\[\]{}'\"]|\d+: ")
_HINT = "Write it as deploy/SETTINGS.md says, or leave it out."


def refused() -> list[Problem]:
    """Returns the settings with unreadable values, and removes them from the environment of this process."""
    found: list[Problem] = []
    while (trouble := _trouble()) is not None:
        problem = _named(trouble) or _found_out(trouble)
        if problem is None:
            raise trouble
        os.environ.pop(problem.setting)
        found.append(problem)
    return found


def _trouble() -> Exception | None:
    module = os.environ.get("DJANGO_SETTINGS_MODULE", "pbem.settings")
    if module in sys.modules:
        return None
    try:
        importlib.import_module(module)
    except (EnvError, ValueError, TypeError) as trouble:
        return trouble
    return None


def _named(trouble: Exception) -> Problem | None:
    named = _NAMED.search(str(trouble)) if isinstance(trouble, EnvError) else None
    if named is None or named[1] not in os.environ:
        return None
    return Problem(named[1], f"{_shown(named[1])}: {_PUNCTUATION.sub('', named[2])}", _HINT)


def _found_out(trouble: Exception) -> Problem | None:
    """Returns the variable that causes this error, found by removing each in turn."""
    for name in [name for name in os.environ if name.isupper()]:
        value = os.environ.pop(name)
        gone = str(_trouble()) != str(trouble)
        os.environ[name] = value
        if gone:
            sys.modules.pop(os.environ.get("DJANGO_SETTINGS_MODULE", "pbem.settings"), None)
            return Problem(name, f"{_shown(name)} cannot be read: {trouble}.", _HINT)
    return None


def _shown(name: str) -> str:
    """Returns a value for messages, unless it may be secret."""
    return "its value" if re.search("SECRET|KEY|URL|PASSWORD", name) else repr(os.environ[name])


def unknown(in_file: Iterable[str], around: Iterable[str], known: Iterable[str]) -> Iterator[Problem]:
    """Yields unknown names: all in the file, but in the environment only those similar to a setting."""
    known, in_file = sorted(OURS.union(known)), list(in_file)
    for name in dict.fromkeys(in_file):
        if name not in known and not OTHERS.fullmatch(name):
            yield _unknown(name, get_close_matches(name.upper(), known, 1, 0.6))
        elif (
            OTHERS.fullmatch(name) and name not in known and (near := get_close_matches(name, known, 1, 0.85))
        ):
            yield _unknown(name, near)
    for name in around:
        near = get_close_matches(name.upper(), known, 1, 0.85)
        if near and name not in known and name not in in_file:
            yield _unknown(name, near)


def _unknown(name: str, near: list[str]) -> Problem:
    hint = f"Did you mean {near[0]}?" if near else "Leave it out; deploy/SETTINGS.md has all of them."
    return Problem(name, "is no setting that anything reads.", hint)
