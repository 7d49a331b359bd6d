"""Moves a service to another machine or database, without a new epoch, since nothing is lost."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import DatabaseError, connection, models, transaction
from django.utils.duration import duration_iso_string

from pbem.admin.backups import archive
from pbem.admin.backups.archive import Manifest, Unusable, back_up, bring_files, holds_matches, unpacked
from pbem.matches.clock import outages
from pbem.players import services
from pbem.sequences import go_on_after, last_number, numbered

# The rows as lines of JSON: every table but django_migrations. A table is its name, a line for each row, and
# its count, digest and last number. The digest is a sum, since the two databases sort text differently.

ANY, ROWS = "any", "rows.jsonl"
AT_ONCE = 500  # rows
Kind = type[models.Model]


@dataclass(frozen=True)
class Table:
    """What must be equal on both sides."""

    table: str
    columns: list[str]
    rows: int
    digest: str
    last: int


def dump(folder: Path) -> Path:
    """Writes all rows. The caller makes sure that no other process is connected, so that no move is lost."""
    path = folder / ROWS
    with path.open("w", encoding="ascii", newline="\n") as file, transaction.atomic():
        for kind in kinds():
            _write(file, {"table": kind._meta.label_lower, "columns": _columns(kind)})
            table = _counted(kind, file)
            _write(file, asdict(table))
    return path


@transaction.atomic
def load(path: Path) -> list[Table]:
    """Replaces the rows of the database, all or nothing. Raises Unusable."""
    with connection.cursor() as cursor:
        tables = [kind._meta.db_table for kind in kinds()]
        for statement in connection.ops.sql_flush(no_style(), tables):
            cursor.execute(statement)
    loaded = []
    with path.open(encoding="ascii") as file:
        for kind in kinds():
            loaded.append(_load(kind, file))
        if file.readline():
            raise Unusable("It has tables that this program does not know.")
    ContentType.objects.clear_cache()
    return loaded


def kinds() -> list[Kind]:
    """Returns one model for each table."""
    return [kind for kind in apps.get_models(include_auto_created=True) if not kind._meta.proxy]


def _load(kind: Kind, file: TextIO) -> Table:
    name = kind._meta.label_lower
    if _line(file) != {"table": name, "columns": _columns(kind)}:
        raise Unusable(f"{name} is not where or what it should be: use the same version on both machines.")
    lines = _rows(file)
    while isinstance((rows := list(islice(lines, AT_ONCE)))[-1], list):
        _insert(kind, rows)
    _insert(kind, rows[:-1])
    told = Table(**rows[-1])
    if told.last:
        go_on_after(kind, told.last)
    if (found := _counted(kind)) != told:
        raise Unusable(f"{name} reads otherwise than it was written: {found} for {told}.")
    return told


def _rows(file: TextIO) -> Iterator[Any]:
    """Yields the rows of a table, then its summary, which is a dict."""
    while isinstance(line := _line(file), list):
        yield line
    yield line


def _insert(kind: Kind, rows: list[list[Any]]) -> None:
    """Inserts rows as they are: without defaults, signals, or anything that a model computes in save()."""
    fields = _fields(kind)
    try:
        made = [
            kind(**{f.attname: f.to_python(value) for f, value in zip(fields, row, strict=True)})
            for row in rows
        ]
        if made:
            models.QuerySet(kind)._insert(made, fields=fields, raw=True, using=connection.alias)  # type: ignore[attr-defined]
    except (DatabaseError, ValidationError, ValueError) as trouble:
        first, last = rows[0][0], rows[-1][0]
        raise Unusable(f"{kind._meta.label_lower} {first} to {last}: {str(trouble).strip()}") from trouble


def _counted(kind: Kind, file: TextIO | None = None) -> Table:
    """Summarises the rows of a table in the database, and writes them to `file`."""
    fields, count, total = _fields(kind), 0, 0
    rows: Any = models.QuerySet(kind).order_by("pk").values_list(*[field.attname for field in fields])
    for row in rows.iterator(AT_ONCE):
        line = _dumped([_told(field, value) for field, value in zip(fields, row, strict=True)])
        total += int.from_bytes(hashlib.sha256(line.encode()).digest())
        count += 1
        if file:
            file.write(f"{line}\n")
    last = last_number(kind) if list(numbered([kind])) else 0
    digest = f"{total % 2**256:064x}"
    return Table(kind._meta.label_lower, _columns(kind), count, digest, last)


def _told(field: models.Field[Any, Any], value: Any) -> Any:
    match value:
        case _ if isinstance(field, models.JSONField):
            return value
        case bytes() | memoryview():
            return b64encode(value).decode()
        case datetime():
            return value.astimezone(UTC).isoformat()
        case date() | time():
            return value.isoformat()
        case timedelta():
            return duration_iso_string(value)
    return value


def _fields(kind: Kind) -> list[models.Field[Any, Any]]:
    return [field for field in kind._meta.concrete_fields if not field.generated]


def _columns(kind: Kind) -> list[str]:
    return [str(field.column) for field in _fields(kind)]


def _line(file: TextIO) -> Any:
    line = file.readline()
    if not line.endswith("\n"):
        raise Unusable(f"{ROWS} ends before its time.")
    return json.loads(line)


def _write(file: TextIO, value: Any) -> None:
    file.write(f"{_dumped(value)}\n")


def _dumped(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def move_out(target: Path, now: datetime) -> Path:
    """Writes the archive of a move, with no other process connected. Raises Unusable."""
    _alone()
    return back_up(target, now, dump=dump, kind=ANY)


def move_in(path: Path, *, force: bool = False) -> tuple[Manifest, Sequence[Table]]:
    """Loads the archive of a move. Raises Unusable; the database is then unchanged."""
    with TemporaryDirectory(prefix="pbem-") as name:
        folder = Path(name)
        manifest = unpacked(path, folder)
        manifest.check(folder, ANY)
        if not force and holds_matches():
            raise Unusable("The database holds matches. With --force they are replaced by those of the file.")
        _alone()
        tables = load(folder / ROWS)
        bring_files(folder / "var")
    services.forget()
    outages.forget()
    return manifest, tables


def _alone() -> None:
    if archive.others():
        raise Unusable("Something is connected to the database: stop the service first.")
