"""When a letter is tried again: 1, 5, 15, 60 minutes, then every four hours, for five days."""

from __future__ import annotations

import random
from datetime import timedelta

from django.conf import settings

from pbem.outbox.delivery.status_codes import Then

BACK_OFF = [timedelta(minutes=m) for m in settings.BACK_OFF_MINUTES]
MOST_ATTEMPTS = 34  # with pauses of up to four hours: five days
MOST_FAILURES = 3  # of our own program; more would not help
MOST_COPIES = 3  # of a letter whose reply is lost each time: its reader may have them all
JITTER = 0.2  # so that letters that were refused together do not come back together


def pause_after(attempts: int, then: Then) -> timedelta:
    """After so many attempts, from 1. Who waits long begins with the longest pause."""
    step = len(BACK_OFF) if then is Then.WAITS_LONG else min(attempts, len(BACK_OFF))
    return BACK_OFF[step - 1] * random.uniform(1 - JITTER, 1 + JITTER)
