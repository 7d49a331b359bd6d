"""Clocks at the desk: what was agreed and what is left, and who waits for a decision."""

from random import Random

import pytest
from django.test import Client

from pbem.matches.deadlines import flag
from pbem.matches.models import Match
from pbem.matches.services import accept, propose
from pbem.players.models import Player
from tests.pbem.desk.conftest import NOON


@pytest.fixture
def timed(alice: Player, bruno: Player) -> Match:
    options = ["first", "10d+36h<=10d", "timeout=adjudicate"]
    match = propose(challenger=alice, opponent=bruno, game="loa", options=options, now=NOON, rng=Random(1))
    accept(match.seated[1], now=NOON)
    return match


def test_a_match_shows_its_clock(desk: Client, timed: Match, match: Match, language: str) -> None:
    shown = desk.get(f"/admin/matches/match/{timed.pk}/change/").content.decode()
    words = {
        "en": ("Each player begins with 10 days", "Bruno: 10 days"),
        "it": ("Ognuno comincia con 10 giorni", "Bruno: 10 giorni"),
    }
    for word in words[language]:
        assert word in shown
    free = desk.get(f"/admin/matches/match/{match.pk}/change/").content.decode()
    assert words[language][0] not in free


def test_the_desk_lists_who_waits_for_its_decision(desk: Client, timed: Match, match: Match) -> None:
    assert flag(Match.objects.all(), timed.pk, now=NOON)
    over = desk.get("/admin/matches/match/", {"flagged_at": "1"})
    assert list(over.context["cl"].result_list) == [timed]
