"""A compiled query finds what Django's own finds, and is put together once."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django.db.models import QuerySet
from django.db.transaction import TransactionManagementError

from pbem.matches.models import Match, Seat
from pbem.players.models import Player
from pbem.players.services import register
from pbem.queue.sql import compiled_query

MORNING = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
Asked = Callable[[int], AbstractContextManager[object]]


@pytest.fixture
def match(db: None) -> Match:
    match = Match.objects.create(game_name="loa", rules_version=1, position="")
    for side, name in enumerate(("Alice", "Bruno")):
        now = MORNING + timedelta(hours=side)
        player = register(name=name, email=f"{name.lower()}@example.org", language="en", now=now)
        Seat.objects.create(match=match, side=side, player=player)
    return match


@compiled_query
def seats_of(match: int, side: int) -> QuerySet[Seat]:
    return Seat.objects.select_related("player").filter(match=match, side=side)


@compiled_query
def since(moment: datetime, language: str) -> QuerySet[Player, tuple[str, datetime]]:
    found = Player.objects.people().filter(created_at__gte=moment, language=language)
    return found.order_by("name").values_list("name", "created_at")


@compiled_query
def first_but(name: str) -> QuerySet[Player, str]:
    return Player.objects.exclude(name=name).order_by("name").values_list("name", flat=True)[:1]


def test_rows_are_models_with_what_is_related(match: Match, django_assert_num_queries: Asked) -> None:
    with django_assert_num_queries(2):
        (first,), (second,) = seats_of(match.pk, 0), seats_of(match.pk, 1)
        assert (first.player.name, second.player.name) == ("Alice", "Bruno")
    assert first == match.seats.get(side=0)
    for made, usual in ((first, match.seats.get(side=0)), (first.player, Player.objects.get(name="Alice"))):
        names = [field.attname for field in type(made)._meta.concrete_fields]
        assert [getattr(made, name) for name in names] == [getattr(usual, name) for name in names]
    assert seats_of(match.pk, 2) == []


def test_what_it_made_can_be_saved(match: Match) -> None:
    (seat,) = seats_of(match.pk, 0)
    seat.player.name = "Alicia"
    seat.player.save()
    assert Player.objects.filter(name="Alicia", pk=seat.player_id).exists()


@pytest.mark.usefixtures("match")
def test_rows_are_the_values_that_were_asked_for() -> None:
    assert since(MORNING, "en") == [("Alice", MORNING), ("Bruno", MORNING + timedelta(hours=1))]
    assert since(MORNING + timedelta(minutes=1), "en") == [("Bruno", MORNING + timedelta(hours=1))]
    assert since(MORNING, "it") == []
    assert first_but("Alice") == ["Bruno"]
    assert first_but("Bruno") == ["Alice"]


@pytest.mark.django_db(transaction=True)
def test_a_lock_wants_a_transaction() -> None:
    @compiled_query
    def locked(name: str) -> QuerySet[Player]:
        return Player.objects.filter(name=name).select_for_update()

    with transaction.atomic():
        assert locked("Alice") == []
    with pytest.raises(TransactionManagementError):
        locked("Alice")


@pytest.mark.usefixtures("match")
def test_it_is_put_together_once() -> None:
    made = []

    @compiled_query
    def called(name: str) -> QuerySet[Player]:
        made.append(name)
        return Player.objects.filter(name=name)

    assert [player.name for name in ("Alice", "Bruno", "x' OR 1=1") for player in called(name)] == [
        "Alice",
        "Bruno",
    ]
    assert len(made) == 1
