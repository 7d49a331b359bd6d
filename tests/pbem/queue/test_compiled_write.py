"""Rows that are written by statements put together once are those that Django would have written."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from pbem.inbox.models import InboundMail, SeenMessage
from pbem.matches.models import Event, Match, Turn
from pbem.matches.services import start
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.players.services import register
from pbem.queue.sql import insert, save, update
from tests.mail_fixtures import MORNING


@pytest.fixture
def match(db: None) -> Match:
    first, second = (
        register(name=name, email=f"{name}@example.org", language="it", now=MORNING)
        for name in ("Ada", "Ugo")
    )
    return start(first=first, second=second, game="loa", now=MORNING, rng=Random(1))


def rows(match: Match, number: int) -> list[Model]:
    """One of each model that is written so, every sort of field with something in it."""
    player = Player.objects.get(name="Ada")
    event = match.events.first()
    return [
        InboundMail(
            raw=b"\0\xff raw",
            digest=f"{number}",
            recipient="play@é.example",
            peer="2001:db8::1",
            queue_key="match:1",
            received_at=MORNING,
            reading={"a": [1, None, "è"]},
            player=player,
            match=match,
        ),
        SeenMessage(digest=f"{number}", letter=7, seen_at=MORNING),
        Turn(match=match, ply=number, side=1, move="b1-b3", position="p", key="k", played_at=MORNING, undone_by=event),
        Event(match=match, kind=Event.Kind.MOVED, ply=3, letter=9, facts={"first": 3}, happened_at=MORNING),
        OutboundMail(
            cause="letter:1",
            kind="turn",
            address="Ada@Example.ORG",
            language="it",
            player=player,
            match=match,
            sections=[{"kind": "turn", "event": 1}],
            salt=b"0123456789abcdef",
            created_at=MORNING,
            arrived_at=MORNING,
            next_try_at=MORNING + timedelta(hours=1),
            leased_until=MORNING,
            message_id=f"<{number}>",
        ),
    ]  # fmt: skip


def values(row: Model) -> dict[str, Any]:
    read = type(row)._default_manager.get(pk=row.pk)
    found = {field.attname: getattr(read, field.attname) for field in row._meta.concrete_fields}
    told = ("id", "digest", "ply", "message_id")
    return {
        name: bytes(v) if isinstance(v, memoryview) else v for name, v in found.items() if name not in told
    }


def test_insert_writes_what_django_writes(match: Match) -> None:
    for plain, compiled, third in zip(rows(match, 101), rows(match, 102), rows(match, 103), strict=True):
        plain.save(force_insert=True)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            insert([compiled, third])
        assert len(asked) == 1
        assert values(compiled) == values(plain) == values(third)
        assert compiled.pk != third.pk
        assert not compiled._state.adding
        compiled.save()  # an UPDATE by now
        assert type(plain)._default_manager.filter(pk__in=(plain.pk, compiled.pk, third.pk)).count() == 3


def test_what_is_there_is_refused_or_left(match: Match) -> None:
    again = [SeenMessage(digest="x", letter=letter, seen_at=MORNING) for letter in (1, 2)]
    insert(again[:1])
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(again[1:])
    insert(again[1:], ignore_conflicts=True)
    assert list(SeenMessage.objects.values_list("letter", flat=True)) == [1]


def test_update_writes_what_django_writes(match: Match) -> None:
    player = Player.objects.get(name="Ugo")
    changed: dict[type[Model], dict[str, Any]] = {
        InboundMail: {
            "reading": {"b": 1},
            "player": None,
            "match": match,
            "opened_at": MORNING,
            "leased_until": None,
        },
        OutboundMail: {"sections": [], "player": player, "status": "sent", "text": "è", "failures": 0},
    }
    for plain, compiled in zip(rows(match, 101), rows(match, 102), strict=True):
        if facts := changed.get(type(plain)):
            insert([plain])
            insert([compiled])
            type(plain)._default_manager.filter(pk=plain.pk).update(**facts)
            assert update(type(compiled), compiled.pk, facts) == 1
            assert values(compiled) == values(plain)
            assert update(type(compiled), compiled.pk, facts, verdict="no") == 0
            assert update(type(compiled), compiled.pk, {"verdict": "S01"}, verdict="") == 1
            assert update(type(compiled), compiled.pk, facts, verdict="S01") == 1


def test_save_writes_what_django_writes(match: Match) -> None:
    other = Match.objects.get(pk=match.pk)
    for each in (match, other):
        each.ply, each.stopped, each.deadline, each.to_move = 9, ["paused"], None, None
    names = ["ply", "stopped", "deadline", "to_move"]
    save(other, names)
    by_us = values(other)
    Match.objects.update(ply=0, stopped=[], to_move=1)
    match.save(update_fields=names)
    assert by_us == values(match)
