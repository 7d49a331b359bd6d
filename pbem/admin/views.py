"""The health of the service over HTTP: for monitoring, Prometheus and programs."""

from __future__ import annotations

import logging
import shutil
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from time import monotonic

from django.conf import settings
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare

from pbem.admin.health import health
from pbem.admin.people.sign_in import client_address
from pbem.inbox.models import InboundMail
from pbem.inbox.transports.store import MEBIBYTE
from pbem.matches.models import Heartbeat, Match
from pbem.network import LOOPBACK
from pbem.outbox.delivery.status_codes import reply_class_of
from pbem.outbox.models import OutboundMail

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
