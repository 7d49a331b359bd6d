"""Whether the service is well: a few numbers, each with the most that it should be, for desk, shell and monitoring."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from pbem.analysis.models import Study
from pbem.inbox.models import InboundMail
from pbem.inbox.time_forfeits import without_question
from pbem.inbox.transports.acceptance import MEBIBYTE
from pbem.matches.clock.heartbeat import GAP, GAPS, GIVEN_UP
from pbem.matches.models import Component, Heartbeat, Match
from pbem.outbox.delivery.throttling import RELAY, SlowDomain
from pbem.outbox.models import OutboundMail
from pbem.robots.models import Think

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Measure = Callable[[datetime], float | None]
COUNTED = 1000  # no further: whoever has that many need not know how many more


@dataclass(frozen=True)
class Vital:
    """`measure` gives None where there is nothing to measure; more than `most` is `trouble`."""

    name: str
    most: float
    measure: Measure
    trouble: StrPromise


@dataclass(frozen=True)
class Measured:
    vital: Vital
    value: float | None

    @property
    def is_ill(self) -> bool:
        return self.value is not None and self.value > self.vital.most


def health(now: datetime) -> Sequence[Measured]:
    """Each from an index, or from the disk."""
    return [Measured(vital, vital.measure(now)) for vital in VITALS]


def _silence(component: Component) -> Measure:
    """Seconds since the last sign of life of a part that is in service: there is no service without a worker."""

    def measure(now: datetime) -> float | None:
        beats = Heartbeat.objects.filter(component=component, beat_at__lte=now).order_by("-minute")
        last = beats.values_list("beat_at", flat=True).first()
        if last is None or (component != Component.WORKER and now - last > GIVEN_UP):
            return None
        return _seconds(last, now)

    return measure


def _gap(component: Component) -> float:
    """In seconds; more is an outage."""
    return GAPS.get(component, GAP).total_seconds()


def _unopened(now: datetime) -> float | None:
    letters = InboundMail.objects.unopened().order_by("received_at")
    return _seconds(letters.values_list("received_at", flat=True).first(), now)


def _leaving(now: datetime) -> float | None:
    """Seconds since the oldest letter that nobody has asked us to keep back should have been tried."""
    due = OutboundMail.objects.due(now).order_by("next_try_at")
    return _seconds(due.values_list("next_try_at", flat=True).first(), now)


def _flags(now: datetime) -> float | None:
    """Seconds since the first time that is over, and that nobody has lost by yet."""
    waiting = without_question(Match.objects.overdue(now), now).order_by("deadline")
    return _seconds(waiting.values_list("deadline", flat=True).first(), now)


def _robots(now: datetime) -> float | None:
    """Seconds since a robot should have begun to think, or since the first of its attempts that waits."""
    waiting = Think.objects.waiting().filter(due_at__lte=now).order_by("due_at")
    return _seconds(waiting.values_list("due_at", flat=True).first(), now)


def _studies(now: datetime) -> float | None:
    """Seconds since the first of those that wait should have been begun; where the day is spent, they are not due."""
    waiting = Study.objects.waiting().filter(due_at__lte=now).order_by("due_at")
    return _seconds(waiting.values_list("due_at", flat=True).first(), now)


def _relay(now: datetime) -> float | None:
    """Seconds since it took the last letter, if one waits for it."""
    if not OutboundMail.objects.filter(status=OutboundMail.Status.WAITING).exists():
        return None
    return _seconds(SlowDomain.objects.filter(domain=RELAY).values_list("since", flat=True).first(), now)


def _silent(now: datetime) -> float | None:
    """Seconds since somebody fell silent about a letter, if they have taken none yet."""
    silent = SlowDomain.objects.filter(silent_at__isnull=False).order_by("since")
    return _seconds(silent.values_list("since", flat=True).first(), now)


def _many(rows: Callable[[], QuerySet[InboundMail] | QuerySet[OutboundMail]]) -> Measure:
    return lambda now: len(rows().values_list("pk")[:COUNTED])


def _too_little_room(now: datetime) -> float:
    """MiB that the disk lacks, of those that should stay free."""
    settings.VAR.mkdir(parents=True, exist_ok=True)
    return max(0.0, settings.DISK_RESERVE - shutil.disk_usage(settings.VAR).free // MEBIBYTE)


def _seconds(since: datetime | None, now: datetime) -> float | None:
    return None if since is None else max(0.0, (now - since).total_seconds())


VITALS: Iterable[Vital] = (
    # A part writes a sign of life three times a minute, a mailbox when it was looked into. After a minute without one,
    # or five for a mailbox, no clock has run since, and nobody loses on time until it is back.
    Vital(
        "pbem_worker_silent_seconds",
        _gap(Component.WORKER),
        _silence(Component.WORKER),
        _("The worker gives no sign of life: nothing is opened or sent."),
    ),
    Vital(
        "pbem_door_silent_seconds",
        _gap(Component.DOOR),
        _silence(Component.DOOR),
        _("The mail door gives no sign of life: email waits outside."),
    ),
    Vital(
        "pbem_mailbox_silent_seconds",
        _gap(Component.MAILBOX),
        _silence(Component.MAILBOX),
        _("The mailbox has not been checked for a while: email waits there."),
    ),
    # A letter is opened in a second; one that failed is tried again after ten, then after a minute.
    Vital(
        "pbem_unopened_oldest_seconds",
        900,
        _unopened,
        _("An email that came has not been opened for a while."),
    ),
    Vital(
        "pbem_leaving_oldest_seconds",
        900,
        _leaving,
        _("A letter that could be sent has not been tried for a while."),
    ),
    Vital(
        "pbem_relay_away_seconds",
        900,
        _relay,
        _("The mail server that our letters go to accepts none, or cannot be reached."),
    ),
    Vital(
        "pbem_silent_seconds",
        900,
        _silent,
        _("Letters are handed over, and nothing says whether they were accepted: look at the mail server."),
    ),
    # A minute after a deadline, or five after the service was away, nothing stands in the way of its flag.
    Vital(
        "pbem_flags_held_seconds",
        3600,
        _flags,
        _(
            "Somebody's time is over, and they have not lost: what they wrote may wait in an "
            "email that cannot be opened, or a part of the service keeps stopping."
        ),
    ),
    # Somebody waits for an answer to each of these, and does not get it.
    Vital(
        "pbem_shunted_in",
        0,
        _many(InboundMail.objects.shunted),
        _("Emails that came were set aside: look at them, and open them again."),
    ),
    Vital(
        "pbem_shunted_out",
        0,
        _many(OutboundMail.objects.shunted),
        _(
            "Letters that cannot be written were set aside: their readers hear nothing until you send them again."
        ),
    ),
    # Three thinks of the strongest level, one after the other, on a machine that has better things to do.
    Vital(
        "pbem_think_oldest_seconds",
        3600,
        _robots,
        _("A robot has not moved for a while: look whether the worker of the queue “robots” runs."),
    ),
    # Whatever robots have to play comes first.
    Vital(
        "pbem_study_oldest_seconds",
        3600,
        _studies,
        _("An analysis or a hint waits for long: look whether the worker of the queue “robots” runs."),
    ),
    Vital(
        "pbem_disk_lacks_mebibytes",
        0,
        _too_little_room,
        _("The disk is nearly full: email waits outside."),
    ),
)
