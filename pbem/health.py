"""The health of the service: a few numbers with their limits, for the desk, the shell and monitoring."""

from __future__ import annotations

import logging
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Exists
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from pbem.analysis.models import AnalysisJob
from pbem.inbox.models import InboundMail
from pbem.inbox.time_forfeits import without_question
from pbem.inbox.transports.store import MEBIBYTE
from pbem.matches.clock.outages import GAP, GAPS, GIVEN_UP, LATE, SWEEPS
from pbem.matches.models import Component, Heartbeat, Match, Sweep
from pbem.network import LOOPBACK, client_address
from pbem.outbox.delivery.status_codes import reply_class_of
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
        _("The worker is not responding: nothing is opened or sent."),
    ),
    HealthCheck(
        "pbem_door_silent_seconds",
        _gap(Component.DOOR),
        _beat(Component.DOOR),
        _seconds,
        _("The mail server is not responding: email is waiting."),
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
            "Scheduled work has not been done for a while: check that beat and the worker of the queue "
            "“clock” run."
        ),
    ),
    # A letter is opened in a second; a failed one is retried after ten seconds, then after a minute.
    HealthCheck(
        "pbem_unopened_oldest_seconds",
        900,
        _unopened,
        _seconds,
        _("An email has not been opened for a while."),
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
            "Somebody's time is up, and they have not lost: what they wrote may wait in an email that "
            "cannot be opened, or a part of the service keeps stopping."
        ),
    ),
    # Each of these has a sender who waits for an answer.
    HealthCheck(
        "pbem_shunted_in",
        0,
        _shunted_in,
        _many,
        _("Incoming emails were set aside: look at them, and open them again."),
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
        _("A robot has not moved for a while: check that the worker of the queue “robots” runs."),
    ),
    # Robot moves come first.
    HealthCheck(
        "pbem_study_oldest_seconds",
        3600,
        _studies,
        _seconds,
        _("An analysis or hint has waited long: check that the worker of the queue “robots” runs."),
    ),
    HealthCheck(
        "pbem_disk_lacks_mebibytes",
        0,
        _nothing,
        _too_little_room,
        _("The disk is nearly full: email waits outside."),
    ),
)


# Over HTTP: for monitoring, Prometheus and programs

# Metrics in Prometheus's text format: the vitals, and the mail of the last hour

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
HOUR = timedelta(hours=1)
MOST = 5000  # the newest rows of a table, so that the time stays constant
BUCKETS = (1, 2, 5, 10, 30, 60, 300, 900)  # seconds
Sample = tuple[Mapping[str, str], float]


def exposition(now: datetime) -> str:
    return "".join(f"{line}\n" for line in _lines(now))


def _lines(now: datetime) -> Iterator[str]:
    for each in health(now):
        if each.value is not None:
            yield from _family(each.vital.name, str(each.vital.trouble), [({}, each.value)])
    yield from _family(
        "pbem_well", "1, or 0 if something is wrong.", [({}, not any(v.is_failing for v in health(now)))]
    )
    yield from _family("pbem_matches_alive", "Matches that go on.", [({}, Match.objects.alive().count())])
    yield from _family("pbem_disk_free_mebibytes", "Of the disk of VAR.", [({}, _free())])
    yield from _family("pbem_last_beat_timestamp_seconds", "When a part last gave a sign of life.", _beats())
    yield from _family("pbem_in_last_hour", "Emails that came, by verdict.", _came(now))
    yield from _family("pbem_out_last_hour", "Letters written, by status and fate.", _left(now))
    yield from _answered(now)


def _family(name: str, what: str, samples: Iterable[Sample], kind: str = "gauge") -> Iterator[str]:
    yield f"# HELP {name} {what}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        yield f"{name}{_labels(labels)} {value:g}" if value < 1e6 else f"{name}{_labels(labels)} {value:.0f}"


def _labels(labels: Mapping[str, str]) -> str:
    # The values are ours and need no escaping.
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels.items()) + "}" if labels else ""


def _free() -> int:
    return shutil.disk_usage(settings.VAR).free // MEBIBYTE if settings.VAR.exists() else 0


def _beats() -> Iterator[Sample]:
    for component in Heartbeat.objects.order_by().values_list("component", flat=True).distinct():
        last = Heartbeat.objects.filter(component=component).order_by("-minute").first()
        if last is not None:
            yield {"part": component}, last.beat_at.timestamp()


def _came(now: datetime) -> Iterator[Sample]:
    rows = InboundMail.objects.order_by("-pk").values_list("verdict", "received_at")[:MOST]
    counted = Counter(verdict or "unopened" for verdict, at in rows if now - at < HOUR)
    for verdict, count in sorted(counted.items()):
        yield {"verdict": verdict}, count


def _left(now: datetime) -> Iterator[Sample]:
    rows = OutboundMail.objects.order_by("-pk").values_list("status", "answer", "created_at")[:MOST]
    counted = Counter(
        (status, str(reply_class_of(answer) or "")) for status, answer, at in rows if now - at < HOUR
    )
    for (status, fate), count in sorted(counted.items()):
        yield {"status": status, "fate": fate}, count


def _answered(now: datetime) -> Iterator[str]:
    """Yields a histogram of the seconds from an email to its reply, over the last hour: no counter."""
    name = "pbem_accept_to_sent_seconds"
    rows = OutboundMail.objects.order_by("-pk").values_list("arrived_at", "sent_at")[:MOST]
    took = [(sent - came).total_seconds() for came, sent in rows if sent and now - sent < HOUR]
    yield f"# HELP {name} From accepting an email to handing over what it brought about, in the last hour."
    yield f"# TYPE {name} histogram"
    for most in BUCKETS:
        yield f'{name}_bucket{{le="{most}"}} {sum(seconds <= most for seconds in took)}'
    yield f'{name}_bucket{{le="+Inf"}} {len(took)}'
    yield f"{name}_sum {sum(took):.3f}"
    yield f"{name}_count {len(took)}"


log = logging.getLogger(__name__)
_LOOKING = threading.Lock()
_SEEN: dict[str, tuple[float, bool]] = {}


def healthz(request: HttpRequest) -> HttpResponse:
    """Answers 200 or 503 for outside monitoring; the details are at the desk and in `manage.py health`.

    The result is cached for HEALTH_SECONDS, so that many requests do no harm.
    """
    with _LOOKING:
        looked_at, is_failing = _SEEN.get("health", (-settings.HEALTH_SECONDS, True))
        if monotonic() - looked_at >= settings.HEALTH_SECONDS:
            is_failing = _is_ill()
            _SEEN["health"] = (monotonic(), is_failing)
    return HttpResponse(
        "ill\n" if is_failing else "well\n", content_type="text/plain", status=503 if is_failing else 200
    )


def _is_ill() -> bool:
    try:
        return any(each.is_failing for each in health(timezone.now()))
    except (DatabaseError, OSError) as trouble:
        log.error("the health of the service is not known: %s", trouble)
        return True


def metrics(request: HttpRequest) -> HttpResponse:
    """Answers Prometheus."""
    _only_for_the_operator(request)
    with translation.override("en"):
        return HttpResponse(exposition(timezone.now()), content_type=CONTENT_TYPE)


def health_json(request: HttpRequest) -> HttpResponse:
    """Answers with the output of `manage.py health` as JSON."""
    _only_for_the_operator(request)
    with translation.override("en"):
        measured = [
            {
                "name": each.vital.name,
                "value": each.value,
                "most": each.vital.most,
                "ill": each.is_failing,
                "trouble": str(each.vital.trouble) if each.is_failing else "",
            }
            for each in health(timezone.now())
        ]
    is_failing = any(each["ill"] for each in measured)
    return JsonResponse({"well": not is_failing, "vitals": measured}, status=503 if is_failing else 200)


def _only_for_the_operator(request: HttpRequest) -> None:
    """Raises Http404 except for local clients and those with METRICS_TOKEN."""
    said = request.headers.get("Authorization", "")
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    if settings.METRICS_TOKEN and constant_time_compare(said, wanted):
        return
    if client_address(request, settings.TRUSTED_PROXIES) not in (*LOOPBACK, "::/64"):
        raise Http404
