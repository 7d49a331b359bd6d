"""A visitor who follows every link finds no hidden name, number, day, word or half-move, and gets no cookie."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from random import Random

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from pbem.admin.people.erasure import erase
from pbem.bulletin.issue import next_bulletin
from pbem.bulletin.models import Bulletin, Commentary
from pbem.competitions.models import Competition
from pbem.competitions.tournaments import begin_round_robin, open_tournament
from pbem.matches.matchmaking.seeks import offer
from pbem.matches.models import Match
from pbem.matches.services import play, resign, start
from pbem.matches.terms import Terms
from pbem.players.models import Player
from pbem.published.visible import shown
from tests.pbem.competitions.played import opened, swept
from tests.pbem.site.conftest import NOON, Site, match, player

URL = re.compile(
    rf'(?:href|src|content|url)="?(?:{re.escape(settings.SITE_URL)})?(/(?:en|it)/[^"<#]*)|<loc>[^<]*?(/(?:en|it)/[^<]*)'
)
LATE = ("c8-e6", "c2-b1", "e8-c6")  # played within the delay
OPEN = {"Anna": Site.NAMED, "Aldo": Site.NAMED, "Berta": Site.INDEXED}
NOT_FOR_SEARCH = ("Anna", "Aldo")
HIDDEN = {"Carlotta": Site.UNNAMED, "Cosimo": Site.UNNAMED, "Dionisio": Site.NO}
STEPS = OPEN | HIDDEN


def late(first: Player, second: Player) -> Match:
    """Begins a match; its last three half-moves are not shown yet."""
    begun = start(first=first, second=second, game="loa", terms=Terms(), now=NOON, rng=Random(1))
    for move in ("b1-b3", "a2-c2", "b8-b6", "h7-f7", *LATE):
        begun = Match.objects.get(pk=begun.pk)
        assert begun.moving
        play(begun.moving, move, now=NOON, message="SECRET words")
    return Match.objects.get(pk=begun.pk)


@pytest.fixture
def people() -> dict[str, Player]:
    return {name: player(name, step) for name, step in STEPS.items()}


@pytest.fixture
def season(people: dict[str, Player]) -> list[Match]:
    """Each plays each: one match over, one going on, and one in private; all enter a public contest, and a tournament
    whose bulletin tells of each match.
    """
    found = []
    everybody = list(people.values())
    for number, one in enumerate(everybody):
        for other in everybody[number + 1 :]:
            found += [match(one, other, rated=True), late(one, other), match(one, other, private=True)]
    for one in everybody:
        offer(one, game="loa", now=timezone.now(), rng=Random(1))
    opened("round_robin", everybody)
    swept()
    told_in_a_bulletin(everybody)
    Competition.objects.update(public=True)
    return [*found, *Match.objects.exclude(pk__in=[each.pk for each in found])]


def told_in_a_bulletin(players: list[Player]) -> Bulletin:
    """Plays a tournament, and publishes a number with comments on each match."""
    cup = open_tournament("Cup", game="loa", system="single", now=NOON)
    for begun in begin_round_robin(cup, players, at_once=True, now=NOON, rng=Random(1)):
        assert begun.moving
        play(begun.moving, "b1-b3", now=NOON)
        one, other = Match.objects.get(pk=begun.pk).seated
        resign(one, now=NOON + timedelta(days=1))
        said = Commentary.objects.create(
            match=begun, title=f"{one.player} and {other.player}", words=f"{other.player}!", written_at=NOON
        )
        said.positions.create(plies=1, caption=f"{one.player} begins")
    words = f"All played: {', '.join(each.name for each in players)}."
    bulletin = next_bulletin(cup, language="en", words=words, now=NOON + timedelta(days=2))
    bulletin.save()
    return bulletin


def crawl(client: Client, begin: list[str]) -> dict[str, str]:
    """Follows what a page links to, within both languages."""
    found: dict[str, str] = {}
    left = list(begin)
    while left:
        path = left.pop()
        if path in found:
            continue
        answer = client.get(path)
        assert answer.status_code in (200, 301, 302), path
        assert not answer.cookies, path
        assert "Cookie" not in answer.headers.get("Vary", ""), path
        kind = answer.headers["Content-Type"]
        if "noindex" not in answer.headers.get("X-Robots-Tag", "") and not path.startswith("/en/search"):
            assert not any(name in answer.content.decode("latin-1") for name in NOT_FOR_SEARCH), path
        text = "" if kind.startswith("image/p") or kind.startswith("image/g") else answer.content.decode()
        found[path] = unescape(text)
        left += [unescape(one or other) for one, other in URL.findall(text)]
        if location := answer.headers.get("Location"):
            left.append(location)
    return found


def test_nothing_hidden_is_anywhere(season: list[Match], people: dict[str, Player]) -> None:
    asked = [*STEPS, "c", "d", *(str(each.pk) for each in season)]
    begin = [
        "/en/",
        "/it/",
        "/en/sitemap.xml",
        "/it/sitemap.xml",
        *(f"/en/search?q={text}" for text in asked),
    ]
    found = crawl(Client(), begin)
    assert len(found) > 400
    everything = "\n".join(text for path, text in found.items() if not path.startswith("/en/search"))
    for name in OPEN:
        assert name in everything
    bulletins = [text for path, text in found.items() if "/bulletins/" in path]
    assert len(bulletins) == 2
    assert all("Anna and Aldo" in text for text in bulletins)
    for name in HIDDEN:
        assert name not in everything
        assert f"players/{name}" not in found[f"/en/search?q={name}"]
    assert "SECRET" not in everything
    assert "@example.org" not in everything.replace("friend@example.org", "").replace("amica@example.org", "")
    now = timezone.now()
    for each in season:
        seen = shown(each, now)
        own = {
            path: text for path, text in found.items() if re.match(rf"/\w\w/(matches|embed)/{each.pk}/", path)
        }
        if seen is None:
            assert not own, each.pk
            assert f"/matches/{each.pk}/" not in everything
            continue
        assert own, each.pk
        if seen.live:
            assert not any(move in text for text in own.values() for move in LATE)
            assert not any(re.search(rf"/{each.pk}/(small-)?[5-7][-/]", path) for path in own)
        if not seen.dated:
            assert not any("3 March" in text or "03-03" in text or "3 marzo" in text for text in own.values())


def test_a_hidden_match_cannot_be_tried_by_its_numbers(season: list[Match]) -> None:
    client, now = Client(), timezone.now()
    nothing = client.get("/en/matches/987654/")
    for each in season:
        if shown(each, now) is None:
            for path in (
                "matches/{}/",
                "matches/{}/1/",
                "matches/{}/record.json",
                "embed/{}/1/",
                "matches/{}/1-0123456789abcdef.png",
            ):
                answer = client.get("/en/" + path.format(each.pk))
                assert (answer.status_code, answer.content) == (404, nothing.content)


def test_an_erased_player_is_gone_from_all_pages_at_once(
    people: dict[str, Player], season: list[Match]
) -> None:
    anna = people["Anna"]
    for each in Match.objects.of(anna).alive():
        resign(Match.objects.get(pk=each.pk).seated[0], now=timezone.now())
    erase(anna, now=timezone.now())
    assert "Anna" not in "\n".join(crawl(Client(), ["/en/"]).values())
