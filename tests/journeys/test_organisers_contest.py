"""An Italian organiser's contest of groups in a real browser: opened, entered by mail, its groups changed, a
withdrawal, a late player, the final, the bulletin. axe-core finds nothing on any page of it."""

from collections import Counter
from datetime import timedelta
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest
from django.utils import timezone

from pbem.competitions.models import Competition, Entrant
from pbem.competitions.tasks import begin_and_end
from pbem.matches.models import Match
from tests.journeys.test_organisers_event import Desk, desk, sent
from tests.mail_fixtures import Correspondent, Post, registered
from tests.pbem.admin.test_accessibility import violations

pytestmark = [pytest.mark.browser, pytest.mark.prove]
__all__ = ["desk"]
# fmt: off
NAMES = (
    "Ada", "Bice", "Ciro", "Dario", "Elio", "Flora", "Gino", "Iole", "Lea", "Mara", "Nino", "Olga", "Pino", "Rita",
    "Sara", "Tito", "Ugo", "Vera", "Zeno", "Alba", "Bruna", "Carlo", "Delia", "Enzo", "Fabio", "Gaia", "Hedda", "Ivo",
    "Luca", "Mirko", "Nora", "Orso", "Paola", "Remo", "Silvia", "Tea", "Ubaldo", "Valeria", "Walter", "Zita",
)
# fmt: on
BY_LIST, LATECOMER = (
    NAMES[30:39],
    NAMES[39],
)  # entered by the organiser; and by mail when the groups are known
People = dict[str, Correspondent]


@pytest.mark.parametrize("page", [1280], indirect=True, ids=["desk"])
def test_a_cup_of_forty_from_its_form_to_the_final(desk: Desk, post: Post, tmp_path: Path) -> None:
    post.now = timezone.now()
    people = {name: registered(post, name, "it") for name in NAMES}
    cup = opened(desk)
    here = f"contests/competition/{cup.pk}/change/"
    entered(desk, post, here, cup, people)
    grouped(desk, here, cup)
    comes_late(desk, here, cup, people[LATECOMER])
    begun(desk, post, here, people)
    withdrawn(desk, post, here, people)
    awaited(desk)
    played(post, people)
    swept(post)
    final = Match.objects.filter(tournament__label="final").earliest("pk")
    assert final.tournament
    assert final.tournament.matches.count() == 10
    assert "comincia" in people[final.seated[0].player.name].letter.text.casefold()
    assert "Finale" in looked_at(desk, here)
    played(post, people)
    swept(post)
    winner = Entrant.objects.get(place=1)
    assert "La tua posizione finale: 1ª" in people[winner.player.name].letter.text
    for width in (390, 1280):
        desk.page.set_viewport_size({"width": width, "height": 900})
        assert winner.player.name in looked_at(desk, here)
        assert desk.page.evaluate("document.documentElement.scrollWidth") <= width
    printed(desk, final, tmp_path)


def looked_at(desk: Desk, where: str = "") -> str:
    """The page, on which axe-core finds nothing."""
    said = desk.opens(where)
    assert violations(desk.page) == [], where
    return said


def swept(post: Post) -> None:
    begin_and_end(now=timezone.now(), rng=Random(1))
    sent(post)


def opened(desk: Desk) -> Competition:
    looked_at(desk, "contests/competition/add/")
    desk.page.locator("[name=kind][value=groups]").check()
    looked_at(desk, "contests/competition/add/?kind=groups&game=loa")
    answers = {"name": "Coppa dei gironi", "clock": "3d/move"}
    told = desk.sends(**answers, size="8", advance="1", players="40")
    assert "140 partite" in told
    assert violations(desk.page) == []
    assert "Coppa dei gironi" in desk.sends()
    return Competition.objects.get()


def entered(desk: Desk, post: Post, here: str, cup: Competition, people: People) -> None:
    """Thirty by mail, nine from a pasted list."""
    for name in set(NAMES) - {*BY_LIST, LATECOMER}:
        assert people[name].writes(f"PARTECIPO {cup.pk}").verdict == "ok"
        assert "Sei in lista per Coppa dei gironi." in " ".join(people[name].letter.text.split())
    desk.opens(here)
    desk.presses("Iscrivi giocatori")
    assert violations(desk.page) == []
    assert "1: Nessuno" in desk.sends(players="Nessuno")
    desk.sends(players="\n".join(BY_LIST))
    page = looked_at(desk, here)
    assert {name for name in NAMES if name in page} == set(NAMES) - {LATECOMER}


def grouped(desk: Desk, here: str, cup: Competition) -> None:
    """Two of them change places."""
    desk.opens(here)
    desk.presses("Cambia i gironi")
    assert violations(desk.page) == []
    chosen = {
        field.get_attribute("name") or "": field.input_value()
        for field in desk.page.locator("select[name^=player_]").all()
    }
    first = next(name for name, group in chosen.items() if group == "1")
    second = next(name for name, group in chosen.items() if group == "2")
    desk.sends(**{first: "2", second: "1"})
    assert violations(desk.page) == []
    assert "I gironi sono stati cambiati." in desk.sends()
    kept = {f"player_{row.player_id}": str(row.division) for row in cup.entrants.all()}
    assert kept == chosen | {first: "2", second: "1"}


def comes_late(desk: Desk, here: str, cup: Competition, player: Correspondent) -> None:
    """The late player joins the smallest group; the other groups stay as they are."""
    before = dict(cup.entrants.values_list("player__name", "division"))
    assert player.writes(f"PARTECIPO {cup.pk}").verdict == "ok"
    desk.opens(here)
    desk.presses("Cambia i gironi")
    shown = {
        field.get_attribute("name"): field.input_value()
        for field in desk.page.locator("select[name^=player_]").all()
    }
    sizes = Counter(shown.values())
    assert sorted(sizes.values()) == [8, 8, 8, 8, 8]
    assert {
        name: shown[f"player_{pk}"] for name, pk in cup.entrants.values_list("player__name", "player")
    } == {
        **{name: str(division) for name, division in before.items()},
        player.player.name: shown[f"player_{player.player.pk}"],
    }


def begun(desk: Desk, post: Post, here: str, people: People) -> None:
    for each in people.values():
        each.reads()
    desk.opens(here)
    assert desk.presses("Comincia adesso").count("Girone A: ") == 28
    assert violations(desk.page) == []
    assert "La gara è cominciata" in desk.sends()
    sent(post)
    assert {tuple(each.kinds()) for each in people.values()} == {("contest_begins",)}


def withdrawn(desk: Desk, post: Post, here: str, people: People) -> None:
    """One letter to each whom it concerns."""
    gino = Entrant.objects.get(player__name="Gino")
    desk.opens(here)
    desk.presses("Ritira un giocatore")
    assert violations(desk.page) == []
    assert "Il ritiro è fatto" in desk.sends(entrant=str(gino.pk), reason="Trasloco in Perù")
    sent(post)
    told = [name for name, each in people.items() if "contest_withdrawn" in each.kinds()]
    assert len(told) == 8
    assert "Trasloco in Perù" in looked_at(desk, here)


def awaited(desk: Desk) -> None:
    late = Match.objects.filter(status="playing").order_by("pk")[0]
    Match.objects.filter(pk=late.pk).update(to_move_since=timezone.now() - timedelta(days=9))
    assert late.moving
    name, opponent = late.moving.player.name, late.seated[1 - late.moving.side].player.name
    said = looked_at(desk)
    assert f"{name} è in ritardo con {opponent}" in said


def played(post: Post, people: People) -> None:
    """Each match, by mail: who comes later in the alphabet gives up."""
    for match in Match.objects.filter(status="playing").order_by("pk"):
        loser = people[max(match.players)]
        loser.writes(f"ABBANDONO {match.pk}")
        assert loser.answers(loser.letter, "SÌ ABBANDONO").verdict == "ok"
    sent(post)
    assert not Match.objects.filter(status="playing").exists()


def printed(desk: Desk, final: Match, folder: Path) -> None:
    looked_at(desk, f"matches/tournament/{final.tournament_id}/change/")
    desk.presses("Bollettino")
    with desk.page.expect_download() as download:
        desk.page.locator("[name=words]").fill("La finale è *finita*.")
        desk.page.locator(".desk-form button").first.click()
    download.value.save_as(folder / "bulletin.zip")
    with ZipFile(folder / "bulletin.zip") as archive:
        page = archive.read("bulletin.html").decode()
    for said in ("Coppa dei gironi", "finale", *final.players):
        assert said in page
