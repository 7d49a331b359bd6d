"""Ratings at the desk: looked at, never changed; few questions, however many there are; odd patterns on the front."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from pbem.matches.models import Event, Match, Seat, Turn
from pbem.players.models import Player
from pbem.ratings.models import RatedGame, Rating
from pbem.ratings.service import follow

RATINGS, RATED = "/admin/ratings/rating/", "/admin/ratings/ratedgame/"


@pytest.fixture
def resigned(alice: Player, bruno: Player) -> list[Match]:
    """Six rated matches that Alice has resigned after a few moves."""
    now = timezone.now()
    matches = []
    for number in range(6):
        match = Match.objects.create(
            game_name="loa",
            rules_version=1,
            terms={"rated": True},
            status=Match.Status.OVER,
            ply=4,
            winner=1,
            reason="resigned",
            started_at=now,
            ended_at=now - timedelta(days=6 - number),
        )
        Seat.objects.bulk_create(
            Seat(match=match, side=side, player=player) for side, player in enumerate((alice, bruno))
        )
        Turn.objects.bulk_create(Turn(match=match, ply=ply, side=ply % 2, played_at=now) for ply in range(4))
        follow([Event(match=match, kind=Event.Kind.ENDED, ply=4, happened_at=now)])
        matches.append(match)
    return matches


def test_a_rating_with_its_history(
    desk: Client, resigned: list[Match], alice: Player, django_assert_max_num_queries: Any
) -> None:
    rating = Rating.objects.get(player=alice)
    for where, word in (
        (RATINGS, "Alice"),
        (f"{RATINGS}{rating.pk}/change/", f"[{resigned[5].pk}]"),
        (f"{RATINGS}{rating.pk}/change/", "0,06"),
        (RATED, "Alice 1500? -&gt; 1338? (±290)"),
        (f"{RATED}{RatedGame.objects.latest('pk').pk}/change/", "Lines of Action"),
    ):
        with django_assert_max_num_queries(14):
            html = desk.get(where).content.decode()
        assert word in html, where
    assert len(desk.get(RATED, {"q": "ali"}).context["cl"].result_list) == 6
    assert [row.player for row in desk.get(RATINGS, {"q": "bru"}).context["cl"].result_list] != [alice]
    assert "Lines of Action</a>" in desk.get(f"/admin/players/player/{alice.pk}/change/").content.decode()
    for where in (f"{RATINGS}add/", f"{RATED}add/"):
        assert desk.get(where).status_code == 403


def test_who_resigns_early_again_and_again_is_on_the_front(
    desk: Client, resigned: list[Match], alice: Player
) -> None:
    """A row to look at, from which nothing follows."""
    assert "Alice: 6 partite" in desk.get("/admin/").content.decode()
    assert len(desk.get(RATED, {"early": "1"}).context["cl"].result_list) == 6
    Match.objects.filter(pk__in=[match.pk for match in resigned[:2]]).update(ply=60)
    assert "Alice: " not in desk.get("/admin/").content.decode()
    assert len(desk.get(RATED, {"early": "1"}).context["cl"].result_list) == 4
