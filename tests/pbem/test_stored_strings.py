"""What is stored, queued, mailed in addresses or read by other programs is called as it was: no renaming changes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from django.apps import apps

from pbem.celery import app
from pbem.outbox.notifications.kinds import FORMERLY, KINDS
from pbem.players.tokens import Purpose
from pbem.queue.failpoints import Failpoint
from pbem.refusals import Code
from tests.processes import ROOT

KEPT = Path(__file__).with_name("stored_strings.txt")


def strings() -> Iterator[str]:
    app.loader.import_default_modules()
    yield from (f"task {name}" for name in app.tasks if name.startswith("pbem."))
    yield from (f"kind {name}" for name in (*KINDS, *FORMERLY))
    yield from (f"code {code.name} {code.value}" for code in Code)
    yield from (f"purpose {purpose.value}" for purpose in Purpose)
    yield from (f"failpoint {name}" for name in get_args(Failpoint))
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "pbem").rglob("*.py"))
    yield from (f"metric {name}" for name in set(re.findall(r'"(pbem_[a-z_]+)"', sources)))
    for model in apps.get_models():
        if model.__module__.startswith("pbem."):
            yield f"table {model._meta.db_table} {model._meta.label_lower}"
            for column in model._meta.local_concrete_fields:
                for value, _ in column.flatchoices:
                    yield f"choice {model._meta.db_table}.{column.column} {value}"


def test_they_are_as_they_were() -> None:
    assert sorted(strings()) == KEPT.read_text("utf-8").splitlines()
