"""The service as a season drives it: signs of life, tasks, and when the next of them has something to do."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from pbem.celery import app
from pbem.inbox import services as inbox
from pbem.inbox.models import LONGEST_KEEPING
from pbem.matches.clock import outages
from pbem.matches.clock.absences import NEAR
from pbem.matches.models import Component, Heartbeat, Match
from pbem.outbox import sending as outbox
from pbem.outbox.delivery.backends import Sender
from pbem.outbox.models import OutboundMail
from pbem.queue.sql import compiled_query
from pbem.robots import services as robots
from tests.pbem.robots.conftest import in_process
from tests.season.notes import whole
from tests.season.plan import MINUTE

# Tasks that the season does by itself.
DONE = {"pbem.inbox.tasks.sweep", "pbem.outbox.tasks.sweep", "pbem.matches.tasks.beat"}
CLOCKS = ("pbem.matches.tasks.sweep", "pbem.inbox.tasks.flag_overdue")
BEAT = f"""INSERT INTO {Heartbeat._meta.db_table} (component, minute, beat_at, starts) VALUES (%s, %s, %s, false)
ON CONFLICT DO NOTHING"""
FLAGGED_AFTER = LONGEST_KEEPING + MINUTE


def prepare() -> None:
    app.loader.import_default_modules()


def beat(parts: Iterable[str], now: datetime) -> None:
    """These have lived until now, a sign of life each minute: only the last of them is ever looked at."""
    moment = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        cursor.executemany(BEAT, [(component, moment, moment) for component in parts])


def come_back(component: str, now: datetime) -> None:
    """The first sign of life after a death: the part finds out how long it was away."""
    outages.beat(Component(component), now=now)


def ring_all() -> None:
    """What the beat enqueues. Nobody enqueues anything in a transaction that is never committed."""
    connection.run_on_commit.clear()
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        if (task := str(entry["task"])) not in DONE:
            app.tasks[task]()


def ring_clocks() -> None:
    connection.run_on_commit.clear()
    for task in CLOCKS:
        app.tasks[task]()


def next_ring(now: datetime) -> datetime | None:
    """When the clocks have something to do next: the beat comes every quarter of a minute, which would take months."""
    moments = [
        (_deadline(now + NEAR - MINUTE), MINUTE - NEAR),
        (_deadline(now - FLAGGED_AFTER), FLAGGED_AFTER),
        (_pause(now), timedelta()),
        (_try(now), MINUTE),
    ]
    rings = [whole(found[0] + after) for found, after in moments if found]
    return min((ring for ring in rings if ring > now), default=None)


@compiled_query
def _deadline(after: datetime) -> QuerySet[Match, datetime | None]:
    playing = Match.objects.filter(status="playing", deadline__gt=after)
    return playing.order_by("deadline").values_list("deadline", flat=True)[:1]


@compiled_query
def _pause(after: datetime) -> QuerySet[Match, datetime | None]:
    paused = Match.objects.filter(paused_until__gt=after)
    return paused.order_by("paused_until").values_list("paused_until", flat=True)[:1]


@compiled_query
def _try(after: datetime) -> QuerySet[OutboundMail, datetime]:
    waiting = OutboundMail.objects.filter(status="waiting", next_try_at__gt=after)
    return waiting.order_by("next_try_at").values_list("next_try_at", flat=True)[:1]


@compiled_query
def _waiting(now: datetime) -> QuerySet[OutboundMail, int]:
    waiting = OutboundMail.objects.filter(status="waiting", next_try_at__lte=now)
    return waiting.order_by("next_try_at", "pk").values_list("pk", flat=True)


def open_letter(pk: int, now: datetime) -> None:
    inbox.open_mail(pk, now=now)


def think_all(now: datetime) -> int:
    """Whatever robots have to think about, without a process for each; how many thinks there were."""
    connection.run_on_commit.clear()
    return sum(robots.think(pk, now=now, ask=in_process) for pk in list(robots.due(now=now)))


def send_all(now: datetime, sender: Sender) -> None:
    """Everything that may leave now, and what comes of it: a letter that stays is tried once."""
    connection.run_on_commit.clear()
    tried: set[int] = set()
    while pks := [pk for pk in _waiting(now) if pk not in tried]:
        tried.update(pks)
        for pk in pks:
            outbox.send(pk, now=now, sender=sender)
