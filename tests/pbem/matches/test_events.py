"""What happens is written and told in one transaction, to anyone who subscribed."""

from collections.abc import Callable

import pytest
from django.db import transaction

from pbem.matches import events
from pbem.matches.models import Event, Match
from pbem.outbox.models import OutboundMail
from tests.mail_fixtures import MORNING

Begin = Callable[..., Match]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """Events in the order in which one more subscriber hears of them."""
    told: list[Event] = []
    monkeypatch.setattr(events, "_subscribers", list(events._subscribers))
    events.subscribe(told.extend)
    return told


def test_a_subscriber_hears_of_an_event_that_is_written(begin: Begin, heard: list[Event]) -> None:
    match = begin()
    assert heard == [Event.objects.get()]
    assert (heard[0].kind, heard[0].match, heard[0].ply) == ("started", match, 0)


def test_subscribing_twice_is_subscribing_once(begin: Begin, heard: list[Event]) -> None:
    events.subscribe(heard.extend)
    begin()
    assert len(heard) == 1


def test_what_a_subscriber_writes_lives_and_dies_with_the_event(begin: Begin) -> None:
    match = begin()
    told: list[int] = []

    def stumble() -> None:
        with transaction.atomic():
            events.record_event(match, Event.Kind.SAID, now=MORNING, side=0, text="Hello")
            told.append(OutboundMail.objects.filter(kind="message").count())
            raise RuntimeError("and then the power fails")

    with pytest.raises(RuntimeError):
        stumble()
    assert told == [1]
    assert not Event.objects.filter(kind=Event.Kind.SAID).exists()
    assert not OutboundMail.objects.filter(kind="message").exists()


def test_an_event_knows_who_did_it(begin: Begin) -> None:
    match = begin()
    said = events.record_event(match, Event.Kind.SAID, now=MORNING, side=1, text="Ciao")
    assert said.actor == match.seated[1]
    started = match.events.first()
    assert started is not None
    assert started.actor is None
