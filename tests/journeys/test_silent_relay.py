"""A relay that takes letters and says nothing more holds the process that sends, and none that reads."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.outbox.models import RELAY, OutboundMail, SlowDomain
from tests.journeys.conftest import House
from tests.journeys.in_flight import OPENING, begun
from tests.processes import wait_until
from tests.relay import HANG, Relay
from tests.smtp_fixtures import Post, senders

pytestmark = pytest.mark.prove


def ask(house: House, number: int) -> None:
    """A stranger, each of a domain of their own."""
    sender = f"somebody@domain{number}.example"
    raw = f"From: {sender}\r\nSubject: REGISTER Somebody{number}\r\nMessage-ID: <{number}@x>\r\n\r\nhello\r\n"
    with senders(house.door, 1) as send:
        send(Post(sender, "play@pbem.localhost", raw.encode()))


def unopened() -> bool:
    return InboundMail.objects.unopened().exists()


def test_reading_goes_on_and_the_relay_is_to_blame(house: House) -> None:
    relay = Relay()
    relay.script["."] = [HANG] * 100
    with relay.open():
        service = house.serve(EMAIL_URL=relay.url, LEASE_SECONDS="20")
        for number in range(4):
            ask(house, number)
        wait_until(lambda: len(relay.taken) >= 2, "both senders wait for a reply")
        ask(house, 4)
        with house.rows():
            wait_until(lambda: InboundMail.objects.count() == 5 and not unopened(), "all are read", 15)
            silent = SlowDomain.objects.filter(domain=RELAY, silent_at__isnull=False)
            wait_until(silent.exists, "the relay is known to be silent")
            blamed = SlowDomain.objects.exclude(domain=RELAY)
            wait_until(lambda: not blamed.exists(), "and no domain is to blame")
            assert set(OutboundMail.objects.values_list("status", flat=True)) == {"waiting"}
        service.stop()


def test_moves_are_read_and_played_while_letters_about_others_wait_for_a_reply(house: House) -> None:
    """They are handed over by the one who has read the move, who does not wait for long."""
    play = begun(house)
    first = house.serve()
    play.quiet()
    first.stop()
    relay = Relay()
    relay.script["."] = [HANG] * 100
    with relay.open():
        service = house.serve(EMAIL_URL=relay.url, LEASE_SECONDS="60")
        play.move_everywhere(play.alice, OPENING[0])
        with house.rows():
            wait_until(
                lambda: not unopened() and set(Match.objects.values_list("ply", flat=True)) == {1},
                "played",
                25,
            )
            assert set(OutboundMail.objects.filter(ply=1).values_list("status", flat=True)) == {"waiting"}
        service.stop()
    house.serve()
    with house.rows():
        wait_until(lambda: not OutboundMail.objects.filter(status="waiting").exists(), "all have left", 90)
    copies = Counter(str(letter["Message-ID"]) for letter in house.delivered)
    assert set(copies.values()) == {1}, "the silent relay may have more of them"
