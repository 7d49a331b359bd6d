"""Lists of the desk: counted as far as one leafs, sorted by what has happened."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from pbem.desk.lists import FirstPages, when
from pbem.players.models import Player


def test_a_list_is_counted_as_far_as_one_leafs(
    db: None, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: object
) -> None:
    Player.objects.bulk_create(Player(name=f"Player{number}") for number in range(12))
    monkeypatch.setattr(FirstPages, "MOST", 10)
    with django_assert_num_queries(1) as asked:  # type: ignore[operator]
        assert FirstPages(Player.objects.all(), 5).num_pages == 2
    assert "LIMIT 10" in asked.captured_queries[0]["sql"]


def test_a_filter_tells_the_suspended_from_the_others(desk: Client, alice: Player, bruno: Player) -> None:
    Player.objects.filter(pk=bruno.pk).update(suspended_at=timezone.now())
    for asked, found in (
        ({}, [alice, bruno]),
        ({"suspended_at": "1"}, [bruno]),
        ({"suspended_at": "0"}, [alice]),
    ):
        assert list(desk.get("/admin/players/player/", asked).context["cl"].result_list) == found


def test_a_moment_is_written_short_in_the_language_of_the_desk() -> None:
    noon = datetime(2026, 3, 2, 11, 0, tzinfo=UTC)
    with override("it"):
        assert when(noon) == "02/03/2026 12:00"
    assert when(None) == "-"
