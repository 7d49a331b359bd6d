"""The tournaments that run, on the desk's first page."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from pbem.admin.events import running
from pbem.competitions.models import Competition
from pbem.competitions.tournaments import begin, drawn, open_tournament
from pbem.matches.models import Match, Tournament
from pbem.matches.services import resign
from pbem.matches.terms import Terms
from pbem.players.models import Player
from pbem.players.services import register

NOW = timezone.now()


@pytest.fixture
def cup(db: None) -> Tournament:
    names = ("Alice", "Bruno", "Carla", "Dino")
    players = [register(name=n, email=f"{n.lower()}@example.org", language="it", now=NOW) for n in names]
    system = "single"
    cup = open_tournament("Coppa", game="loa", system=system, terms=Terms(clock="3d/move"), now=NOW)
    cup.enter(players)
    return cup


def begun(cup: Tournament) -> list[Match]:
    lots = [player.pk for player in drawn(cup)]
    matches = begin(cup, lots, at_once=True, now=NOW, rng=Random(1))
    cup.refresh_from_db()
    return matches


def test_the_first_page_tells_of_it(cup: Tournament, desk: Client) -> None:
    assert "aperto alle iscrizioni: 4 giocatori" in desk.get("/admin/").content.decode()
    matches = begun(cup)
    for match in matches[:3]:
        resign(match.seated[0], now=NOW)
    late = matches[3]
    Match.objects.filter(pk=late.pk).update(to_move_since=NOW - timedelta(days=9), deadline=NOW)
    [event] = running(NOW)
    assert (event.over, event.playing, event.entered, event.percent) == (3, 3, 4, 50)
    assert [(each.match, each.days) for each in event.late] == [(late.pk, 9)]
    assert event.late[0].name == late.seated[0].player.name
    assert event.due[0][0] == late.pk
    page = desk.get("/admin/").content.decode()
    assert "50%" in page
    assert f"{late.players[0]} è in ritardo con {late.players[1]}" in page


def test_all_that_run_are_told_of(cup: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament of many matches hides no other, and a closed one is not listed."""
    monkeypatch.setattr("pbem.admin.events.EVENTS", 3)
    begun(cup)
    other, closed = (
        open_tournament(name, game="loa", system="single", now=NOW) for name in ("Lega", "Chiusa")
    )
    other.enter(cup.players())
    begun(other)
    Competition.objects.filter(pk=closed.competition_id).update(closed_at=NOW)
    assert [each.tournament for each in running(NOW)] == [other, cup]


def test_an_empty_service_shows_three_steps_and_folds_its_lists(desk: Client, cup: Tournament) -> None:
    assert "desk-steps" not in desk.get("/admin/").content.decode()
    cup.delete()
    Player.objects.people().delete()
    page = desk.get("/admin/").content.decode()
    assert "desk-steps" in page
    assert "<details" in page
    assert "desk-queue" not in page


def test_what_was_not_looked_at_does_not_begin(desk: Client, cup: Tournament) -> None:
    where = f"/admin/matches/tournament/{cup.pk}/press/begin/"
    form = desk.get(where)
    lots = form.context["adminform"].form["lots"].value()
    one, *_, other = drawn(cup)
    assert f"{one} – {other}" in form.content.decode(), "the first of Berger's table meets the last"
    cup.enter([register(name="Emil", email="emil@example.org", language="it", now=NOW)])
    assert desk.post(where, {"begin": "first", "lots": lots}).status_code == 200
    assert not Match.objects.exists()
    lots = desk.get(where).context["adminform"].form["lots"].value()
    assert desk.post(where, {"begin": "first", "lots": lots}).status_code == 302
    cup.refresh_from_db()
    assert (cup.begun, cup.matches.count()) == (1, 2)
    assert [player.pk for player in cup.players()] == list(map(int, lots.split(",")))
    assert desk.get(where).status_code == 404


def test_the_page_of_a_tournament_asks_few_questions(
    cup: Tournament, desk: Client, django_assert_max_num_queries: Any
) -> None:
    for match in begun(cup)[:2]:
        resign(match.seated[0], now=NOW)
    where = f"/admin/matches/tournament/{cup.pk}/change/"
    more = [register(name=f"Player{n}", email=f"p{n}@example.org", language="it", now=NOW) for n in range(6)]
    cup.enter(more[:1])  # so that there are rounds to come
    desk.get(where)
    with django_assert_max_num_queries(15) as few:
        desk.get(where)
    cup.enter(more)
    with django_assert_max_num_queries(len(few)):
        desk.get(where)
    with django_assert_max_num_queries(8):
        desk.get(f"/admin/matches/match/?event={cup.pk}&awaited=7")
