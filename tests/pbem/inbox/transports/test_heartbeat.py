"""The door lives: its heart beats by itself, and before the first letter after a silence."""

import threading
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep

import pytest
from django.utils import timezone
from pytest_django import Settings

from pbem.inbox.transports import smtp_server
from pbem.inbox.transports.heartbeat import HeartbeatThread
from pbem.matches.models import Component, Heartbeat, Outage
from tests.mail_fixtures import MORNING
from tests.smtp_fixtures import free_port


def test_it_beats_three_times_a_minute_however_often_it_is_asked(db: None) -> None:
    heart = HeartbeatThread(Component.DOOR)
    for second, beat in ((0, 0), (10, 0), (19, 0), (20, 20), (39, 20), (41, 41), (60, 41), (61, 61)):
        heart.beat(MORNING + timedelta(seconds=second))
        assert Heartbeat.objects.latest("beat_at").beat_at == MORNING + timedelta(seconds=beat)
    assert Heartbeat.objects.count() == 2


def test_a_door_that_opens_again_says_so_before_a_letter_is_kept(db: None) -> None:
    HeartbeatThread(Component.DOOR).beat(MORNING)
    HeartbeatThread(Component.DOOR).beat(MORNING + timedelta(hours=1))
    assert Outage.objects.get().component == Component.DOOR


@pytest.mark.django_db(transaction=True)
def test_while_it_is_open_it_beats_by_itself() -> None:
    heart = HeartbeatThread(Component.DOOR)
    with heart.beating():
        end = monotonic() + 60
        while heart._last is None and monotonic() < end:  # in memory SQLite lets nobody look while it writes
            sleep(0.02)
    assert timezone.now() - Heartbeat.objects.get(component=Component.DOOR).beat_at < timedelta(minutes=2)


@pytest.mark.django_db(transaction=True)
def test_a_door_that_hangs_gives_no_sign_of_life(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp_server, "HUNG", 0.1)
    settings.VAR = tmp_path
    controller = smtp_server.ListenerController("127.0.0.1", free_port(), "smtp")
    controller.start()
    goes_on, stop = threading.Event(), threading.Event()
    try:
        assert controller.answers()
        controller.loop.call_soon_threadsafe(goes_on.wait, 60)
        assert not controller.answers()
        once = iter([False, True])
        monkeypatch.setattr(stop, "wait", lambda seconds: next(once))
        controller.handler.heart._beat_until(stop, controller.answers)
        assert not Heartbeat.objects.exists()
        goes_on.set()
        assert controller.answers()
    finally:
        goes_on.set()
        controller.stop()
