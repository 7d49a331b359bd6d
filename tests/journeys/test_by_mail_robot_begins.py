"""A robot that moves first: one letter says that the match begins and what it has played; a slow one keeps nobody
waiting for the beginning."""

import pytest

from pbem.matches.models import Match
from tests.journeys.test_by_mail_robots import thinks
from tests.mail_fixtures import Correspondent, Post

SAID = {
    "alice": ("CHALLENGE Robot-1 emergo second", "Your turn", "Your match against Robot-1 begins"),
    "bruno": ("SFIDA Robot-1 emergo secondo", "Tocca a te", "Comincia la tua partita contro Robot-1"),
}


@pytest.mark.parametrize("who", SAID)
def test_its_first_move_comes_with_the_letter_of_the_beginning(
    request: pytest.FixtureRequest, post: Post, who: str
) -> None:
    writer: Correspondent = request.getfixturevalue(who)
    said, turn, begins = SAID[who]
    assert writer.writes(said).verdict == "ok"
    assert writer.reads() == []
    thinks(post)
    [letter] = writer.reads()
    assert letter.text.startswith(turn)
    assert begins in " ".join(letter.text.split())
    post.wait(minutes=10)
    post.send()
    assert writer.reads() == []
    [move] = Match.objects.get().live_turns()
    assert move.side == 0


@pytest.mark.parametrize("who", SAID)
def test_of_a_slow_robot_the_beginning_is_told_and_its_move_later(
    request: pytest.FixtureRequest, post: Post, who: str
) -> None:
    writer: Correspondent = request.getfixturevalue(who)
    said, turn, begins = SAID[who]
    writer.writes(said)
    post.wait(minutes=3)
    post.send()
    [begun] = writer.reads()
    assert begins in " ".join(begun.text.split())
    thinks(post)
    [letter] = writer.reads()
    assert letter.text.startswith(turn)
    assert begins not in " ".join(letter.text.split())


def test_a_newcomer_s_welcome_goes_with_it(post: Post) -> None:
    ida = Correspondent(post, "Ida", "ida@example.net")
    ida.writes("REGISTER Ida\nCHALLENGE Robot-1 emergo second")
    ida.answers(ida.letter, "YES")
    thinks(post)
    assert ida.kinds() == ["signup", "welcome"]
    assert ida.letter.text.startswith("Your turn")
    assert "Welcome, Ida" in ida.letter.text


def test_when_the_player_moves_first_nothing_waits(alice: Correspondent) -> None:
    alice.writes("CHALLENGE Robot-1 emergo first")
    assert alice.kinds() == ["turn"]
