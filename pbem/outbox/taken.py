"""Letters that the relay has taken, marked in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from django.db import connection

from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.compose import Composed


@dataclass(frozen=True)
class Taken:
    """One of them, what the relay `said`, and when."""

    row: OutboundMail
    letter: Composed
    said: str
    at: datetime


def mark(taken: Sequence[Taken]) -> None:
    """They are done with, no matter who has their leases by now."""
    by_column = (
        [(each.row.pk, each.letter.verdict) for each in taken],
        [(each.row.pk, each.said) for each in taken],
        [(each.row.pk, each.letter.text) for each in taken],
    )
    sent_at = connection.ops.adapt_datetimefield_value(max(each.at for each in taken))
    filled = [value for column in by_column for pair in column for value in pair]
    with connection.cursor() as cursor:
        cursor.execute(_statement(len(taken)), [sent_at, *filled, *(each.row.pk for each in taken)])


@cache
def _statement(count: int) -> str:
    """By hand: one statement that sets each row to another text is a page of expressions to Django."""
    named = f"CASE id{' WHEN %s THEN %s' * count} END"
    return f"""
        UPDATE {OutboundMail._meta.db_table}
        SET status = '{OutboundMail.Status.SENT}', leased_until = NULL, faulty_since = NULL, overtaken_by_id = NULL,
            failures = 0, sent_at = %s, verdict = {named}, answer = {named}, text = {named}
        WHERE id IN ({", ".join(["%s"] * count)})
    """
