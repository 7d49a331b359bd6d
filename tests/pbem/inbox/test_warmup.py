"""Moves are played before a worker forks, and nobody ever hears of them."""

from __future__ import annotations

import gc
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import connection
from django.utils import timezone

from pbem.inbox import warmup
from pbem.inbox.models import InboundMail
from pbem.matches.clock import outages
from pbem.matches.models import Component, Heartbeat, Match
from pbem.outbox.models import OutboundMail
from pbem.players import services
from pbem.players.models import Player, Restore

TABLES = (Player, Match, InboundMail, OutboundMail)


@pytest.fixture(autouse=True)
def thawed():
    yield
    warmup._done.clear()
    gc.unfreeze()


@pytest.mark.prove
@pytest.mark.django_db(transaction=True)
def test_nothing_of_it_is_kept_enqueued_or_sent(settings):
    settings.VERIFY_SENDERS = True  # anyone who asks name servers here is refused by the tests
    before, verdicts = connection.connection, []
    with (
        patch("pbem.queue.enqueue.current_app.send_task") as enqueued,
        patch("pbem.outbox.delivery.backends.default_sender") as sender,
        patch.object(warmup, "play", side_effect=lambda: verdicts.extend(PLAY())),
    ):
        warmup.warm()
    assert verdicts == ["ok"] * 6
    assert [model.objects.count() for model in TABLES] == [len(Player.objects.robots()), 0, 0, 0]
    assert not enqueued.called
    assert not sender.called
    assert settings.VERIFY_SENDERS
    assert connection.connection is before
    assert gc.get_freeze_count() > 10_000


@pytest.mark.prove
@pytest.mark.django_db(transaction=True)
def test_what_was_read_there_is_not_taken_for_our_own():
    """The epoch of a restore, and the last beat of the worker."""
    now = timezone.now()
    Restore.objects.create(number=7, since=now - timedelta(days=1), restored_at=now)
    outages.record_heartbeat(Component.WORKER, now=now - timedelta(hours=1))
    warmup.warm()
    assert services.to_write_with() == 7
    outages.record_heartbeat(Component.WORKER, now=timezone.now())
    assert Heartbeat.objects.filter(component=Component.WORKER).count() == 2


@pytest.mark.django_db
def test_what_goes_wrong_there_stops_no_worker(caplog):
    with patch.object(warmup, "play", side_effect=ZeroDivisionError):
        warmup.warm()
    assert "no moves could be played" in caplog.text
    assert Match.objects.count() == 0


PLAY = warmup.play
