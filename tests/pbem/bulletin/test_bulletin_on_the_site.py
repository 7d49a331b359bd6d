"""A number that is published is a page of the site: in both languages, and with no name that the site does not show."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from time_machine import travel

from pbem.analysis.models import Puzzle
from pbem.bulletin.issue import next_bulletin
from pbem.bulletin.models import Bulletin, Commentary
from pbem.competitions.models import Competition
from pbem.matches.models import Match, Tournament
from pbem.players.models import FormerName, Player, PrintName
from tests.pbem.admin.conftest import NOON
from tests.pbem.bulletin.conftest import commented, player
from tests.pbem.site.test_privacy import crawl

LATER = NOON + timedelta(days=100)
Site = Player.Site
STEPS = {"Alice": Site.NAMED, "Bruno": Site.INDEXED, "Carla": Site.UNNAMED, "Dino": Site.NO}


@pytest.fixture(autouse=True)
def later(db: None):
    cache.clear()
    with travel(LATER, tick=False):
        yield


@pytest.fixture
def number(cup: Tournament) -> Bulletin:
    """Alice met Bruno, Carla and Dino, and Bruno met Carla; on each there is a comment."""
    for name, step in STEPS.items():
        Player.objects.filter(name=name).update(site=step, site_asked_at=NOON)
    for match in cup.matches.filter(status=Match.Status.OVER):
        one, other = (seat.player.name for seat in match.seated)
        commented(match, f"Titolo: {one}", f"*{one}* attacca, {other} para.", {5: f"E ora, {other}?"}, NOON)
    words = "Cari amici, Carla ha perso con Alice, e Dino Verdi con tutti."
    PrintName.objects.create(player=player("Dino"), name="Dino Verdi", agreed_at=NOON)
    PrintName.objects.create(player=player("Bruno"), name="Bruno Bianchi", agreed_at=NOON)
    made = next_bulletin(cup, language="it", words=words, now=NOON + timedelta(days=10))
    made.save()
    Competition.objects.update(public=True)
    return made


def where(number: Bulletin, language: str = "en") -> str:
    return f"/{language}/competitions/{number.tournament.competition_id}/bulletins/{number.pk}/"


def page(number: Bulletin, language: str = "en") -> str:
    cache.clear()
    answer = Client().get(where(number, language))
    assert answer.status_code == 200
    return answer.content.decode()


def match_of(cup: Tournament, *names: str) -> Match:
    found = cup.matches.all()
    for name in names:
        found = found.filter(seats__player__name=name)
    return found.get()


def test_it_is_a_page_in_both_languages_with_the_words_as_they_were_written(number: Bulletin) -> None:
    english, italian = page(number), page(number, "it")
    for html in (english, italian):
        assert "Cari amici" in html
        assert '<div lang="it">' in html
        assert "<em>Alice</em> attacca, Bruno para." in html
    assert "Results" in english
    assert "Risultati" in italian
    assert f'hreflang="it" href="{settings.SITE_URL}{where(number, "it")}"' in english
    listed = Client().get(f"/en/competitions/{number.tournament.competition_id}/").content.decode()
    assert f'<a href="{where(number)}">Bulletin 1, ' in listed


def test_its_boards_and_matches_are_those_of_the_site(cup: Tournament, number: Bulletin) -> None:
    html, named = page(number), match_of(cup, "Alice", "Bruno")
    assert f'<a href="/en/matches/{named.pk}/">Alice – Bruno</a>' in html
    assert f'<a href="/en/matches/{named.pk}/5/"><img src="/en/matches/{named.pk}/5-' in html
    found = crawl(Client(), [where(number)])
    assert any(path.startswith(f"/en/matches/{named.pk}/5-") for path in found)


@pytest.mark.parametrize("language", ["en", "it"])
def test_nothing_of_hidden_players_is_on_it(cup: Tournament, number: Bulletin, language: str) -> None:
    FormerName.objects.create(player=player("Dino"), name="Dinosauro", look="x", given_up_at=NOON)
    Bulletin.objects.update(words=f"{number.words} Dinosauro, Verdi e VERDI; l'erba è verde. Bianchi saluta.")
    html = page(number, language)
    for name in ("Carla", "Dino", "Verdi", "VERDI", "Bianchi"):
        assert name not in html
    called = {"en": "Player", "it": "Giocatore"}[language]
    assert f"Cari amici, {called} 3 ha perso con Alice, e {called} 4 con tutti." in html
    assert "è verde. Bruno saluta" in html
    for names in (("Alice", "Carla"), ("Alice", "Dino"), ("Bruno", "Carla")):
        assert f"/matches/{match_of(cup, *names).pk}/" not in html
    assert f"Alice – {called} 3" in html, "the result is in the table as well"
    assert f"Alice – {called} 4" not in html, "who shows nothing shows no result"


def test_a_competition_that_is_not_shown_has_no_such_page(number: Bulletin) -> None:
    assert Client().get(where(number).replace(f"/bulletins/{number.pk}", "/bulletins/999")).status_code == 404
    Competition.objects.update(public=False)
    assert Client().get(where(number)).status_code == 404


def test_a_puzzle_of_a_hidden_match_is_left_out(cup: Tournament, number: Bulletin) -> None:
    for names, there in ((("Alice", "Bruno"), True), (("Alice", "Carla"), True), (("Alice", "Dino"), False)):
        match = match_of(cup, *names)
        Bulletin.objects.update(
            puzzle=Puzzle.objects.create(
                match=match,
                ply=0,
                game_name=match.game_name,
                position=str(match.start_position()),
                accepted=[[match.record().moves[0]]],
                replies=[],
                created_at=NOON,
            )
        )
        assert ('class="clicks"' in page(number)) is there, names


def test_search_engines_keep_it_only_when_all_of_its_players_want_it(number: Bulletin) -> None:
    for step, kept in ((Site.NAMED, False), (Site.INDEXED, True)):
        Player.objects.update(site=step)
        answer = Client().get(where(number))
        assert ("X-Robots-Tag" not in answer.headers) is kept
        assert (where(number) in Client().get("/en/sitemap.xml").content.decode()) is kept
        assert not answer.cookies


def test_comments_of_one_that_has_become_void_are_gone(cup: Tournament, number: Bulletin) -> None:
    match = match_of(cup, "Alice", "Bruno")
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID)
    assert Commentary.objects.get(match=match).title not in page(number)
