"""The settings file itself: who may read it, and what of it nobody reads."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pbem.operator.problem import Problem
from pbem.operator.settings_file import Setting, Unread


def problems(file: Path, lines: Sequence[Setting | Unread]) -> Iterator[Problem]:
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
