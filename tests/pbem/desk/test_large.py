"""The desk's own pages with 3,000 matches in tournaments: how many questions each asks, and what it costs."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from time import process_time

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from pbem.contests.models import Contest, Entrant
from pbem.contests.rounds import begin_edition
from pbem.matches.models import Match, Tournament
from pbem.matches.terms import Terms
from pbem.matches.tournaments.service import begin_round_robin, open_tournament
from pbem.players.models import Player
from pbem.players.names import fold

pytestmark = pytest.mark.prove
WHO = 3  # questions that every page asks: the session, the user, their second factor
PAGE = 12  # beside those
FRONT = 20  # eleven of them are the signs of life of the service, each from an index of its own table
CPU = 0.15  # seconds, the best of three
NOW = timezone.now()


def players(count: int) -> list[Player]:
    names = [f"Player {number}" for number in range(count)]
    return Player.objects.bulk_create(Player(name=name, folded=fold(name), language="it") for name in names)


def tournaments(entered: list[Player]) -> Iterator[Tournament]:
    """Four of forty players, 780 matches each: about half over, some late, all under a clock."""
    for number in range(4):
        cup = open_tournament(
            f"Coppa {number}",
            game="loa",
            system=Tournament.System.SINGLE,
            terms=Terms(clock="3d/move"),
            now=NOW,
        )
        begin_round_robin(cup, entered, at_once=True, now=NOW, rng=Random(number))
        every = cup.matches.order_by("pk")
        over = [pk for pk in every.values_list("pk", flat=True) if pk % 2]
        every.filter(pk__in=over).update(
            status=Match.Status.OVER, winner=0, reason="resigned", ended_at=NOW, to_move=None, deadline=None
        )
        every.filter(pk__in=[pk + 1 for pk in over[:50]]).update(to_move_since=NOW - timedelta(days=9))
        yield cup


def contest(entered: list[Player]) -> Contest:
    made = Contest.objects.create(
        name="Torneo", system=Contest.System.ROUND_ROBIN, game_name="loa", settings={"at_once": True}
    )
    Entrant.objects.bulk_create(
        Entrant(contest=made, player=player, entered_at=NOW) for player in entered[: made.chosen.most()]
    )
    begin_edition(made, now=NOW, rng=Random(1))
    return made


def test_pages_with_3000_matches(desk: Client) -> None:
    entered = players(40)
    cups = list(tournaments(entered))
    going = contest(entered)
    assert Match.objects.filter(tournament__isnull=False).count() >= 3000
    pages = {
        "front page": "/admin/",
        "tournaments": "/admin/matches/tournament/",
        "tournament": f"/admin/matches/tournament/{cups[0].pk}/change/",
        "contest": f"/admin/contests/contest/{going.pk}/change/",
        "matches": "/admin/matches/match/",
        "matches of one": f"/admin/matches/match/?tournament__id__exact={cups[0].pk}",
    }
    found = {}
    for name, where in pages.items():
        desk.get(where)  # what is asked and loaded once in the life of a process
        with CaptureQueriesContext(connection) as asked:
            assert desk.get(where).status_code == 200
        questions = len(asked) - WHO  # before the next request clears what was captured
        spent = []
        for _ in range(3):
            begun = process_time()
            desk.get(where)
            spent.append(process_time() - begun)
        found[name] = (questions, round(1000 * min(spent)))
    dear = {
        name: (questions, milliseconds)
        for name, (questions, milliseconds) in found.items()
        if questions > (FRONT if name == "front page" else PAGE) or milliseconds > 1000 * CPU
    }
    assert dear == {}, found
