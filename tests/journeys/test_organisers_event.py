"""An Italian organiser's whole event in a real browser, from a pasted list to the bulletin; players write letters."""

from datetime import timedelta
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Locator, Page
from pytest_django.live_server_helper import LiveServer

from pbem.matches.models import Match, Tournament
from tests.mail_fixtures import Correspondent, Post

pytestmark = [pytest.mark.browser, pytest.mark.prove]
NAMES = ("Ada", "Bice", "Ciro", "Dario")
WROTE = "Il giorno 4 maggio 2026 PBeM ha scritto:"


class Desk:
    """Marino's browser."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, f"{url}/admin/"

    def opens(self, where: str = "") -> str:
        self.page.goto(self.url + where)
        return self.page.inner_text("body")

    def presses(self, text: str) -> str:
        """A button or link; the page that follows."""
        return self.follows(self.page.locator(f".desk-buttons :text-is('{text}')").first)

    def sends(self, **answers: str) -> str:
        """The form of the page; ticks are `True`."""
        for name, answer in answers.items():
            field = self.page.locator(f"[name='{name}']")
            if field.evaluate("each => each.tagName") == "SELECT":
                field.select_option(answer)
            elif field.get_attribute("type") == "checkbox":
                field.check()
            else:
                field.fill(answer)
        return self.follows(self.page.locator(".desk-form button").first)

    def follows(self, what: Locator) -> str:
        """The page that a click brings, once it is there whole."""
        with self.page.expect_navigation():
            what.click()
        return self.page.inner_text("body")


@pytest.fixture
def desk(page: Page, live_server: LiveServer) -> Desk:
    User.objects.create_superuser("marino", "marino@example.org", "la coppa", first_name="Marino")
    page.goto(f"{live_server.url}/admin/")
    page.fill("#id_username", "marino")
    page.fill("#id_password", "la coppa")
    page.click("[type=submit]")
    page.locator("#nav-sidebar").wait_for(state="attached")
    return Desk(page, live_server.url)


@pytest.mark.parametrize("page", [1280], indirect=True, ids=["desk"])
def test_a_cup_from_the_invitation_to_the_bulletin(desk: Desk, post: Post, tmp_path: Path) -> None:
    people = {name: Correspondent(post, name, f"{name.lower()}@example.it", WROTE) for name in NAMES}
    assert "Tre primi passi" in desk.opens()
    cup = opened(desk)
    entered_by_mail(desk, post, cup, people)
    begun(desk, post, cup)
    ended = played_by_mail(post, people)
    reminded(desk, post, cup, people)
    printed(desk, cup, ended, tmp_path)


def sent(post: Post) -> None:
    post.now = timezone.now() + timedelta(seconds=1)
    post.live()
    post.send()


def opened(desk: Desk) -> Tournament:
    desk.opens("contests/competition/add/?kind=open&game=loa")
    said = desk.sends(name="Coppa d'autunno", clock="3d/move")
    assert "Coppa d'autunno" in said
    return Tournament.objects.get()


def entered_by_mail(desk: Desk, post: Post, cup: Tournament, people: dict[str, Correspondent]) -> None:
    """Two say yes at once, one no; the last only when she is asked again."""
    here = f"matches/tournament/{cup.pk}/change/"
    desk.opens(here)
    desk.presses("Invita")
    pasted = "\n".join(f"{name} <{each.email}>" for name, each in people.items())
    desk.sends(email=f"{pasted}\nelio@example.it", note="Vi aspetto!")
    sent(post)
    for name in ("Ada", "Bice", "Ciro"):
        assert people[name].answers(people[name].letter, f"Sì {name}").verdict == "ok"
    elio = Correspondent(post, "Elio", "elio@example.it", WROTE)
    assert elio.answers(elio.letter, "No, grazie").verdict == "ok"
    page = desk.opens(here)
    assert page.count("partecipa") == 3
    assert "ha detto di no" in page
    desk.presses("Scrivi ai giocatori")
    shown = desk.sends(to="missing", it="Ultimo posto libero!")
    assert "dario@example.it" in shown
    assert "elio@example.it" not in shown
    desk.sends()
    sent(post)
    dario = people["Dario"]
    assert "Ultimo posto libero!" in dario.letter.text
    assert dario.answers(dario.letter, "SÌ Dario").verdict == "ok"
    assert {player.name for player in cup.players()} == {*NAMES}


def begun(desk: Desk, post: Post, cup: Tournament) -> None:
    desk.opens(f"matches/tournament/{cup.pk}/change/")
    assert "Turno 1, davanti chi muove per primo" in desk.presses("Fai cominciare il torneo")
    desk.sends(begin="all")
    sent(post)
    assert Match.objects.filter(tournament=cup, status="playing").count() == 6


def played_by_mail(post: Post, people: dict[str, Correspondent]) -> Match:
    """A few moves in one match, until one of the two gives up."""
    match, rng = Match.objects.order_by("pk")[0], Random(7)
    for _ply in range(6):
        match = Match.objects.get(pk=match.pk)
        assert match.moving
        who = people[match.moving.player.name]
        move = match.game.write(match.current(), match.current().sample(rng), match.moving.player.notation)
        assert who.writes(f"{match.pk} {move}").verdict == "ok"
    loser = people[Match.objects.get(pk=match.pk).moving.player.name]
    loser.writes(f"ABBANDONO {match.pk}")
    assert loser.answers(loser.letter, "SÌ ABBANDONO").verdict == "ok"
    return Match.objects.get(pk=match.pk, status="over")


def reminded(desk: Desk, post: Post, cup: Tournament, people: dict[str, Correspondent]) -> None:
    """Nine days go by in one match."""
    late = Match.objects.filter(status="playing").order_by("pk")[0]
    Match.objects.filter(pk=late.pk).update(to_move_since=timezone.now() - timedelta(days=9))
    name, opponent = late.moving.player.name, late.seated[1 - late.moving.side].player.name
    assert f"{name} è in ritardo con {opponent}" in desk.opens()
    desk.opens(f"matches/match/?awaited=7&event={cup.pk}")
    desk.page.locator("[name=_selected_action]").first.check()
    desk.page.locator("select[name=action]").select_option("remind")
    follows = desk.follows(desk.page.locator("button[name=index]"))
    assert f"[{late.pk}] {name}, contro {opponent}" in follows
    assert "1 giocatore è stato sollecitato." in desk.sends()
    sent(post)
    assert "9 giorni" in " ".join(people[name].letter.text.split()) or people[name].letter.kind == "reminder"


def printed(desk: Desk, cup: Tournament, ended: Match, folder: Path) -> None:
    desk.opens(f"matches/match/{ended.pk}/change/")
    desk.presses("Per il bollettino")
    desk.sends(title="Che finale", words="Una **bella** lotta.", positions="2. E adesso?")
    desk.opens(f"matches/tournament/{cup.pk}/change/")
    desk.presses("Bollettino")
    with desk.page.expect_download() as download:
        desk.page.locator("[name=words]").fill("Cari amici, *si comincia*.")
        desk.page.locator("[name=publish]").check()
        desk.page.locator(".desk-form button").first.click()
    download.value.save_as(folder / "bulletin.zip")
    with ZipFile(folder / "bulletin.zip") as archive:
        archive.extractall(folder)
    page = desk.page.context.new_page()
    page.goto((folder / "bulletin.html").as_uri())
    said = page.inner_text("body")
    for words in (
        "Coppa d'autunno",
        "Che finale",
        "si comincia",
        "E adesso?",
        "1 partita finita, 5 in corso",
    ):
        assert words in said
    assert page.locator("figure img").evaluate("img => img.naturalWidth") > 300
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
    assert cup.bulletins.count() == 1
