"""The service as a season drives it: signs of life, bells, and when the next of them has something to do."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.db.models import Min

from pbem.celery import app
from pbem.inbox import services as inbox
from pbem.inbox.models import LONGEST_KEEPING
from pbem.matches.models import Heartbeat, Match, Part
from pbem.matches.time import heartbeat
from pbem.matches.time.brink import NEAR
from pbem.outbox import services as outbox
from pbem.outbox.models import OutboundMail
from pbem.outbox.sending.sender import Sender
from tests.season.notes import whole
from tests.season.plan import MINUTE

# What the season does by itself, for each bell.
RUNG = {"pbem.inbox.tasks.sweep", "pbem.outbox.tasks.sweep", "pbem.matches.tasks.beat"}
CLOCKS = ("pbem.matches.tasks.sweep", "pbem.inbox.tasks.flag_overdue")
FLAGGED_AFTER = LONGEST_KEEPING + MINUTE


def prepare() -> None:
    app.loader.import_default_modules()


def beat(parts: Iterable[str], now: datetime) -> None:
    """These have lived until now, a sign of life each minute: only the last of them is ever looked at."""
    beats = [Heartbeat(part=Part(part), minute=now, beat_at=now) for part in parts]
    Heartbeat.objects.bulk_create(beats, ignore_conflicts=True)


def come_back(part: str, now: datetime) -> None:
    """The first sign of life after a death: the part finds out how long it was away."""
    heartbeat.beat(Part(part), now=now)


def ring_all() -> None:
    """What the beat rings for. Nobody hears the bells of a transaction that is never committed."""
    connection.run_on_commit.clear()
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        if entry["task"] not in RUNG:
            app.tasks[entry["task"]]()


def ring_clocks() -> None:
    connection.run_on_commit.clear()
    for task in CLOCKS:
        app.tasks[task]()


def next_ring(now: datetime) -> datetime | None:
    """When the clocks have something to do next: the beat rings every quarter of a minute, which would take months."""
    playing = Match.objects.filter(status=Match.Status.PLAYING)
    moments = [
        (_first(playing.filter(deadline__gt=now + NEAR - MINUTE), "deadline"), MINUTE - NEAR),
        (_first(playing.filter(deadline__gt=now - FLAGGED_AFTER), "deadline"), FLAGGED_AFTER),
        (_first(Match.objects.filter(paused_until__gt=now), "paused_until"), timedelta()),
        (_first(OutboundMail.objects.filter(status="waiting", next_try_at__gt=now), "next_try_at"), MINUTE),
    ]
    rings = [whole(moment + after) for moment, after in moments if moment]
    return min((ring for ring in rings if ring > now), default=None)


def _first(rows: object, column: str) -> datetime | None:
    found: datetime | None = rows.order_by().aggregate(first=Min(column))["first"]  # type: ignore[attr-defined]
    return found


def open_letter(pk: int, now: datetime) -> None:
    inbox.open_mail(pk, now=now)


def send_all(now: datetime, sender: Sender) -> None:
    """Everything that may leave now, and what comes of it."""
    connection.run_on_commit.clear()
    while pks := list(outbox.due(now=now)):
        for pk in pks:
            outbox.send(pk, now=now, sender=sender)
