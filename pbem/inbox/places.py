"""Counting up to a cap in a day of UTC, so that it holds however many processes count at once."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import IntegrityError, transaction

from pbem.inbox.caps import CAPS
from pbem.inbox.models import Answered


def take_place(cap: str, whom: str, now: datetime) -> int | None:
    """One of the places of today, from 1; None when there is none left.

    1. Count: never more rows than the cap has, for no two may have one number.
    2. Take the next number. Whoever takes the same in another process waits here for our commit, then fails.
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
