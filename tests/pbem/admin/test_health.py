"""Whether the service is well: each number is ill for a reason, and the shell, the web and the desk all say so."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from pbem.analysis.models import AnalysisJob
from pbem.health import HEALTH_CHECKS, health
from pbem.inbox import tasks as inbox
from pbem.inbox.models import InboundMail
from pbem.matches import tasks as matches
from pbem.matches.clock.outages import GAP, GAPS, LATE, SWEEPS, beat, done
from pbem.matches.models import Component, Heartbeat, Match, Outage, Sweep
from pbem.outbox import tasks as outbox
from pbem.outbox.models import RELAY, OutboundMail, SlowDomain
from pbem.refusals import Code
from pbem.robots import tasks as robots
from pbem.robots.models import EngineJob

HOUR = timedelta(hours=1)


def ill() -> set[str]:
    return {each.vital.name.removeprefix("pbem_") for each in health(timezone.now()) if each.is_failing}


def told() -> tuple[int, str, str]:
    """Exit status and what `manage.py health` says."""
    said, cried = StringIO(), StringIO()
    try:
        call_command("health", stdout=said, stderr=cried)
    except SystemExit as leaving:
        return int(str(leaving.code)), said.getvalue(), cried.getvalue()
    return 0, said.getvalue(), cried.getvalue()


@pytest.fixture(autouse=True)
def quiet(turn_letter: OutboundMail, refused_letter: InboundMail) -> None:
    """A service that lives, where every letter has come and gone."""
    for component in Component:
        last_beat(component, timedelta())
    for name in SWEEPS:
        done(name, now=timezone.now())
    OutboundMail.objects.update(status="sent")
    InboundMail.objects.update(verdict="ok")


def last_beat(component: Component, ago: timedelta) -> None:
    Heartbeat.objects.filter(component=component).delete()
    Heartbeat.objects.create(component=component, minute=timezone.now() - ago, beat_at=timezone.now() - ago)


def letters_wait(**fields: Any) -> None:
    OutboundMail.objects.update(status="waiting", next_try_at=timezone.now() - HOUR, **fields)


def relay_is_away() -> None:
    now = timezone.now()
    letters_wait()
    SlowDomain.objects.create(domain=RELAY, since=now - HOUR, until=now + HOUR)


ILL = {
    "worker_silent_seconds": lambda settings: last_beat(Component.WORKER, HOUR),
    "door_silent_seconds": lambda settings: last_beat(Component.DOOR, HOUR),
    "mailbox_silent_seconds": lambda settings: last_beat(Component.MAILBOX, HOUR),
    "sweep_oldest_seconds": lambda settings: Sweep.objects.filter(name="clocks").update(
        done_at=timezone.now() - HOUR
    ),
    "unopened_oldest_seconds": lambda settings: InboundMail.objects.update(
        verdict="", received_at=timezone.now() - HOUR
    ),
    "leaving_oldest_seconds": lambda settings: letters_wait(),
    "relay_away_seconds": lambda settings: relay_is_away(),
    "silent_seconds": lambda settings: SlowDomain.objects.create(
        domain="example.org", since=timezone.now() - HOUR, until=timezone.now(), silent_at=timezone.now()
    ),
    "flags_held_seconds": lambda settings: Match.objects.update(deadline=timezone.now() - 1.1 * HOUR),
    "shunted_in": lambda settings: InboundMail.objects.update(verdict=Code.POISON),
    "shunted_out": lambda settings: OutboundMail.objects.update(status="failed", verdict=Code.ENGINE_ERROR),
    "think_oldest_seconds": lambda settings: EngineJob.objects.create(
        match=Match.objects.get(),
        ply=0,
        side=0,
        level=1,
        created_at=timezone.now(),
        due_at=timezone.now() - 1.1 * HOUR,
    ),
    "study_oldest_seconds": lambda settings: AnalysisJob.objects.create(
        match=Match.objects.get(),
        kind=AnalysisJob.Kind.HINT,
        ply=0,
        created_at=timezone.now(),
        due_at=timezone.now() - 1.1 * HOUR,
    ),
    "disk_lacks_mebibytes": lambda settings: setattr(settings, "DISK_RESERVE", 10**9),
}


def test_all_is_well(client: Client) -> None:
    status, said, cried = told()
    assert (status, cried, ill()) == (0, "", set())
    assert "pbem_shunted_in 0" in said.splitlines()
    assert (client.get("/health/").status_code, client.get("/health/").content) == (200, b"well\n")


@pytest.mark.parametrize("name", [vital.name.removeprefix("pbem_") for vital in HEALTH_CHECKS])
def test_each_thing_that_is_wrong_is_said_everywhere(
    name: str, client: Client, desk: Client, settings: Settings
) -> None:
    ILL[name](settings)
    [vital] = (vital for vital in HEALTH_CHECKS if vital.name == f"pbem_{name}")
    status, said, cried = told()
    assert (ill(), status, cried.strip()) == ({name}, 1, str(vital.trouble))
    assert f"pbem_{name} " in said
    assert client.get("/health/").status_code == 503
    page = desk.get("/admin/")
    assert page.context["troubles"] == [vital.trouble]
    assert "desk-trouble" in page.content.decode()


@pytest.mark.parametrize("component", Component)
def test_a_part_is_missed_as_soon_as_no_clock_runs_for_want_of_it(component: Component) -> None:
    now, gap = timezone.now(), GAPS.get(component, GAP)
    for silence, missed in ((gap, False), (gap + timedelta(seconds=1), True)):
        Heartbeat.objects.filter(component=component).delete()
        beat(component, now=now)
        assert (
            f"pbem_{component}_silent_seconds"
            in {m.vital.name for m in health(now + silence) if m.is_failing}
        ) is missed
        beat(component, now=now + silence)
        assert Outage.objects.filter(component=component).exists() is missed


def test_signs_of_life_that_are_yet_to_come_hide_nothing() -> None:
    """The machine's clock was ahead, and the part has died since."""
    last_beat(Component.WORKER, HOUR)
    Heartbeat.objects.create(
        component=Component.WORKER, minute=timezone.now() + HOUR, beat_at=timezone.now() + HOUR
    )
    assert ill() == {"worker_silent_seconds"}


def test_each_sweep_is_missed_after_eight_intervals_of_the_shipped_schedule(settings: Settings) -> None:
    names = {
        name
        for name, entry in settings.CELERY_BEAT_SCHEDULE.items()
        if entry["schedule"] == settings.SWEEP_SECONDS
    }
    assert names == set(SWEEPS)
    assert LATE == 8 * settings.SWEEP_SECONDS
    for sweep in (inbox.sweep, inbox.flag_overdue, outbox.sweep, matches.sweep, robots.sweep):
        Sweep.objects.update(done_at=timezone.now() - HOUR)
        sweep()
        [fresh] = Sweep.objects.filter(done_at__gt=timezone.now() - HOUR / 2)
        names.remove(fresh.name)
    assert not names


def test_what_was_never_done_is_missed_since_a_worker_began() -> None:
    Sweep.objects.all().delete()
    now = timezone.now()
    assert ill() == set()
    beat(Component.WORKER, now=now - timedelta(seconds=LATE + 60), starts=True)
    last_beat(Component.WORKER, timedelta())
    done("inbox", now=now)
    assert ill() == {"sweep_oldest_seconds"}


def test_a_sweep_that_was_done_in_the_future_hides_nothing() -> None:
    """The machine's clock was ahead, and beat has ended since."""
    Sweep.objects.update(done_at=timezone.now() + HOUR)
    assert ill() == {"sweep_oldest_seconds"}


def test_a_door_that_was_put_out_of_service_is_missed_for_a_week(client: Client) -> None:
    for component in (Component.DOOR, Component.WORKER):
        last_beat(component, timedelta(days=8))
    assert ill() == {"worker_silent_seconds"}


def test_whoever_asks_while_the_database_is_away_hears_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(now: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("pbem.health.health", away)
    assert client.get("/health/").status_code == 503


def test_whoever_asks_again_and_again_costs_one_look(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[object] = []

    def look(now: object) -> list[object]:
        looks.append(now)
        return []

    monkeypatch.setattr("pbem.health._SEEN", {})
    monkeypatch.setattr("pbem.health.health", look)
    settings.HEALTH_SECONDS = 60
    for _ in range(5):
        assert client.get("/health/").status_code == 200
    assert len(looks) == 1


ELSEWHERE = {"REMOTE_ADDR": "198.51.100.7"}


def test_numbers_for_prometheus_on_this_machine_or_with_the_token(settings: Settings) -> None:
    assert Client(**ELSEWHERE).get("/metrics/").status_code == 404
    assert (
        Client(HTTP_X_FORWARDED_FOR="198.51.100.7").get("/metrics/").status_code == 404
    )  # through the proxy
    assert (
        Client(**ELSEWHERE, HTTP_AUTHORIZATION="Bearer ").get("/metrics/").status_code == 404
    )  # none is set
    settings.METRICS_TOKEN = "a token"
    assert Client(**ELSEWHERE, HTTP_AUTHORIZATION="Bearer another").get("/health/json/").status_code == 404
    assert Client(**ELSEWHERE, HTTP_AUTHORIZATION="Bearer a token").get("/health/json/").status_code == 200
    answer = Client().get("/metrics/")
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    lines = answer.content.decode().splitlines()
    named = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    for line in lines:
        if line[0] != "#":
            name, value = line.rsplit(" ", 1)
            float(value)
            assert (
                name.partition("{")[0].removesuffix("_bucket").removesuffix("_sum").removesuffix("_count")
                in named
            )


def test_numbers_of_the_last_hour(settings: Settings) -> None:
    now = timezone.now()
    OutboundMail.objects.update(created_at=now, answer="250 2.0.0 queued")
    for row, seconds in zip(OutboundMail.objects.order_by("pk"), (0.5, 7, 3000), strict=False):
        OutboundMail.objects.filter(pk=row.pk).update(
            created_at=now,
            arrived_at=now - timedelta(seconds=seconds),
            sent_at=now,
            answer="250 2.0.0 queued",
        )
    InboundMail.objects.update(received_at=now)
    said = Client().get("/metrics/").content.decode().splitlines()
    written = OutboundMail.objects.count()
    assert f'pbem_in_last_hour{{verdict="ok"}} {InboundMail.objects.count()}' in said
    assert f'pbem_out_last_hour{{status="sent",fate=""}} {written}' in said
    assert 'pbem_accept_to_sent_seconds_bucket{le="1"} 1' in said
    assert f'pbem_accept_to_sent_seconds_bucket{{le="10"}} {min(written, 2)}' in said
    assert "pbem_well 1" in said


def test_what_is_wrong_as_json() -> None:
    letters_wait()
    answer = Client().get("/health/json/")
    assert answer.status_code == 503
    said = answer.json()
    assert said["well"] is False
    [ill_one] = [vital for vital in said["vitals"] if vital["ill"]]
    assert ill_one["name"] == "pbem_leaving_oldest_seconds"
    assert ill_one["trouble"] == "A letter that could be sent has not been tried for a while."
