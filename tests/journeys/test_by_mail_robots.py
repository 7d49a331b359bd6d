"""A robot is challenged by mail and played with to the end; it has no address, and nobody misses one."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from pytest_django import Settings

from pbem.admin.people.erasure import erase
from pbem.admin.people.services import merge
from pbem.inbox.time_forfeits import flag_overdue
from pbem.matches.matchmaking.eligibility import reliability_of
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.refusals import Code
from pbem.robots import services
from tests.mail_fixtures import Correspondent, Post
from tests.pbem.robots.conftest import any_move, in_process

SPOKEN = {
    "Alice": ("challenge robot 1 insert first", "Robot-1", "Your turn", "You lost", "You won"),
    "Bruno": ("Sfida robot1 insert primo", "Robot-1", "Tocca a te", "Hai perso", "Hai vinto"),
}


def thinks(post: Post) -> None:
    for pk in list(services.due(now=post.now)):
        services.think(pk, now=post.now, ask=in_process)
    post.send()


def test_a_move_and_the_answer_to_it_come_in_one_letter(alice: Correspondent, post: Post) -> None:
    alice.writes("challenge robot 1 insert first")
    [begun] = alice.reads()
    assert alice.answers(begun, "d4").verdict == "ok"
    assert alice.reads() == []
    thinks(post)
    [told] = alice.reads()
    assert told.kind == "turn"
    assert "Robot-1 played" in told.text
    assert "Played: d4" not in told.text
    assert alice.answers(told, any_move(Match.objects.get(), "en")).verdict == "ok"


def test_where_the_robot_is_slow_the_receipt_leaves_alone(alice: Correspondent, post: Post) -> None:
    alice.writes("challenge robot 1 insert first")
    alice.answers(alice.letter, "d4")
    alice.reads()
    post.wait(minutes=3)
    post.send()
    [receipt] = alice.reads()
    assert (receipt.kind, "Played: d4" in receipt.text) == ("played", True)
    thinks(post)
    assert [letter.kind for letter in alice.reads()] == ["turn"]


def test_what_else_is_asked_with_the_move_is_answered_at_once(alice: Correspondent) -> None:
    alice.writes("challenge robot 1 insert first")
    alice.reads()
    assert alice.answers(alice.letters[-1], "d4\nRULES").verdict == "ok"
    [answer] = alice.reads()
    assert "Played: d4" in answer.text
    assert "Get five rings of your colour" in answer.text


@pytest.mark.prove
@pytest.mark.parametrize("name", SPOKEN)
def test_it_is_challenged_and_played_with_to_the_result(
    name: str, alice: Correspondent, bruno: Correspondent, post: Post
) -> None:
    person = {"Alice": alice, "Bruno": bruno}[name]
    said, robot, your_turn, *results = SPOKEN[name]
    assert person.writes(said).verdict == "ok"
    [letter] = person.reads()
    assert (letter.kind, robot in letter.subject, your_turn in letter.text) == ("turn", True, True)
    match = Match.objects.get()
    while True:
        person.answers(letter, any_move(match, person.player.language))
        assert match.ply + 1 == Match.objects.get().ply or person.letter.kind == "result"
        thinks(post)
        match.refresh_from_db()
        letter = person.letter
        if match.status == "over":
            break
        assert letter.kind == "turn"
    assert (letter.kind, match.ply > 4) == ("result", True)  # seeds have the number of the match
    assert any(result in letter.text for result in results) or match.winner is None
    assert {row.address for row in OutboundMail.objects.all()} == {person.email}
    assert not OutboundMail.objects.filter(player__robot__isnull=False).exists()
    person.answers(letter, "REMATCH" if name == "Alice" else "RIVINCITA")
    thinks(post)
    begun = person.reads()[-1]
    assert (begun.kind, robot in begun.subject) == ("turn", True), "the sides are changed, and it begins"
    assert Match.objects.count() == 2


@pytest.mark.parametrize("name", ["Alice", "Bruno"])
def test_a_master_who_has_used_up_the_day_says_as_whom_it_plays(
    name: str, alice: Correspondent, bruno: Correspondent, post: Post, settings: Settings
) -> None:
    settings.ROBOT_CPU_PER_DAY = 0
    person = {"Alice": alice, "Bruno": bruno}[name]
    said = {"Alice": "CHALLENGE Robot insert first level=3", "Bruno": "SFIDA robot-1 insert livello 3 primo"}
    assert person.writes(said[name]).verdict == "ok"
    person.answers(person.letter, any_move(Match.objects.get(), person.player.language))
    thinks(post)
    told = " ".join(person.letter.text.split())
    assert {
        "Alice": "Robot-3 has used up today's thinking time: it plays like Robot-2 for now.",
        "Bruno": "Robot-3 ha pensato quanto può in un giorno: per ora gioca come Robot-2.",
    }[name] in told


def test_of_robots_nobody_has_more_than_a_few(alice: Correspondent, settings: Settings) -> None:
    settings.ROBOT_MATCHES = 3
    for number, called in enumerate(("Robot-1", "robot2", "ROBOT 3", "Robot")):
        row = alice.writes(f"CHALLENGE {called} loa first")
        assert row.verdict == ("ok" if number < 3 else Code.TOO_MANY_ROBOTS)
    assert "You play 3 matches with robots" in alice.letter.text
    seated = Match.objects.order_by("pk").values_list("seats__player__robot", flat=True)
    assert sorted(filter(None, seated)) == [1, 2, 3]


@pytest.mark.prove
def test_what_is_asked_of_it_by_mail_it_grants(alice: Correspondent, post: Post) -> None:
    alice.writes("CHALLENGE Robot-1 loa first")
    match = Match.objects.get()
    alice.answers(alice.letter, any_move(match))
    thinks(post)
    alice.answers(alice.letter, "UNDO")
    thinks(post)
    assert Match.objects.get().ply == 0
    assert alice.letter.kind == "undone"
    alice.answers(alice.letter, "PAUSE 7 days")
    thinks(post)
    assert alice.letter.kind == "paused"
    alice.answers(alice.letter, any_move(match))
    thinks(post)
    assert Match.objects.get().ply == 2
    alice.answers(alice.letter, "RESIGN")
    alice.answers(alice.letter, "YES RESIGN")
    assert (alice.letter.kind, Match.objects.get().reason) == ("result", "resigned")


def test_it_has_no_address_and_nothing_that_needs_one_minds(alice: Correspondent, post: Post) -> None:
    robots = Player.objects.robots()
    assert [robot.name for robot in robots] == ["Robot-1", "Robot-2", "Robot-3"]
    for asked in (Player.objects.reachable(), Player.objects.unreachable(), Player.objects.people()):
        assert not asked.filter(robot__isnull=False).exists()
    alice.writes("CHALLENGE Robot-1 loa second")
    post.wait(minutes=3)
    post.send()
    assert alice.kinds() == ["turn"]
    post.wait(days=40)
    post.live()
    assert flag_overdue(now=post.now) == 0, "a machine that stands still loses no match"
    post.digest()
    assert alice.kinds() == []
    for said, kind in (
        ("STATS", "rating"),
        ("MESSAGE Robot-1: hello?", "refused"),
        ("GAMES", "games"),
    ):
        alice.writes(said)
        assert alice.kinds() == [kind]
    for who in (alice.player, robots[1]):
        with pytest.raises(ValidationError):
            merge(who, robots[0], now=post.now)
        with pytest.raises(ValidationError):
            merge(robots[0], who, now=post.now)
    with pytest.raises(ValidationError):
        erase(robots[2], now=post.now)


def test_whose_time_is_over_loses_against_it_too_and_that_is_nobodys_news(
    alice: Correspondent, post: Post
) -> None:
    alice.writes("CHALLENGE Robot-1 loa 3d/move first")
    post.wait(days=4)
    post.live()
    match = Match.objects.get()
    Match.objects.update(status="over", reason="time", winner=1, to_move=None, ended_at=post.now)
    known = reliability_of(alice.player, post.now + timedelta(days=1))
    assert (known.timeouts, known.moves) == (0, 0)
    assert match.seated[1].player.robot == 1


def test_words_about_robots_are_talk(alice: Correspondent) -> None:
    alice.writes("Robot-1 plays rather well.\nI challenge the robot 2 times a day, loa is my game.")
    assert not Match.objects.exists()
    assert alice.writes("REGISTER Robot-4").verdict != "ok"


def test_help_and_lists_say_where_somebody_to_play_with_is(
    alice: Correspondent, bruno: Correspondent
) -> None:
    told = {}
    for person, said in (
        (alice, "HELP ROBOTS"),
        (bruno, "AIUTO ROBOT"),
        (alice, "PLAYERS"),
        (bruno, "APERTE"),
    ):
        assert person.writes(said).verdict == "ok"
        told[said] = person.letter
    for said, line in (
        ("HELP ROBOTS", "CHALLENGE Robot-1 loa"),
        ("AIUTO ROBOT", "SFIDA Robot-1 loa"),
        ("PLAYERS", "CHALLENGE Robot-1 loa"),
        ("APERTE", "SFIDA Robot-1 loa"),
    ):
        assert f"    {line}\n" in told[said].text.replace("\r", "")
    assert "mailto:" in told["PLAYERS"].html.partition("CHALLENGE Robot-1 loa")[0]
    alice.writes("HELP Robot-2")
    assert alice.letter.subject == "Robots"
    for person, said in ((alice, "HELP ROBOTS"), (bruno, "AIUTO ROBOT")):
        examples = [line.strip() for line in told[said].text.splitlines() if line.startswith("    ")]
        assert [person.writes(example).verdict for example in examples] == ["ok", "ok"]
