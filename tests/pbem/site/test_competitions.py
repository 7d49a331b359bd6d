"""Contests on the web: shown by their organiser, with numbers in place of the names that are not public."""

from __future__ import annotations

import csv
import re
from random import Random

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from lxml.html import HtmlElement, fromstring

from pbem.competitions.models import Competition
from pbem.competitions.tournaments import begin_round_robin, open_tournament
from pbem.matches.models import Match, Tournament
from pbem.matches.services import play
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.announcements import invite_to
from pbem.outbox.rendering.compose import compose
from pbem.players.models import Player
from tests.pbem.competitions.played import end, higher_wins, opened, people, play_on, swept
from tests.pbem.site.conftest import NOON, Site

System = Competition.System


@pytest.fixture
def players() -> list[Player]:
    """Two are named, one is not, and one shows nothing."""
    found = people(4)
    for player, site in zip(found, (Site.NAMED, Site.INDEXED, Site.UNNAMED, Site.NO), strict=True):
        player.site, player.site_asked_at = site, NOON
        player.save()
    return found


def shown(system: str, players: list[Player], **settings) -> Competition:
    contest = opened(system, players, **settings)
    Competition.objects.update(public=True)
    return contest


def page(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


@pytest.mark.parametrize(
    "system", ["round_robin", "swiss", "knockout", "ladder", "hill", "league", "self_starting"]
)
def test_a_contest_is_shown_before_during_and_after(
    browser: Client, players: list[Player], system: str
) -> None:
    contest = shown(system, players, **({"length": 2} if system == "swiss" else {}))
    here = f"/en/competitions/{contest.pk}/"
    assert "Player01" in page(browser, here)
    for advance in (swept, play_on):
        advance()
        html = page(browser, here)
        assert "Player01" in html
        assert not {"Player03", "Player04"} & set(re.findall(r"Player0\d", html))
        assert "Player 3" in html
        numbers = set(contest.last.matches().values_list("pk", flat=True)) if contest.last else set()
        linked = set(map(int, re.findall(r'href="/en/matches/(\d+)/"', html)))
        assert linked <= numbers
        for pk in linked:
            assert browser.get(f"/en/matches/{pk}/").status_code == 200
    assert contest.name in page(browser, "/en/competitions/")
    rows = list(csv.reader(page(browser, f"{here}table.csv").splitlines()))
    assert not {"Player03", "Player04"} & {cell for row in rows for cell in row}
    assert browser.get(f"/en/feeds/competitions/{contest.pk}.atom").status_code == 200


def test_a_knockout_shows_its_bracket_with_the_names_that_may_be_shown(
    browser: Client, players: list[Player]
) -> None:
    contest = shown("knockout", players)
    here = f"/it/competitions/{contest.pk}/"
    assert "Tabellone" not in page(browser, here)
    swept()
    assert brackets(page(browser, here)) == [
        ["Semifinali", "Finale"],
        ["Player01 Giocatore 4", "… …"],
        ["Player02 Giocatore 3"],
    ]
    for match in Match.objects.exclude(seats__player__in=players[1:3]):
        end(match, higher_wins(match))
    assert brackets(page(browser, here))[1] == ["*Player01 2 Giocatore 4 0", "Player01 …"]
    final = {players[0].pk, players[1].pk}
    play_on(lambda match: None if {s.player_id for s in match.seated} == final else higher_wins(match))
    assert brackets(page(browser, here)) == [
        ["Semifinali", "Finale"],
        ["*Player01 2 Giocatore 4 0", "*Player01 2 Player02 2 Testa di serie più alta: Player01"],
        ["*Player02 2 Giocatore 3 0"],
    ]
    assert brackets(page(browser, f"/en/competitions/{shown('swiss', people(4, 5), length=2).pk}/")) == []


def brackets(html: str) -> list[list[str]]:
    """The cells of each row; a star stands before winners."""
    found = fromstring(html).xpath("//table[@class='bracket']//tr")
    return [[_words(cell) for cell in row.xpath("th | td")] for row in found]


def _words(cell: HtmlElement) -> str:
    for bold in cell.xpath(".//p/b[1]"):
        bold.text = f"*{bold.text}"
    return " ".join(" ".join(cell.itertext()).split())


def by_hand(players: list[Player]) -> Tournament:
    """A round robin whose first round has begun."""
    cup = open_tournament("Cup by hand", game="loa", system=System.SINGLE, now=NOON)
    begin_round_robin(cup, players, at_once=True, now=NOON, rng=Random(1))
    return cup


def test_one_of_an_organiser_is_shown_with_its_table_and_matches(
    browser: Client, players: list[Player]
) -> None:
    cup = by_hand(players)
    Competition.objects.update(public=True)
    here = f"/en/competitions/{cup.competition_id}/"
    for match in cup.matches.all():
        assert match.moving
        play(match.moving, "b1-b3", now=NOON)
        end(Match.objects.get(pk=match.pk), higher_wins(match))
    html = page(browser, here)
    assert {"Player01", "Player 3"} <= set(re.findall(r"Player ?\d+", html))
    assert not {"Player03", "Player04"} & set(re.findall(r"Player0\d", html))
    named = cup.matches.exclude(seats__player__in=players[2:]).get()
    assert re.findall(r'href="/en/matches/(\d+)/"', html) == [str(named.pk)]
    assert "ENTER" not in html
    rows = list(csv.reader(page(browser, f"{here}table.csv").splitlines()))
    assert len(rows) == 5


def test_one_of_an_organiser_that_has_not_begun_names_who_takes_part(
    browser: Client, players: list[Player]
) -> None:
    cup = open_tournament("Cup by hand", game="loa", system=System.SINGLE, now=NOON)
    cup.enter(players)
    Competition.objects.update(public=True)
    html = page(browser, f"/en/competitions/{cup.competition_id}/")
    assert "Taking part" in html
    assert "Player 4" in html
    assert "<table>" not in html
    assert cup.name not in page(browser, "/en/"), "players are invited into it"


def test_search_engines_keep_a_competition_only_when_all_of_its_players_want_it(
    browser: Client, players: list[Player]
) -> None:
    contest = shown("round_robin", players)
    here = f"/en/competitions/{contest.pk}/"
    for step, kept in ((Site.NAMED, False), (Site.INDEXED, True)):
        Player.objects.update(site=step)
        answer = browser.get(here)
        assert ("X-Robots-Tag" not in answer.headers) is kept
        assert (here in page(browser, "/en/sitemap.xml")) is kept


def test_the_search_finds_those_that_are_shown(browser: Client, players: list[Player]) -> None:
    contest = opened("round_robin", players)
    asked = "/en/search?q=round"
    assert contest.name not in page(browser, asked)
    Competition.objects.update(public=True)
    assert f'<a href="/en/competitions/{contest.pk}/">{contest.name}</a>' in page(browser, asked)


def test_one_that_is_not_shown_is_not_there(browser: Client, players: list[Player]) -> None:
    contest = opened("round_robin", players)
    assert contest.public is False
    for path in (
        f"/en/competitions/{contest.pk}/",
        f"/en/competitions/{contest.pk}/table.csv",
        f"/en/feeds/competitions/{contest.pk}.atom",
    ):
        assert browser.get(path).status_code == 404
    assert contest.name not in page(browser, "/en/competitions/")


@pytest.mark.parametrize("kind", ["competition", "tournament"])
def test_the_organiser_reads_first_who_would_have_a_number(players: list[Player], kind: str) -> None:
    olga = User.objects.create_superuser("olga")
    browser = Client(headers={"accept-language": "en"})
    browser.force_login(olga)
    contest = opened("round_robin", players) if kind == "competition" else by_hand(players).competition
    row = contest if kind == "competition" else contest.tournaments.get()
    here = reverse(f"admin:{row._meta.label_lower.replace('.', '_')}_changelist") + str(row.pk)
    assert "2 players have not allowed" in page(browser, f"{here}/press/show/")
    browser.post(f"{here}/press/show/")
    contest.refresh_from_db()
    assert contest.public
    browser.post(f"{here}/press/hide/")
    contest.refresh_from_db()
    assert not contest.public


def test_an_invitation_says_that_the_tables_are_on_the_site(players: list[Player]) -> None:
    cup = open_tournament("Cup by hand", game="loa", system=System.SINGLE, now=NOON)
    for public in (False, True):
        Competition.objects.update(public=public)
        address = f"guest{public}@example.org"
        invite_to(cup, address, language="en", host="", now=NOON)
        text = " ".join(compose(OutboundMail.objects.latest("pk")).text.split())
        assert "You are invited to Cup by hand" in text
        assert ("Its tables are on our site" in text) is public
