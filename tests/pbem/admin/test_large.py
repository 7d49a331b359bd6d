"""The desk's own pages with 3,000 matches in tournaments and 25,000 letters: how many questions each asks, what it
costs, and how large the lists are."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from random import Random
from time import process_time

import pytest
from django.contrib import admin
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from pbem.competitions.models import Competition, Entrant
from pbem.competitions.rounds import begin_edition
from pbem.competitions.systems.table import SYSTEMS
from pbem.competitions.tournaments import begin_round_robin, open_tournament
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match, Tournament
from pbem.matches.terms import Terms
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.players.names import fold
from pbem.refusals import Code

pytestmark = pytest.mark.prove
WHO = 3  # questions that every page asks: the session, the user, their second factor
PAGE = 12  # beside those
FRONT_PAGE = 45  # its queues are counted one by one, and so is what the health is measured by
LETTERS = 25_000
ROWS = 2_000
HEAVIEST = 120_000  # bytes of a list, in either language; 81 were those of the matches
MOST = 30  # times what `work` takes, each the best of three: 14 to 21 were measured
NOW = timezone.now()


def work() -> None:
    """What every machine can do: it says how fast this one is now."""
    template = Template("{% for each in rows %}<td>{{ each|upper }}</td>{% endfor %}")
    template.render(Context({"rows": ["player"] * ROWS}))


def spent(deed: Callable[[], object]) -> float:
    """Seconds of processor time."""
    begun = process_time()
    deed()
    return process_time() - begun


def players(count: int) -> list[Player]:
    names = [f"Player {number}" for number in range(count)]
    return Player.objects.bulk_create(Player(name=name, folded=fold(name), language="it") for name in names)


def tournaments(entered: list[Player]) -> Iterator[Tournament]:
    """Four of forty players, 780 matches each: about half over, some late, all under a clock."""
    for number in range(4):
        cup = open_tournament(
            f"Coppa {number}",
            game="loa",
            system="single",
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


def letters() -> None:
    """Half came and half left; a few of each were set aside, and some came back."""
    matches = list(Match.objects.order_by("pk").values_list("pk", flat=True))
    half = range(LETTERS // 2)
    InboundMail.objects.bulk_create(
        InboundMail(
            raw=b"b1-b3",
            digest=f"{number:064}",
            recipient="play@pbem.localhost",
            queue_key=f"match:{number}",
            received_at=NOW - timedelta(minutes=number),
            match_id=matches[number % len(matches)],
            verdict=Code.POISON if number % 5000 == 7 else "ok",
        )
        for number in half
    )
    OutboundMail.objects.bulk_create(
        OutboundMail(
            cause=f"turn:{number}",
            kind="turn",
            address=f"player{number % 40}@example.org",
            domain="example.org",
            language="it",
            match_id=matches[number % len(matches)],
            sections=[{"kind": "turn"}],
            created_at=NOW - timedelta(minutes=number),
            next_try_at=NOW,
            message_id=f"<{number}@pbem.localhost>",
            status=OutboundMail.Status.FAILED if number % 5000 == 7 else OutboundMail.Status.SENT,
            verdict=Code.POISON if number % 5000 == 7 else "",
        )
        for number in half
    )


def contest(entered: list[Player], name: str, system: str = Competition.System.ROUND_ROBIN) -> Competition:
    settings = SYSTEMS[system]().kept()
    made = Competition.objects.create(name=name, system=system, game_name="loa", settings=settings)
    Entrant.objects.bulk_create(
        Entrant(contest=made, player=player, entered_at=NOW) for player in entered[: made.chosen.most()]
    )
    return made


def test_pages_with_3000_matches(desk: Client) -> None:
    entered = players(40)
    cups = list(tournaments(entered))
    letters()
    going = contest(entered, "Torneo")
    begin_edition(going, now=NOW, rng=Random(1))
    waiting = contest(entered, "Coppa che aspetta", Competition.System.GROUPS)
    series = contest(entered[:7], "Serie", Competition.System.LEAGUE)
    assert Match.objects.filter(tournament__isnull=False).count() >= 3000
    pages = {
        "front page": "/admin/",
        "tournament": f"/admin/matches/tournament/{cups[0].pk}/change/",
        "contest": f"/admin/contests/competition/{going.pk}/change/",
        "waiting contest": f"/admin/contests/competition/{waiting.pk}/change/",
        "its beginning": f"/admin/contests/competition/{waiting.pk}/press/begin/",
        "waiting league": f"/admin/contests/competition/{series.pk}/change/",
        "competitions": "/admin/contests/competition/",
        "tournament's withdrawal": f"/admin/matches/tournament/{cups[0].pk}/press/withdraw/",
        "letters in": "/admin/inbox/inboundmail/",
        "letters out": "/admin/outbox/outboundmail/",
        "matches": "/admin/matches/match/",
        "matches of one": f"/admin/matches/match/?tournament__id__exact={cups[0].pk}",
    }
    found = {}
    for name, where in pages.items():
        desk.get(where)  # what is asked and loaded once in the life of a process
        with CaptureQueriesContext(connection) as asked:
            assert desk.get(where).status_code == 200
        questions = len(asked) - WHO  # before the next request clears what was captured
        costs = [(spent(partial(desk.get, where)), spent(work)) for _ in range(3)]
        page, unit = map(min, zip(*costs, strict=True))
        found[name] = (questions, round(page / unit, 1))
    heavy = {}
    for model in admin.site._registry:
        here = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        heavy[here] = max(
            len(desk.get(here, headers={"accept-language": each}).content) for each in ("en", "it")
        )
    assert {here: size for here, size in heavy.items() if size > HEAVIEST} == {}, heavy
    dear = {
        name: (questions, units)
        for name, (questions, units) in found.items()
        if questions > (FRONT_PAGE if name == "front page" else PAGE) or units > MOST
    }
    assert dear == {}, found
