"""What the settings make of the environment: values that cannot be read, and names that nobody knows."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from environs.exceptions import EnvError

from pbem.operator.problem import Problem

OURS = frozenset({"PBEM_ENV", "PBEM_USER"})
# What else people write into such a file, for Python, gunicorn or the libraries.
OTHERS = re.compile(
    r"PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|PYTHON\w*|DJANGO_\w+|CELERY_\w+|GUNICORN_\w+|WEB_CONCURRENCY|SSL_CERT_\w+"
    r"|PG[A-Z]+|\w+_proxy|\w+_PROXY|ANYMAIL_\w+|MALLOC_\w+"
)
_NAMED = re.compile(r'variable "(\w+)" (?:invalid: |must )?(.*)', re.DOTALL)
REFUSED: list[Problem] = []  # what was taken out of the environment, for the doctor
_PUNCTUATION = re.compile(r"[\[\]{}'\"]|\d+: ")
_HINT = "Write it as deploy/SETTINGS.md says, or leave it out."


def refused() -> list[Problem]:
    """Each value that the settings cannot even read. Afterwards it is no longer in the environment of this process."""
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
    """The variable without which this trouble is gone."""
    for name in [name for name in os.environ if name.isupper()]:
        value = os.environ.pop(name)
        gone = str(_trouble()) != str(trouble)
        os.environ[name] = value
        if gone:
            sys.modules.pop(os.environ.get("DJANGO_SETTINGS_MODULE", "pbem.settings"), None)
            return Problem(name, f"{_shown(name)} cannot be read: {trouble}.", _HINT)
    return None


def _shown(name: str) -> str:
    """Whatever may be secret is not repeated."""
    return "its value" if re.search("SECRET|KEY|URL|PASSWORD", name) else repr(os.environ[name])


def unknown(in_file: Iterable[str], around: Iterable[str], known: Iterable[str]) -> Iterator[Problem]:
    """In our file every name is meant for us; around us only those that look like one of ours."""
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
