"""A limit is reached: the letter says what it is, what counts, and how to end one, with a button that does it."""

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import unquote

import pytest
from pytest_django import Settings

from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.matches.models import Match, Seek
from pbem.players.models import Address
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post, unwrapped

Begin = Callable[..., Match]


def buttons(letter: Delivery) -> list[str]:
    """The lines that they send, without that of every letter."""
    bodies = re.findall(r'href="mailto:[^"]*body=([^"&]*)', unescape(letter.html))
    return [unquote(body) for body in bodies if body not in ("HELP", "AIUTO")]


@pytest.fixture(autouse=True)
def robots(settings: Settings) -> None:
    settings.ROBOT_MATCHES = 2


@pytest.mark.parametrize(
    ("name", "line", "subject", "told", "resigns"),
    [
        (
            "alice",
            "CHALLENGE Robot-3 loa",
            "CHALLENGE Robot-3 loa: You play 2 matches with robots, which is the limit",
            "We read: CHALLENGE Robot-3 loa",
            "RESIGN",
        ),
        (
            "bruno",
            "SFIDA Robot-3 loa",
            "SFIDA Robot-3 loa: hai già 2 partite in corso con i robot, il massimo",
            "Abbiamo letto: SFIDA Robot-3 loa",
            "ABBANDONO",
        ),
    ],
)
def test_of_matches_with_robots(
    name: str, line: str, subject: str, told: str, resigns: str, request: pytest.FixtureRequest
) -> None:
    player: Correspondent = request.getfixturevalue(name)
    verb = line.split()[0]
    for level in (1, 2):
        player.writes(f"{verb} Robot-{level} zertz")
    assert player.writes(line).verdict == Code.TOO_MANY_ROBOTS
    letter = player.letter
    assert letter.subject == subject
    assert told in unwrapped(letter.text)
    lines = [f"{resigns} {match.pk}" for match in Match.objects.order_by("pk")]
    assert buttons(letter) == lines
    assert (
        f"Zèrtz, {player.name} – Robot-1:" in letter.text or f"Zèrtz, Robot-1 – {player.name}:" in letter.text
    )
    assert player.answers(letter, lines[0]).verdict == Code.CONFIRM_NEEDED
    player.answers(player.letter, f"{ {'RESIGN': 'YES', 'ABBANDONO': 'SÌ'}[resigns] } {resigns}")
    assert player.writes(line).verdict == "ok"


def test_of_open_offers(alice: Correspondent) -> None:
    while alice.writes("OFFER zertz").verdict == "ok":
        assert Seek.objects.count() < 30
    assert alice.letter.subject.startswith(f"OFFER zertz: You have {Seek.objects.count()} open offers")
    assert buttons(alice.letter)[0] == f"CLOSE {Seek.objects.earliest('pk').pk}"
    assert alice.answers(alice.letter, buttons(alice.letter)[0]).verdict == "ok"


@pytest.mark.parametrize(("name", "line", "day"), [("alice", "AWAY", "June"), ("bruno", "ASSENTE", "giugno")])
def test_of_absences(name: str, line: str, day: str, request: pytest.FixtureRequest) -> None:
    player: Correspondent = request.getfixturevalue(name)
    for number in (1, 3, 5):
        player.writes(f"{line} {number} {day}")
    assert player.writes(f"{line} 9 {day}").verdict == Code.TOO_MANY_ABSENCES
    found = buttons(player.letter)
    assert len(found) == 3
    for each in found:
        assert player.writes(each).verdict == "ok"
    assert player.writes(f"{line} 9 {day}").verdict == "ok"


def test_of_addresses(alice: Correspondent) -> None:
    for number in range(4):
        Address.objects.create(
            player=alice.player, email=f"a{number}@example.org", verified_at=alice.post.now
        )
    alice.writes("ADD ADDRESS b@example.org")
    assert alice.answers(alice.letter, "YES ADDRESS").verdict == Code.TOO_MANY_ADDRESSES
    assert "You have 5 addresses, which is the limit." in unwrapped(alice.letter.text)
    assert "REMOVE ADDRESS a3@example.org" in buttons(alice.letter)


def test_of_what_is_done_in_a_day(post: Post, alice: Correspondent, bruno: Correspondent) -> None:
    for cap, line, said in (
        (
            "invitations",
            "CHALLENGE dora@example.net zertz",
            "invited addresses 3 times today, which is the limit",
        ),
        ("challenges", "CHALLENGE Bruno zertz", "joined offers 30 times today, which is the limit"),
        ("absences", "AWAY 9 June", "announced absences 10 times today, which is the limit"),
    ):
        for _ in range(CAPS[cap].most):
            take_place(cap, f"player:{alice.player.pk}", post.now)
        alice.writes(line)
        letter = alice.letter
        assert letter.subject.startswith(f"{line}: You have "), line
        assert said in unwrapped(letter.text)
        assert f"We read: {line}" in unwrapped(letter.text)
    assert bruno.letters == []


def test_whoever_is_away_can_always_come_back(begin: Begin, post: Post, alice: Correspondent) -> None:
    begin("loa 3d/move")
    alice.writes("AWAY 5 DAYS")
    for _ in range(CAPS["absences"].most):
        take_place("absences", f"player:{alice.player.pk}", post.now)
    assert alice.writes("AWAY 9 June").verdict == Code.TOO_OFTEN_AWAY
    assert alice.writes("BACK").verdict == "ok"
    assert alice.player.away_until(post.now) is None


def test_of_what_is_asked_in_a_match(begin: Begin, post: Post, alice: Correspondent) -> None:
    seat = begin("loa 3d/move").seated[0]
    for _ in range(CAPS["asks"].most):
        take_place("asks", f"seat:{seat.pk}", post.now)
    assert alice.writes("GIVE 2 HOURS").verdict == Code.TOO_MUCH_ASKED
    assert "20 times today, which is the limit" in unwrapped(alice.letter.text)
    assert "We read: GIVE 2 HOURS" in unwrapped(alice.letter.text)
