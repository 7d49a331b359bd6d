"""When digests are due: by the reader's own clock, also on the days on which it is put forward or back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from pbem.outbox.notifications.digests import next_digest
from pbem.players.models import Player


def player(**wishes: Any) -> Player:
    return Player(**({"cadence": "daily", "digest_hour": 8, "zone": "Europe/Rome"} | wishes))


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("wishes", "now", "due"),
    [
        ({}, "2026-05-04 05:59", "2026-05-04 06:00"),
        ({}, "2026-05-04 06:00", "2026-05-05 06:00"),
        ({"zone": "Asia/Tokyo"}, "2026-05-03 22:00", "2026-05-03 23:00"),
        ({"zone": "America/Los_Angeles", "digest_hour": 22}, "2026-05-04 06:00", "2026-05-05 05:00"),
        ({"cadence": "weekly", "digest_day": 0}, "2026-05-04 06:00", "2026-05-11 06:00"),
        ({"cadence": "weekly", "digest_day": 6}, "2026-05-04 06:00", "2026-05-10 06:00"),
        ({"cadence": "move"}, "2026-05-04 06:00", "2026-05-04 06:00"),
        # The clock is put forward on 29 March 2026, from 2 to 3, and back on 25 October, from 3 to 2.
        ({}, "2026-03-28 12:00", "2026-03-29 06:00"),
        ({"digest_hour": 2}, "2026-03-28 12:00", "2026-03-29 01:00"),
        ({"digest_hour": 2}, "2026-10-24 12:00", "2026-10-25 00:00"),
        ({"digest_hour": 2}, "2026-10-25 00:00", "2026-10-26 01:00"),
    ],
)
def test_the_next_moment_at_his_hour(wishes: dict[str, Any], now: str, due: str) -> None:
    assert next_digest(player(**wishes), utc(now)) == utc(due)
