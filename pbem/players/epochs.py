"""The epoch of the records: 0, and another one after each restore from a backup.

What was written in the time that a restore has undone lives on in mailboxes. Reply addresses and Message-IDs say
which epoch they are of, so that an answer to a lost letter is never taken for one to a letter of now.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import monotonic

from django.db.models import BigIntegerField, Q, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from pbem.players.models import Restore
from pbem.players.tokens import DAY_ZERO

FRESH = 10.0  # seconds that a process may go on with an old epoch: what it makes then is asked about, not believed
CAREFUL = timedelta(hours=48)
_ZERO = datetime(DAY_ZERO.year, DAY_ZERO.month, DAY_ZERO.day, tzinfo=UTC)


class _Known:
    """What this process last read, and when."""

    epoch = 0
    until = float("-inf")


def to_write_with() -> int:
    """For addresses and Message-IDs that are made now: no question to the database for each of them."""
    if monotonic() >= _Known.until:
        _Known.epoch, _Known.until = next(iter(_numbers()), 0), monotonic() + FRESH
    return _Known.epoch


def forget() -> None:
    """The rows are others than a moment ago."""
    _Known.until = float("-inf")


def at(moment: datetime | Combinable) -> Combinable:
    """The epoch of a moment, as a column of a query that is made anyway: by it addresses are judged."""
    newest = Restore.objects.filter(_begun_by(moment)).order_by("-number").values("number")[:1]
    return Coalesce(newest, Value(0), output_field=BigIntegerField())


def known(moment: datetime) -> tuple[int, ...]:
    """All epochs that what arrived then is judged by, the newest first."""
    return *_numbers(_begun_by(moment)), 0


def restored_recently(now: datetime) -> bool:
    """Then letters that were written in the lost time are still coming in."""
    return Restore.objects.filter(_begun_by(now), restored_at__gt=now - CAREFUL).exists()


def number_of(now: datetime) -> int:
    """Of an epoch that begins now, after all that are known."""
    return max(int((now - _ZERO).total_seconds()), next(iter(_numbers()), 0) + 1)


def _begun_by(moment: datetime | Combinable) -> Q:
    """Of what arrived in the lost time the rows know only what waited elsewhere, and came after the restore: it may
    answer a letter that is lost."""
    return Q(since__lt=moment) | Q(restored_at__lte=moment)


def _numbers(*filters: Q) -> QuerySet[Restore, int]:
    return Restore.objects.filter(*filters).order_by("-number").values_list("number", flat=True)
