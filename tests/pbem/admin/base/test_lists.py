"""Lists of the desk: never counted, searched by index."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from pbem.admin.base.lists import when
from pbem.admin.people.players import PlayerAdmin
from pbem.matches.models import Match
from pbem.players.models import Player

PLAYERS = "/admin/players/player/"


@pytest.fixture(autouse=True)
def no_robots(db: None) -> None:
    """So that every page is the test's own."""
    Player.objects.robots().delete()


@pytest.mark.parametrize("asked", ["", "?o=1", "?o=-1", "?o=7", "?o=-7", "?language=en"])
def test_every_row_is_on_one_page(desk: Client, monkeypatch: pytest.MonkeyPatch, asked: str) -> None:
    monkeypatch.setattr(PlayerAdmin, "list_per_page", 4)
    Player.objects.bulk_create(
        Player(name=name, folded=name.lower(), language="en") for name in "KFAJDBLHGCME"
    )
    whole = list(desk.get(PLAYERS + asked).context["cl"].queryset)
    more = f"{asked}&" if asked else "?"
    pages = [desk.get(f"{PLAYERS}{more}p={page}").context["cl"].result_list for page in (1, 2, 3, 4)]
    assert [len(page) for page in pages] == [4, 4, 4, 0]
    assert [player for page in pages for player in page] == whole


@pytest.mark.parametrize("page", ["<", ">[1, 2, 3]", "0x", "x" * 5000])
def test_a_page_that_nobody_linked_to_is_the_first(desk: Client, alice: Player, page: str) -> None:
    assert list(desk.get(PLAYERS, {"p": page}).context["cl"].result_list) == [alice]


def test_a_page_that_cannot_be_leads_back_to_the_list(desk: Client, alice: Player) -> None:
    for page in ("-1", "0", "9" * 30):
        assert desk.get(PLAYERS, {"p": page}).status_code == 302


LISTS = (
    "players/player",
    "matches/match",
    "matches/event",
    "ratings/rating",
    "ratings/ratedgame",
    "matches/outage",
    "matches/heartbeat",
    "inbox/inboundmail",
    "inbox/confirmation",
    "outbox/outboundmail",
    "outbox/bouncedmail",
    "outbox/slowdomain",
    "desk/auditentry",
)


@pytest.mark.parametrize("where", LISTS)
@pytest.mark.parametrize("word", ["", "alice", "1"])
def test_no_list_counts(
    desk: Client, match: Match, where: str, word: str, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(12) as asked:
        assert desk.get(f"/admin/{where}/", {"q": word}).status_code == 200
    said = " ".join(query["sql"] for query in asked.captured_queries)
    assert "COUNT(" not in said
    assert "OFFSET" not in said, "the first page skips nothing"


def test_a_match_is_found_by_number_and_by_player(desk: Client, match: Match) -> None:
    def found(word: str) -> list[Match]:
        return list(desk.get("/admin/matches/match/", {"q": word}).context["cl"].result_list)

    for word in (str(match.pk), f"[{match.pk}]", "ali", "BRUNO", "bruno@example.it"):
        assert found(word) == [match]
    for word in ("0", "charlie", "9" * 30, "lice"):
        assert found(word) == []


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
