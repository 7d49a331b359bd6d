"""The command `pbem NAME`: runs manage.py or a process with the settings file, as the service's user."""

from __future__ import annotations

import os
import pwd
import sys
from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import NoReturn

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line, get_commands, load_command_class
from django.db import OperationalError, ProgrammingError

from pbem.checks import refuse_unsafe_settings
from pbem.operator import setting_up

NOT_SET_UP = 78  # EX_CONFIG of sysexits.h
LATER = {"receive_mail": os.EX_TEMPFAIL}  # on any other status a mail server would bounce the letter
CELERY = ("pbem.celery_command", "-A")
# Not Django's: each replaces this process.
PROGRAMS: Mapping[str, Sequence[str]] = {
    "web": ("gunicorn", "pbem.wsgi", "--config", "python:pbem.gunicorn"),
    "worker": (*CELERY, "pbem", "worker", "--pool", "threads", "--concurrency", "2", "--queues"),
    "beat": (*CELERY, "pbem.beat", "beat"),
}
# Run as the caller: the first two write files of root.
NEEDS_NO_FILE = ("setup", "samples", "demo", "help", "--help", "--version")
NAMES_THEM_ITSELF = ("doctor",)
# What `pbem help` leaves out of our own commands, and what it lists of libraries'
OF_DEVELOPERS = ("collect_messages", "write_guide")
OF_LIBRARIES = (
    "axes_reset_username",
    "changepassword",
    "dbshell",
    "dumpdata",
    "loaddata",
    "migrate",
    "shell",
)
FORMER = {"door": "smtpd"}  # names of release 0.1, until the next one


def main() -> None:
    """The console script."""
    name = sys.argv[1] if len(sys.argv) > 1 else "help"
    _load(name)
    if name == "demo":
        os.environ.setdefault("DEVELOPMENT", "1")
    if name not in NEEDS_NO_FILE and os.geteuid() == 0:
        become(os.environ.get("PBEM_USER", setting_up.USUAL_USER))
    if name in PROGRAMS:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pbem.settings")
        _gate(name)
        _refuse(name)
        os.execv(sys.executable, [sys.executable, "-m", *PROGRAMS[name], *sys.argv[2:]])
    if sys.argv[1:] in ([], ["help"], ["--help"]):
        print(overview())
    else:
        run(sys.argv)


def overview() -> str:
    """Returns the commands of an operator, a line each."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pbem.settings")
    _gate("help")
    django.setup()
    found = get_commands()
    ours = [name for name, app in found.items() if app.startswith("pbem.") and name not in OF_DEVELOPERS]
    lines = {name: load_command_class(found[name], name).help for name in (*ours, *OF_LIBRARIES)}
    lines |= {
        "web": "Serve the pages, as gunicorn does",
        "worker": "Carry out tasks, as Celery's worker does",
        "beat": "Send the tasks that are due, as Celery's beat does",
    }
    listed = [
        f"  {name:<20} {shorten(lines[name].partition('. ')[0].rstrip('.'), 90)}" for name in sorted(lines)
    ]
    return "\n".join(["`pbem NAME --help` tells the options of one.", "", *listed])


def run(argv: list[str]) -> None:
    """Runs a command like manage.py, with errors of the settings as plain lines."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pbem.settings")
    argv = [*argv[:1], *(FORMER.get(name, name) for name in argv[1:2]), *argv[2:]]
    _gate(argv[1] if len(argv) > 1 else "help")
    try:
        execute_from_command_line(argv)
    except ImproperlyConfigured as mistake:
        sys.exit(str(mistake))
    except (OperationalError, ProgrammingError) as trouble:
        if "--traceback" in argv:
            raise
        sys.exit(f"The database cannot be used: {str(trouble).strip()}\n`pbem doctor` says more.")


def _gate(name: str) -> None:
    mistakes = setting_up.refused()
    if name in NAMES_THEM_ITSELF:
        setting_up.REFUSED.extend(mistakes)
    elif mistakes:
        _leave(name, *map(str, mistakes))


def _refuse(name: str) -> None:
    # Checked here, since gunicorn and Celery would show tracebacks.
    try:
        refuse_unsafe_settings()
    except ImproperlyConfigured as mistakes:
        _leave(name, str(mistakes))


def _load(name: str) -> None:
    """Loads the settings file over the environment, since a shell may hold outdated settings."""
    file = setting_up.where(os.environ)
    if name in NEEDS_NO_FILE:
        return
    try:
        text = file.read_text("utf-8", "replace")
    except FileNotFoundError:
        if "PBEM_ENV" in os.environ:
            _leave(name, f"{file}, which PBEM_ENV names, is not there. `pbem setup` writes it.")
        return  # in a container all settings are in the environment
    except OSError as trouble:
        _leave(name, f"{file} cannot be read: {trouble.strerror}. Run this as root, or set PBEM_ENV.")
    setting_up.LOADED.extend(setting_up.read(text))
    os.environ.update({s.name: s.value for s in setting_up.LOADED if isinstance(s, setting_up.Setting)})


def _leave(name: str, *why: str) -> NoReturn:
    print(*why, sep="\n", file=sys.stderr)
    sys.exit(LATER.get(name, NOT_SET_UP))


def become(name: str) -> None:
    """Switches to this user for the rest of the process."""
    try:
        user = pwd.getpwnam(name)
    except KeyError:
        sys.exit(f"There is no user {name}. Make it (adduser --system --group {name}), or set PBEM_USER.")
    os.initgroups(name, user.pw_gid)
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)
    os.environ.update({"HOME": user.pw_dir, "USER": name, "LOGNAME": name})
