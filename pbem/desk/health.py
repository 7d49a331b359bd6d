"""Whether the service is well: a few numbers, each with the most that it should be, for desk, shell and monitoring."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import EmptyResultSet
from django.db import connections, models
from django.db.models import Exists
from django.utils.translation import gettext_lazy as _

from pbem.analysis.models import Study
from pbem.inbox.models import InboundMail
from pbem.inbox.time_forfeits import without_question
from pbem.inbox.transports.store import MEBIBYTE
from pbem.matches.clock.outages import GAP, GAPS, GIVEN_UP, LATE, SWEEPS
from pbem.matches.models import Component, Heartbeat, Match, Sweep
from pbem.outbox.delivery.throttling import RELAY, SlowDomain
from pbem.outbox.models import OutboundMail
from pbem.robots.models import Think

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


# Small answers from several querysets in one question: the first value of each, or how many rows it
# has.

Rows = models.QuerySet[Any, Any]


@dataclass(frozen=True)
class First:
    """Of a queryset of one column; None where it has no row."""

    rows: Rows


@dataclass(frozen=True)
class Size:
    """Counted no further than `most`."""

    rows: Rows
    most: int


def scalars(asked: Sequence[First | Size | None]) -> list[Any]:
    """An answer to each, in their order."""
    parts, values, places = list[str](), list[Any](), list[tuple[int, Any]]()
    found: list[Any] = [0 if isinstance(each, Size) else None for each in asked]
    connection = next((connections[each.rows.db] for each in asked if each), None)
    for place, each in enumerate(asked):
        try:
            if isinstance(each, Size):
                sql, params = each.rows.order_by().values("pk")[: each.most].query.sql_with_params()
                parts.append(f"(SELECT count(*) FROM ({sql}) counted)")
                places.append((place, None))
            elif each:
                compiler = each.rows[:1].query.get_compiler(connection=connection)
                sql, params = compiler.as_sql()
                parts.append(f"({sql})")
                places.append((place, compiler))
            else:
                continue
        except EmptyResultSet:
            continue
        values += params
    if connection and parts:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {', '.join(parts)}", values)
            for (place, compiler), value in zip(places, cursor.fetchone(), strict=True):
                found[place] = _converted(compiler, value) if compiler else value
    return found


def _converted(compiler: Any, value: Any) -> Any:
    """As a queryset would give it."""
    converters = compiler.get_converters([compiler.select[0][0]])
    [[converted]] = compiler.apply_converters([[value]], converters)
    return converted


COUNTED = 1000  # no further: anyone who has that many need not know how many more


@dataclass(frozen=True)
class Vital:
    """`reads` makes a number of what the question `asks`, and gives None where there is nothing to measure; more than
    `most` is `trouble`."""

    name: str
    most: float
    asks: Callable[[datetime], First | Size | None]
    reads: Callable[[Any, datetime], float | None]
    trouble: StrPromise


@dataclass(frozen=True)
class Measured:
    vital: Vital
    value: float | None

    @property
    def is_ill(self) -> bool:
        return self.value is not None and self.value > self.vital.most


def health(now: datetime) -> Sequence[Measured]:
    """Each from an index, all in one question, or from the disk."""
    answers = scalars([vital.asks(now) for vital in VITALS])
    return [Measured(vital, vital.reads(answer, now)) for vital, answer in zip(VITALS, answers, strict=True)]


def _gap(component: Component) -> float:
    """In seconds; more is an outage."""
    return GAPS.get(component, GAP).total_seconds()


def _beat(component: Component) -> Callable[[datetime], First]:
    """The last sign of life of a part that is in service: there is no service without a worker."""

    def asks(now: datetime) -> First:
        beats = Heartbeat.objects.filter(component=component, beat_at__lte=now).order_by("-minute")
        last = First(beats.values_list("beat_at"))
        if component == Component.WORKER:
            return last
        newest = Heartbeat.objects.filter(pk=beats.values("pk")[:1], beat_at__gte=now - GIVEN_UP)
        return First(newest.values_list("beat_at"))

    return asks


def _sweep(now: datetime) -> First:
    """The sweep that was done the longest ago."""
    done = Sweep.objects.filter(name__in=SWEEPS).order_by("done_at")
    return First(done.values_list("done_at"))


def _unopened(now: datetime) -> First:
    return First(InboundMail.objects.unopened().order_by("received_at").values_list("received_at"))


def _leaving(now: datetime) -> First:
    """The oldest letter that nobody has asked us to keep back, and that should have been tried."""
    return First(OutboundMail.objects.due(now).order_by("next_try_at").values_list("next_try_at"))


def _flags(now: datetime) -> First:
    """The first time that is over, and that nobody has lost by yet."""
    waiting = without_question(Match.objects.overdue(now), now).order_by("deadline")
    return First(waiting.values_list("deadline"))


def _robots(now: datetime) -> First:
    """When a robot should have begun to think, or the first of its attempts that waits."""
    return First(Think.objects.waiting().filter(due_at__lte=now).order_by("due_at").values_list("due_at"))


def _studies(now: datetime) -> First:
    """When the first of those that wait should have been begun; where the day is spent, they are not due."""
    return First(Study.objects.waiting().filter(due_at__lte=now).order_by("due_at").values_list("due_at"))


def _relay(now: datetime) -> First:
    """When it took the last letter, if one waits for it."""
    waiting = OutboundMail.objects.filter(status=OutboundMail.Status.WAITING)
    return First(SlowDomain.objects.filter(Exists(waiting), domain=RELAY).values_list("since"))


def _silent(now: datetime) -> First:
    """When somebody fell silent about a letter, if they have taken none yet."""
    silent = SlowDomain.objects.filter(silent_at__isnull=False).order_by("since")
    return First(silent.values_list("since"))


def _shunted_in(now: datetime) -> Size:
    return Size(InboundMail.objects.shunted(), COUNTED)


def _shunted_out(now: datetime) -> Size:
    return Size(OutboundMail.objects.shunted(), COUNTED)


def _nothing(now: datetime) -> None:
    """What the database does not know."""


def _seconds(since: datetime | None, now: datetime) -> float | None:
    """That have gone by."""
    return None if since is None else max(0.0, (now - since).total_seconds())


def _apart(at: datetime | None, now: datetime) -> float | None:
    """A clock that was set back since has seen the future."""
    return None if at is None else abs((now - at).total_seconds())


def _many(size: int, now: datetime) -> float:
    return float(size)


def _too_little_room(_: None, now: datetime) -> float:
    """MiB that the disk lacks, of those that should stay free."""
    settings.VAR.mkdir(parents=True, exist_ok=True)
    return max(0.0, settings.DISK_RESERVE - shutil.disk_usage(settings.VAR).free // MEBIBYTE)


VITALS: Iterable[Vital] = (
    # A part writes a sign of life three times a minute, a mailbox when it was looked into. After a minute without one,
    # or five for a mailbox, no clock has run since, and nobody loses on time until it is back.
    Vital(
        "pbem_worker_silent_seconds",
        _gap(Component.WORKER),
        _beat(Component.WORKER),
        _seconds,
        _("The worker gives no sign of life: nothing is opened or sent."),
    ),
    Vital(
        "pbem_door_silent_seconds",
        _gap(Component.DOOR),
        _beat(Component.DOOR),
        _seconds,
        _("The mail door gives no sign of life: email waits outside."),
    ),
    Vital(
        "pbem_mailbox_silent_seconds",
        _gap(Component.MAILBOX),
        _beat(Component.MAILBOX),
        _seconds,
        _("The mailbox has not been checked for a while: email waits there."),
    ),
    # Though each worker lives: beat may have ended, or what it sends is not done.
    Vital(
        "pbem_sweep_oldest_seconds",
        LATE,
        _sweep,
        _apart,
        _(
            "What comes with time has not been done for a while: look whether beat and the worker of the queue "
            "“clock” run."
        ),
    ),
    # A letter is opened in a second; one that failed is tried again after ten, then after a minute.
    Vital(
        "pbem_unopened_oldest_seconds",
        900,
        _unopened,
        _seconds,
        _("An email that came has not been opened for a while."),
    ),
    Vital(
        "pbem_leaving_oldest_seconds",
        900,
        _leaving,
        _seconds,
        _("A letter that could be sent has not been tried for a while."),
    ),
    Vital(
        "pbem_relay_away_seconds",
        900,
        _relay,
        _seconds,
        _("The mail server that our letters go to accepts none, or cannot be reached."),
    ),
    Vital(
        "pbem_silent_seconds",
        900,
        _silent,
        _seconds,
        _("Letters are handed over, and nothing says whether they were accepted: look at the mail server."),
    ),
    # A minute after a deadline, or five after the service was away, nothing stands in the way of its flag.
    Vital(
        "pbem_flags_held_seconds",
        3600,
        _flags,
        _seconds,
        _(
            "Somebody's time is over, and they have not lost: what they wrote may wait in an "
            "email that cannot be opened, or a part of the service keeps stopping."
        ),
    ),
    # Somebody waits for an answer to each of these, and does not get it.
    Vital(
        "pbem_shunted_in",
        0,
        _shunted_in,
        _many,
        _("Emails that came were set aside: look at them, and open them again."),
    ),
    Vital(
        "pbem_shunted_out",
        0,
        _shunted_out,
        _many,
        _(
            "Letters that cannot be written were set aside: their readers hear nothing until you send them again."
        ),
    ),
    # Three thinks of the strongest level, one after the other, on a machine that has better things to do.
    Vital(
        "pbem_think_oldest_seconds",
        3600,
        _robots,
        _seconds,
        _("A robot has not moved for a while: look whether the worker of the queue “robots” runs."),
    ),
    # Whatever robots have to play comes first.
    Vital(
        "pbem_study_oldest_seconds",
        3600,
        _studies,
        _seconds,
        _("An analysis or a hint waits for long: look whether the worker of the queue “robots” runs."),
    ),
    Vital(
        "pbem_disk_lacks_mebibytes",
        0,
        _nothing,
        _too_little_room,
        _("The disk is nearly full: email waits outside."),
    ),
)
