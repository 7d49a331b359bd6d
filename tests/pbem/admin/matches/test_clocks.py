"""Clocks at the desk: what was agreed and what is left, and who waits for a decision."""

import re
from datetime import timedelta
from random import Random

import pytest
import time_machine
from django.test import Client

from pbem.admin.matches.terms import TermsForm
from pbem.admin.models import AuditEntry
from pbem.competitions.tournaments import open_tournament
from pbem.matches.clock import outages
from pbem.matches.clock import service as clocks
from pbem.matches.clock.control import parse
from pbem.matches.clock.deadlines import flag
from pbem.matches.models import Component, Match, Reason
from pbem.matches.services import accept, propose
from pbem.matches.terms import Terms
from pbem.players.models import Holiday, Player
from tests.pbem.admin.conftest import NOON


@pytest.fixture
def timed(alice: Player, bruno: Player) -> Match:
    options = ["first", "10d+36h<=10d", "timeout=adjudicate"]
    match = propose(challenger=alice, opponent=bruno, game="loa", options=options, now=NOON, rng=Random(1))
    accept(match.seated[1], now=NOON)
    return match


def test_a_match_shows_its_clock(desk: Client, timed: Match, match: Match, language: str) -> None:
    shown = desk.get(f"/admin/matches/match/{timed.pk}/change/").content.decode()
    words = {
        "en": ("10 days to start", "Bruno: 10 days"),
        "it": ("10 giorni all&#x27;inizio", "Bruno: 10 giorni"),
    }
    for word in words[language]:
        assert word in shown
    free = desk.get(f"/admin/matches/match/{match.pk}/change/").content.decode()
    assert words[language][0] not in free


def test_the_terms_of_a_match_leave_its_clock_to_its_own_line(
    desk: Client, timed: Match, language: str
) -> None:
    """Both say "Clock" once, and an apostrophe is one."""
    shown = desk.get(f"/admin/matches/match/{timed.pk}/change/").content.decode()
    assert not re.search("There is no clock|Senza orologio", shown)
    assert not re.search("Clock: league|Orologio: lega", shown)
    assert "&amp;#x27;" not in shown
    assert {"en": "league, which is 10 days", "it": "lega, cioè 10 giorni"}[language] in shown


def test_the_terms_of_a_tournament_are_escaped_once(desk: Client) -> None:
    tournament = open_tournament("Autumn", game="loa", terms=Terms(clock="league"), now=NOON)
    shown = desk.get(
        f"/admin/matches/tournament/{tournament.pk}/change/", headers={"accept-language": "it"}
    ).content.decode()
    assert "10 giorni all&#x27;inizio" in shown


def test_a_match_shows_what_was_charged_to_nobody(
    desk: Client, timed: Match, match: Match, language: str
) -> None:
    """An outage is of all, a mailbox out of reach of one; what is set aside stops the clock until somebody decides."""
    hour = timedelta(hours=1)
    outages.write(
        NOON - 9 * hour, NOON - 8 * hour, component=Component.WORKER, now=NOON
    )  # the match had not begun
    outages.write(NOON + hour, NOON + 2 * hour, component=Component.DOOR, now=NOON + 2 * hour)
    clocks.exempt(timed.seated[0], NOON + 4 * hour, NOON + 5 * hour, Reason.MAILBOX, note="552 full")
    clocks.stop(timed, NOON + 6 * hour, "shunted")
    said = {
        "en": [
            "Not counted:",
            "to this day · message set aside",
            "mailbox out of reach · Alice · 552 full",
            "messages on their way · mail door",
            "outage · mail door",
        ],
        "it": [
            "Non contati:",
            "finora · messaggio messo da parte",
            "casella irraggiungibile · Alice · 552 full",
            "messaggi in viaggio · porta della posta",
            "interruzione · porta della posta",
        ],
    }[language]
    shown = desk.get(f"/admin/matches/match/{timed.pk}/change/").content.decode()
    places = [shown.find(words) for words in said]
    assert -1 not in places
    assert places == sorted(places), "the newest first"
    assert shown.count("outage ·") + shown.count("interruzione ·") == 1
    free = desk.get(f"/admin/matches/match/{match.pk}/change/").content.decode()
    assert said[0] not in free, "where nobody's time is limited"


def test_the_desk_lists_who_waits_for_its_decision(desk: Client, timed: Match, match: Match) -> None:
    assert flag(Match.objects.all(), timed.pk, now=NOON)
    over = desk.get("/admin/matches/match/", {"clock": "flagged"})
    assert list(over.context["cl"].result_list) == [timed]


def test_a_match_is_started_with_a_clock(desk: Client, alice: Player, bruno: Player, language: str) -> None:
    wish = {"first": alice.pk, "second": bruno.pk, "game": "loa", "clock": "3d/move", "policy": "claim"}
    refused = desk.post("/admin/matches/match/add/", wish | {"clock": "20d+1d<=10d"})
    assert refused.context["adminform"].form.errors["clock"]
    desk.post("/admin/matches/match/add/", wish | {"absence": "on"})
    match = Match.objects.get()
    assert (match.agreed.clock, match.agreed.policy, match.agreed.rests) == ("3d/move", "claim", True)
    assert match.deadline == match.seated[0].running_since + timedelta(days=3)


def test_a_holiday_is_announced_and_taken_back(desk: Client, timed: Match, language: str) -> None:
    """Alice's ten days would end on the twelfth of March."""
    add = "/admin/players/holiday/add/"
    with time_machine.travel(NOON, tick=False):
        near = desk.post(add, {"day": "2026-03-02"})
        assert near.context["adminform"].form.errors["day"]
        desk.post(add, {"day": "2026-03-10"})
        timed.refresh_from_db()
        assert timed.deadline == NOON + timedelta(days=11)
        holiday = Holiday.objects.get()
        page = desk.get(f"/admin/players/holiday/{holiday.pk}/change/").content.decode()
        assert {"en": "Take it back", "it": "Ritiralo"}[language] in page
        desk.post(f"/admin/players/holiday/{holiday.pk}/press/take-back/")
        timed.refresh_from_db()
        assert timed.deadline == NOON + timedelta(days=10)
    assert not Holiday.objects.exists()
    assert set(AuditEntry.objects.values_list("verb", flat=True)) == {"keep", "take-back"}


def test_the_forms_propose_the_clock_of_a_league(desk: Client, language: str) -> None:
    name = {"en": "league", "it": "lega"}[language]
    for where in (
        "/admin/matches/match/add/",
        "/admin/contests/competition/add/?kind=pairings&game=loa",
        "/admin/contests/competition/add/?kind=single&game=loa",
    ):
        form = desk.get(where).context["adminform"].form
        assert form["clock"].value() == name
        read = TermsForm({"clock": name})
        assert read.is_valid()
        assert read.cleaned_data["terms"].control == parse("10d+36h<=10d")
    spelled = {
        "": "10d+36h<=10d", "7 days per move": "7d", "no clock": None, "senza orologio": None
    }  # fmt: skip
    for written, meant in spelled.items():
        read = TermsForm({"clock": written})
        assert read.is_valid()
        assert read.cleaned_data["terms"].control == (parse(meant) if meant else None)
