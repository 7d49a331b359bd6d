"""The health of the service: a few numbers with their limits, for the desk, the shell and monitoring."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import Exists
from django.utils.translation import gettext_lazy as _

from pbem.analysis.models import AnalysisJob
from pbem.inbox.models import InboundMail
from pbem.inbox.time_forfeits import without_question
from pbem.inbox.transports.store import MEBIBYTE
from pbem.matches.clock.outages import GAP, GAPS, GIVEN_UP, LATE, SWEEPS
from pbem.matches.models import Component, Heartbeat, Match, Sweep
from pbem.outbox.models import RELAY, OutboundMail, SlowDomain
from pbem.robots.models import EngineJob

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


COUNTED = 1000  # the limit of counts


@dataclass(frozen=True)
class HealthCheck:
    """A number with its limit: `reads` computes it from the answer to `asks`, None when there is nothing to
    measure; above `most` it is `trouble`."""

    name: str
    most: float
    asks: Callable[[datetime], Any]
    reads: Callable[[Any, datetime], float | None]
    trouble: StrPromise


@dataclass(frozen=True)
class Measured:
    vital: HealthCheck
    value: float | None

    @property
    def is_failing(self) -> bool:
        return self.value is not None and self.value > self.vital.most


def health(now: datetime) -> Sequence[Measured]:
    """Measures all vitals: small queries on indexes, and the disk."""
    return [Measured(vital, vital.reads(vital.asks(now), now)) for vital in HEALTH_CHECKS]


def _gap(component: Component) -> float:
    """Returns the seconds after which silence is an outage."""
    return GAPS.get(component, GAP).total_seconds()


def _beat(component: Component) -> Callable[[datetime], datetime | None]:
    """Returns a question for a component's last beat; silent for GIVEN_UP, only the worker still counts."""

    def asks(now: datetime) -> datetime | None:
        beats = Heartbeat.objects.filter(component=component, beat_at__lte=now).order_by("-minute")
        last = beats.values_list("beat_at", flat=True).first()
        given_up = last is not None and last < now - GIVEN_UP and component != Component.WORKER
        return None if given_up else last

    return asks


def _sweep(now: datetime) -> datetime | None:
    """Asks when the sweep that is longest overdue was done."""
    done = Sweep.objects.filter(name__in=SWEEPS).order_by("done_at")
    return done.values_list("done_at", flat=True).first()


def _unopened(now: datetime) -> datetime | None:
    return (
        InboundMail.objects.unopened().order_by("received_at").values_list("received_at", flat=True).first()
    )


def _leaving(now: datetime) -> datetime | None:
    """Asks for the oldest letter that is due."""
    return OutboundMail.objects.due(now).order_by("next_try_at").values_list("next_try_at", flat=True).first()


def _flags(now: datetime) -> datetime | None:
    """Asks for the first deadline that is past and not enforced yet."""
    waiting = without_question(Match.objects.overdue(now), now).order_by("deadline")
    return waiting.values_list("deadline", flat=True).first()


def _robots(now: datetime) -> datetime | None:
    """Asks since when the first robot move or retry is due."""
    due = EngineJob.objects.waiting().filter(due_at__lte=now).order_by("due_at")
    return due.values_list("due_at", flat=True).first()


def _studies(now: datetime) -> datetime | None:
    """Asks since when the first waiting study is due; studies are not due once the day's budget is spent."""
    due = AnalysisJob.objects.waiting().filter(due_at__lte=now).order_by("due_at")
    return due.values_list("due_at", flat=True).first()


def _relay(now: datetime) -> datetime | None:
    """Asks since when the relay is backed off, if letters wait for it."""
    waiting = OutboundMail.objects.filter(status=OutboundMail.Status.WAITING)
    return SlowDomain.objects.filter(Exists(waiting), domain=RELAY).values_list("since", flat=True).first()


def _silent(now: datetime) -> datetime | None:
    """Asks since when a mail server has not answered."""
    silent = SlowDomain.objects.filter(silent_at__isnull=False).order_by("since")
    return silent.values_list("since", flat=True).first()


def _shunted_in(now: datetime) -> int:
    return InboundMail.objects.shunted().order_by()[:COUNTED].count()


def _shunted_out(now: datetime) -> int:
    return OutboundMail.objects.shunted().order_by()[:COUNTED].count()


def _nothing(now: datetime) -> None:
    """Asks nothing: the database does not know it."""


def _seconds(since: datetime | None, now: datetime) -> float | None:
    """Returns the seconds since then."""
    return None if since is None else max(0.0, (now - since).total_seconds())


def _apart(at: datetime | None, now: datetime) -> float | None:
    """Returns the seconds apart: after a clock was set back, the moment may lie in the future."""
    return None if at is None else abs((now - at).total_seconds())


def _many(size: int, now: datetime) -> float:
    return float(size)


def _too_little_room(_: None, now: datetime) -> float:
    """Returns how many MiB the disk lacks of its reserve."""
    settings.VAR.mkdir(parents=True, exist_ok=True)
    return max(0.0, settings.DISK_RESERVE - shutil.disk_usage(settings.VAR).free // MEBIBYTE)


HEALTH_CHECKS: Sequence[HealthCheck] = (
    # A component beats three times a minute, a mailbox when it is read. After a minute without a beat, five
    # for a mailbox, clocks stop and no flag falls until it is back.
    HealthCheck(
        "pbem_worker_silent_seconds",
        _gap(Component.WORKER),
        _beat(Component.WORKER),
        _seconds,
        _("The worker gives no sign of life: nothing is opened or sent."),
    ),
    HealthCheck(
        "pbem_door_silent_seconds",
        _gap(Component.DOOR),
        _beat(Component.DOOR),
        _seconds,
        _("The mail door gives no sign of life: email waits outside."),
    ),
    HealthCheck(
        "pbem_mailbox_silent_seconds",
        _gap(Component.MAILBOX),
        _beat(Component.MAILBOX),
        _seconds,
        _("The mailbox has not been checked for a while: email waits there."),
    ),
    # Workers may live while beat is down, or while its tasks are not done.
    HealthCheck(
        "pbem_sweep_oldest_seconds",
        LATE,
        _sweep,
        _apart,
        _(
            "What comes with time has not been done for a while: look whether beat and the worker of the queue "
            "“clock” run."
        ),
    ),
    # A letter is opened in a second; a failed one is retried after ten seconds, then after a minute.
    HealthCheck(
        "pbem_unopened_oldest_seconds",
        900,
        _unopened,
        _seconds,
        _("An email that came has not been opened for a while."),
    ),
    HealthCheck(
        "pbem_leaving_oldest_seconds",
        900,
        _leaving,
        _seconds,
        _("A letter that could be sent has not been tried for a while."),
    ),
    HealthCheck(
        "pbem_relay_away_seconds",
        900,
        _relay,
        _seconds,
        _("The mail server that our letters go to accepts none, or cannot be reached."),
    ),
    HealthCheck(
        "pbem_silent_seconds",
        900,
        _silent,
        _seconds,
        _("Letters are handed over, and nothing says whether they were accepted: look at the mail server."),
    ),
    # A minute after a deadline, or five after an outage, nothing delays its flag.
    HealthCheck(
        "pbem_flags_held_seconds",
        3600,
        _flags,
        _seconds,
        _(
            "Somebody's time is over, and they have not lost: what they wrote may wait in an "
            "email that cannot be opened, or a part of the service keeps stopping."
        ),
    ),
    # Each of these has a sender who waits for an answer.
    HealthCheck(
        "pbem_shunted_in",
        0,
        _shunted_in,
        _many,
        _("Emails that came were set aside: look at them, and open them again."),
    ),
    HealthCheck(
        "pbem_shunted_out",
        0,
        _shunted_out,
        _many,
        _(
            "Letters that cannot be written were set aside: their readers hear nothing until you send them again."
        ),
    ),
    # Three thinks of the strongest level in a row, on a busy machine
    HealthCheck(
        "pbem_think_oldest_seconds",
        3600,
        _robots,
        _seconds,
        _("A robot has not moved for a while: look whether the worker of the queue “robots” runs."),
    ),
    # Robot moves come first.
    HealthCheck(
        "pbem_study_oldest_seconds",
        3600,
        _studies,
        _seconds,
        _("An analysis or a hint waits for long: look whether the worker of the queue “robots” runs."),
    ),
    HealthCheck(
        "pbem_disk_lacks_mebibytes",
        0,
        _nothing,
        _too_little_room,
        _("The disk is nearly full: email waits outside."),
    ),
)
