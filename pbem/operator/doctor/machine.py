"""The disk and the clock."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from pbem.inbox.transports.acceptance import MEBIBYTE
from pbem.operator.problem import Problem

TIMESYNC = Path("/run/systemd/timesync")
WRITTEN_IN = datetime(2026, 1, 1, tzinfo=UTC)  # no clock that is right is before this program


def problems(now: datetime) -> Iterator[Problem]:
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
