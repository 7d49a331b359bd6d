"""A greeting below a yes to a question of ours: the yes counts, the opponent reads it, and no word is called lost."""

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from tests.journeys.test_by_mail_robots import thinks
from tests.mail_fixtures import Correspondent, Post

SAID = [
    "Hi Bruno!",
    "thank you so much, good evening to you",
    "Buona serata a tutti!",
    "ciao robot :)",
]


@pytest.mark.parametrize("said", SAID)
def test_to_the_opponent(
    begin: Callable[..., Match], alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "I want to resign now")
    assert alice.answers(alice.letter, f"YES RESIGN\n{said}").verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    assert f"| {said}" in bruno.letter.text


@pytest.mark.parametrize("said", SAID)
def test_where_there_is_none_nobody_hears_that_it_was_lost(alice: Correspondent, said: str) -> None:
    alice.writes("can I be called Margaret please?")
    alice.reads()
    assert alice.answers(alice.letter, f"YES NAME\n{said}").verdict == "ok"
    assert alice.kinds() == ["renamed"]
    assert said not in alice.letter.text


@pytest.mark.parametrize("said", SAID)
def test_a_robot_hears_nothing(post: Post, said: str) -> None:
    joan = Correspondent(post, "Joan", "joan@example.net")
    joan.writes("I'd like to play emergo against the robot")
    joan.reads()
    assert joan.answers(joan.letter, f"Yes, please\n{said}").verdict == "ok"
    thinks(post)  # where it moves first, both letters are one
    assert joan.kinds() == ["welcome"]
    assert said not in joan.letter.text
    assert Match.objects.get().status == Match.Status.PLAYING


@pytest.mark.parametrize(
    "said", ["Yes, the robot", "Yes, but later", "yes!! hi bruno :)", "Sì, grazie mille e buona serata!"]
)
def test_a_yes_with_more_in_its_line_does_nothing(
    begin: Callable[..., Match], alice: Correspondent, said: str
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "I want to resign now")
    alice.answers(alice.letter, said)
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
