"""Letters about the same matches, opened at once on a real PostgreSQL: no two wait for each other, none is lost."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from pbem.inbox import services
from pbem.inbox.models import InboundMail
from pbem.inbox.transports.store import store_message
from pbem.matches.models import Match, Watching
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.outbox.signed_addresses import sealed_address
from pbem.players.models import Player
from pbem.players.services import register
from pbem.players.tokens import Purpose, Token
from tests.journeys.conftest import models_of
from tests.journeys.two_connections import elsewhere, somebody_waits
from tests.mail_fixtures import MORNING
from tests.processes import wait_until
from tests.servers import Postgres

pytestmark = pytest.mark.prove

THREE_DAYS = Terms(clock="3d/move")


@pytest.fixture(scope="module")
def url(cluster: Postgres, empty_tables: str) -> str:
    return cluster.database(empty_tables)


@pytest.fixture
def matches(url: str, django_db_blocker: DjangoDbBlocker) -> Iterator[list[Match]]:
    """The first of Alice and Bruno, the second of Charlie and Dora, the third of Alice and Bruno again."""
    with models_of(url, django_db_blocker):
        call_command("flush", verbosity=0, interactive=False)
        alice, bruno, charlie, dora = (
            register(name=name, email=f"{name.lower()}@example.org", language="en", now=MORNING)
            for name in ("Alice", "Bruno", "Charlie", "Dora")
        )
        yield [
            start(first=first, second=second, game="loa:6x6", terms=THREE_DAYS, now=MORNING, rng=Random(0))
            for first, second in ((alice, bruno), (charlie, dora), (alice, bruno))
        ]


def written(by: str, about: Match, text: str) -> InboundMail:
    """An answer to the letter about a match, kept and not opened."""
    player = Player.objects.get(name=by)
    seat = next(seat for seat in about.seated if seat.player_id == player.pk)
    raw = f"From: {player.email}\r\nMessage-ID: <{by}{about.pk}@example.org>\r\n\r\n{text}\r\n".encode()
    sealed = sealed_address(Token(Purpose.MOVE, seat.pk, about.ply), seat.salt)
    return store_message(raw, sender=player.email, recipient=sealed, now=MORNING)


def free(match: Match) -> bool:
    return Match.objects.filter(pk=match.pk).select_for_update(skip_locked=True).exists()


@pytest.mark.parametrize("text", ["WATCH {}", "UNWATCH {}", "SET NIGHT 22-7"])
def test_who_waits_for_a_match_holds_no_later_one(matches: list[Match], text: str) -> None:
    first, second, third = matches
    Watching.objects.create(match=second, player=Player.objects.get(name="Alice"), since=MORNING)
    Match.objects.filter(pk=second.pk).update(watchers=1)
    wanted = second if "WATCH" in text else first
    letter = written("Alice", third, text.format(second.pk))
    with transaction.atomic():
        list(Match.objects.filter(pk=wanted.pk).locked())
        opened = elsewhere(lambda: services.open_mail(letter.pk, now=MORNING))
        wait_until(somebody_waits, "the letter waits for a match")
        assert free(third)
    opened.result(60)
    letter.refresh_from_db()
    assert letter.verdict == "ok"


def test_who_was_in_the_way_is_opened_again_at_once(matches: list[Match]) -> None:
    """Somebody locks in another order than letters do; PostgreSQL finds out after a second, and ends the letter."""
    first, _, third = matches
    letter = written("Alice", third, "SET NIGHT 22-7")
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL deadlock_timeout = '1h'")  # so that it is not us
        list(Match.objects.filter(pk=third.pk).locked())
        opened = elsewhere(lambda: services.open_mail(letter.pk, now=MORNING))
        wait_until(somebody_waits, "the letter holds the first match, and waits for the third")
        list(Match.objects.filter(pk=first.pk).locked())
        opened.result(60)
    letter.refresh_from_db()
    assert (letter.verdict, letter.attempts, letter.leased_until) == ("", 0, None)
    services.open_mail(letter.pk, now=MORNING)
    letter.refresh_from_db()
    assert (letter.verdict, letter.attempts) == ("ok", 1)
