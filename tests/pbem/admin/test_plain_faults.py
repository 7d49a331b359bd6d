"""What an organiser stumbled over: clicks that acted at once, names that nobody reads, pages that took a second."""

import re
from random import Random

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import override

from pbem.admin.base.lists import in_words
from pbem.competitions.tournaments import begin_round_robin, open_tournament
from pbem.matches.models import Event, Match
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.players.models import Address, Player


def page(match: Match) -> str:
    return f"/admin/matches/match/{match.pk}/change/"


def test_new_reply_addresses_are_asked_first(desk: Client, match: Match) -> None:
    where = f"/admin/matches/match/{match.pk}/press/new-addresses-1/"
    salt = bytes(match.seated[1].salt)
    assert f'<a href="{where}"' in desk.get(page(match)).content.decode()
    asked = desk.get(where)
    assert asked.status_code == 200
    assert asked.context["tells"]
    assert bytes(Match.objects.get(pk=match.pk).seated[1].salt) == salt
    assert desk.post(where).status_code == 302
    assert bytes(Match.objects.get(pk=match.pk).seated[1].salt) != salt


def test_clocks_are_stopped_only_where_there_are_some(
    desk: Client, match: Match, alice: Player, bruno: Player
) -> None:
    assert "/press/stop/" not in desk.get(page(match)).content.decode()
    players = {"first": alice, "second": bruno}
    timed = start(**players, game="loa", terms=Terms(clock="10d"), now=timezone.now(), rng=Random(1))
    assert "/press/stop/" in desk.get(page(timed)).content.decode()


def test_the_steps_of_the_board_have_names(desk: Client, match: Match, language: str) -> None:
    shown = desk.get(f"{page(match)}?ply=2").content.decode()
    names = {
        "en": ["The start", "One half-move back", "One half-move on", "The last half-move"],
        "it": ["L&#x27;inizio", "Una semimossa indietro", "Una semimossa avanti", "L&#x27;ultima semimossa"],
    }[language]
    assert re.findall(r'#board" aria-label="([^"]+)"', shown) == names


def test_who_may_only_look_sees_since_when_an_address_is_verified(alice: Player) -> None:
    user = User.objects.create_user("carla", is_staff=True)
    user.groups.add(Group.objects.get(name="read-only"))
    browser = Client(headers={"accept-language": "it"})
    browser.force_login(user)
    where = f"/admin/players/player/{alice.pk}/change/"
    shown = browser.get(where).content.decode()
    assert "alice@example.org" in shown
    assert re.search(r"0?2/03/2026", shown)
    Address.objects.update(verified_at=None)
    assert not re.search(
        r"field-is_verified.{0,300}02/03/2026", browser.get(where).content.decode(), re.DOTALL
    )


def test_the_settings_of_letters_are_folded_below_the_rest(desk: Client, alice: Player) -> None:
    fieldsets = desk.get(f"/admin/players/player/{alice.pk}/change/").context["adminform"].fieldsets
    (_, first), (_, folded) = fieldsets
    assert "turns" not in first["fields"]
    assert "collapse" in folded["classes"]
    assert {"turns", "receipts", "theme"} <= set(folded["fields"])


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "-"),
        ("2026-03-02T12:00:00+00:00", "02/03/2026 13:00"),
        ("2026-03-02T12:00:00.123Z", "02/03/2026 13:00"),
        ("2026-99-99T12:00:00+00:00", "2026-99-99T12:00:00+00:00"),
        ({"days": 3, "seen": False, "reason": ""}, "giorni: 3, seen: No"),
        ([{"email": "a@b.it"}, {"email": "c@d.it"}], "indirizzo: a@b.it; indirizzo: c@d.it"),
        ([], "-"),
        (True, "Sì"),
        ("a word", "a word"),
    ],
)
def test_values_are_words_and_moments(db: None, value: object, said: str) -> None:

    with override("it"):
        assert in_words(value) == said


def test_an_event_shows_no_python(desk: Client, match: Match) -> None:
    event = match.events.latest("pk")
    Event.objects.filter(pk=event.pk).update(facts={"until": "2026-03-02T12:00:00+00:00", "days": 3})
    shown = desk.get(f"/admin/matches/event/{event.pk}/change/").content.decode()
    assert "{&#x27;" not in shown
    assert "2026-03-02T" not in shown


def test_a_large_table_takes_few_questions(desk: Client) -> None:
    def questions(players: int) -> int:
        cup = open_tournament(f"Cup {players}", game="loa", system="single", now=timezone.now())
        entered = [
            Player.objects.create(name=f"P{players}x{number}<", language="en") for number in range(players)
        ]
        begin_round_robin(cup, entered, at_once=True, now=timezone.now(), rng=Random(1))
        with CaptureQueriesContext(connection) as asked:
            shown = desk.get(f"/admin/matches/tournament/{cup.pk}/change/").content.decode()
        assert f"P{players}x0&lt;" in shown
        assert f"P{players}x0<" not in shown
        return len(asked)

    questions(3)  # what is asked once in the life of a process
    assert questions(4) == questions(12) <= 14  # three of them: session, user, second factor
