"""Counting up to a cap in a day of UTC, so that it holds however many processes count at once."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from django.db import IntegrityError, transaction

from pbem.inbox.models import Answered
from pbem.inbox.rate_limits.table import CAPS

KEPT = timedelta(days=1)  # a worker whose clock is behind may still count in the day before
FORGOTTEN = 500


def take_place(cap: str, whom: str, now: datetime) -> int | None:
    """One of the places of today, from 1; None when there is none left.

    1. Count: never more rows than the cap has, for no two may have one number.
    2. Take the next number. Anyone who takes the same in another process waits here for our commit, then fails.
    3. On failure try the next: the cap holds however many race.
    """
    today = Answered.objects.filter(cap=cap, whom=whom, day=now.astimezone(UTC).date())
    for number in range(today.count() + 1, CAPS[cap].most + 1):
        try:
            with transaction.atomic():
                today.create(cap=cap, whom=whom, day=now.astimezone(UTC).date(), number=number)
        except IntegrityError:
            continue
        return number
    return None


def is_full(cap: str, whom: str, now: datetime) -> bool:
    """Whether none of the places of today is left; none is taken."""
    today = Answered.objects.filter(cap=cap, whom=whom, day=now.astimezone(UTC).date())
    return today.count() >= CAPS[cap].most


def give_back(caps: Collection[str], whom: str, now: datetime) -> None:
    """All places of today are free again."""
    Answered.objects.filter(cap__in=caps, whom=whom, day=now.astimezone(UTC).date()).delete()


def forget_old_days(*, now: datetime) -> int:
    """How many places of days gone by were given up, the oldest first: never more than FORGOTTEN at a time.

    Numbers of rows grow with their days, so that no look at the whole table is needed.
    """
    oldest = Answered.objects.order_by("pk").values_list("pk", "day")[:FORGOTTEN]
    over = now.astimezone(UTC).date() - KEPT
    forgotten, _ = Answered.objects.filter(pk__in=[pk for pk, day in oldest if day < over]).delete()
    return forgotten
