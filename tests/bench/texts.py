"""`python -m tests.bench.texts N`: N letters that left, half as many that came, each with its text; a figure a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta
from time import perf_counter
from unittest.mock import patch

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

import tests.bench  # noqa: F401 - sets Django up
from pbem.inbox import tasks
from pbem.inbox.models import InboundMail
from pbem.matches.models import Event, Match, Turn
from pbem.outbox.models import OutboundMail
from tests.bench.figures import Peer, Row
from tests.bench.filling import TURNS, fill
from tests.bench.house import MOVES_LETTERS, staged

GB = 10**9
TENTH_YEAR, LONG = 10_000_000, 40  # matches, turns of each
SOME = 200  # letters that are looked up
A_NIGHT = 20_000  # rows of each kind


def main(letters: int) -> None:
    call_command("migrate", verbosity=0)
    staged(8)
    fill(letters // TURNS // len(MOVES_LETTERS), texts=True)
    connection.close()  # what was planned for empty tables is forgotten
    for row in (*_sizes(), *_sweeps(), *_partitions()):
        print(json.dumps(asdict(row)), flush=True)


def _sizes() -> Iterator[Row]:
    turns = Turn.objects.count()
    whole = texts = 0.0
    for model, column in (
        (InboundMail, "raw"), (OutboundMail, "text"), (OutboundMail, "sections"), (Turn, ""), (Event, "")
    ):  # fmt: skip
        table, count = model._meta.db_table, f"{model.objects.count():,}"
        if column != "sections":
            size = _one(f"SELECT pg_total_relation_size('{table}')") / turns / 1000
            indexes = _one(f"SELECT pg_indexes_size('{table}')") / turns / 1000
            whole += size
            yield Row(f"{table}, {count} rows: of a move", size, "KB")
            yield Row(f"{table}: its indexes", indexes, "KB")
        if column:
            text = _one(f'SELECT sum(pg_column_size("{column}")) FROM "{table}"') / turns / 1000
            texts += text
            yield Row(f"{table}.{column}: of a move, as it is compressed", text, "KB")
    yield Row("a move, all of it", whole, "KB")
    yield Row("a move, once its texts are emptied", whole - texts, "KB")
    moves = TENTH_YEAR * LONG
    yield Row(f"on paper: {TENTH_YEAR:,} matches, every text kept", moves * whole * 1000 / GB, "GB")
    a_year = moves / 10 * texts * 1000 / GB
    yield Row(
        "the same in ten years, the texts of one kept", moves * (whole - texts) * 1000 / GB + a_year, "GB"
    )


def _sweeps() -> Iterator[Row]:
    """A night after a long time, and one in which there is nothing to do."""
    now = timezone.now() + timedelta(days=400)  # all of them are old
    Match.objects.filter(status="playing").update(status="over", to_move=None)
    begin = perf_counter()
    with patch.object(tasks, "MOST", A_NIGHT):
        emptied = tasks.empty_old_mail(now=now)
    seconds = perf_counter() - begin
    yield Row(
        f"retention: {emptied:,} texts in a night, a thousand of them", seconds / emptied * 1_000_000, "ms"
    )
    InboundMail.objects.update(raw=b"")
    OutboundMail.objects.update(text="", sections=[{"kind": tasks.NO_LONGER_KEPT}], emptied_at=now)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    begin = perf_counter()
    tasks.empty_old_mail(now=now)
    yield Row("retention: a night with nothing to do", (perf_counter() - begin) * 1000, "ms")


def _partitions() -> Iterator[Row]:
    """The same letters in a table for each month: to be let go of as a whole, and to be looked for in each."""
    plain = OutboundMail._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE parted (LIKE {plain}) PARTITION BY RANGE (created_at)")
        cursor.execute(f"SELECT DISTINCT date_trunc('month', created_at) FROM {plain} ORDER BY 1")
        months = [month for (month,) in cursor.fetchall()]
        for number, month in enumerate(months):
            cursor.execute(
                f"CREATE TABLE parted_{number} PARTITION OF parted"
                f" FOR VALUES FROM ('{month}') TO (timestamptz '{month}' + interval '1 month')"
            )
        cursor.execute(f"INSERT INTO parted SELECT * FROM {plain}")
        cursor.execute("CREATE INDEX ON parted (message_id)")
        cursor.execute("ANALYZE parted")
        cursor.execute(f"SELECT message_id FROM {plain} ORDER BY random() LIMIT {SOME}")
        names = [name for (name,) in cursor.fetchall()]
    alone = Peer("in one table", _looked_up(plain, names))
    yield Row(
        f"a letter by its Message-ID, in {len(months)} months", _looked_up("parted", names), "ms", alone
    )
    with connection.cursor() as cursor:
        begin = perf_counter()
        cursor.execute(
            f"UPDATE {plain} SET text = 'x' WHERE created_at >= '{months[1]}' AND created_at < '{months[2]}'"
        )
        emptied, rows = perf_counter() - begin, cursor.rowcount
        begin = perf_counter()
        cursor.execute("DROP TABLE parted_1")
        dropped = perf_counter() - begin
    peer = Peer("its rows written anew", emptied * 1000)
    yield Row(f"a month of {rows:,} letters let go of, as a table", dropped * 1000, "ms", peer)


def _looked_up(table: str, names: list[str]) -> float:
    """Milliseconds of one."""
    begin = perf_counter()
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f"SELECT id FROM {table} WHERE message_id = %s", [name])
            cursor.fetchall()
    return (perf_counter() - begin) / len(names) * 1000


def _one(sql: str) -> float:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        [[value]] = cursor.fetchall()
        return float(value)


if __name__ == "__main__":
    main(int(sys.argv[1]))
