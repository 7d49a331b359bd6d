"""All that can be wrong, in the order in which one would mend it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

from pbem.operator import environment
from pbem.operator.doctor import broker, database, file, machine, reachability, records, relay, values
from pbem.operator.problem import Problem
from pbem.operator.settings_file import LOADED, Setting, Unread, read

log = logging.getLogger(__name__)


def diagnose(
    *,
    path: Path,
    around: Mapping[str, str],
    known: Collection[str],
    refused: Collection[Problem],
    now: datetime,
) -> Iterator[Problem]:
    """`around` is the environment, `known` the names that the settings read, `refused` what they could not."""
    lines = LOADED or _lines(path)
    in_file = [line.name for line in lines if isinstance(line, Setting)]
    yield from file.problems(path, lines)
    yield from refused
    yield from environment.unknown(in_file, around, known)
    said = {problem.setting for problem in refused}  # in whose place there is a default, which nobody meant
    for look in (
        partial(values.problems, known),
        partial(machine.problems, now),
        database.problems,
        broker.problems,
        relay.problems,
        records.problems,
        reachability.problems,
    ):
        yield from (problem for problem in _seen(look) if problem.setting not in said)


def _seen(look: Callable[[], Iterator[Problem]]) -> Iterator[Problem]:
    """Whatever else is odd is said in a line as well, and the others are looked at."""
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
