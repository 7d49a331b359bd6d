"""Records what is done at the desk: the columns of a row before and after."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.utils.text import capfirst

from pbem.admin.models import AuditEntry
from pbem.outbox.data_export import columns

Seen = Mapping[str, Any]


def seen(row: models.Model, but: Collection[str] = ()) -> Seen:
    """Returns the columns that the desk may show: no bytes, secrets, deferred columns, or those in `but`."""
    return columns(row, but)


def note(
    row: models.Model,
    *,
    who: str,
    verb: str,
    said: str,
    before: Seen,
    after: Seen,
    now: datetime,
    reason: str = "",
) -> AuditEntry:
    """Records an entry with the columns that differ; a column missing on one side did not exist there."""
    changed = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return AuditEntry.objects.create(
        happened_at=now,
        who=who,
        verb=verb,
        said=said[:200],
        kind=row._meta.label_lower,
        row=row.pk,
        named=str(row)[:200],
        reason=reason,
        before={name: before[name] for name in changed if name in before},
        after={name: after[name] for name in changed if name in after},
    )


def changes(entry: AuditEntry, model: type[models.Model]) -> list[tuple[str, Any, Any]]:
    """Returns what an entry changed: (label, before, after) for each column."""
    names = sorted({**entry.before, **entry.after})
    return [(_called(model, name), entry.before.get(name), entry.after.get(name)) for name in names]


def _called(model: type[models.Model], name: str) -> str:
    try:
        field = model._meta.get_field(name.removesuffix("_id"))
    except FieldDoesNotExist:
        return capfirst(name)
    return capfirst(str(getattr(field, "verbose_name", name)))
