"""A greeting beside a yes to a question of ours: the yes counts, the opponent reads it, and no word is called lost."""

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from tests.journeys.test_by_mail_robots import thinks
from tests.post import Correspondent, Post

SAID = [
    "yes!! hi bruno :)",
    "Yes. Hi Bruno, hi bot!",
    "Yes, thank you so much, good evening to you",
    "Yes please, and hello to the robot",
    "Sì, grazie mille e buona serata!",
    "Sì! ciao robot :)",
]


@pytest.mark.parametrize("said", SAID)
def test_to_the_opponent(
    begin: Callable[..., Match], alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "I think I should resign")
    assert alice.answers(alice.letter, said).verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    assert f"| {said}" in bruno.letter.text


@pytest.mark.parametrize("said", SAID)
def test_where_there_is_none_nobody_hears_that_it_was_lost(alice: Correspondent, said: str) -> None:
    alice.writes("can I be called Margaret please?")
    alice.reads()
    assert alice.answers(alice.letter, said).verdict == "ok"
    assert alice.kinds() == ["renamed"]
    assert said not in alice.letter.text


@pytest.mark.parametrize("said", SAID)
def test_a_robot_hears_nothing(post: Post, said: str) -> None:
    joan = Correspondent(post, "Joan", "joan@example.net")
    joan.writes("I'd like to play emergo against the robot")
    joan.reads()
    assert joan.answers(joan.letter, said).verdict == "ok"
    thinks(post)  # where it moves first, both letters are one
    assert joan.kinds() == ["welcome"]
    assert said not in joan.letter.text
    assert Match.objects.get().status == Match.Status.PLAYING


@pytest.mark.parametrize("said", ["Yes, the robot", "Sì, al computer", "Yes, but later"])
def test_a_yes_to_something_else_does_nothing(
    begin: Callable[..., Match], alice: Correspondent, said: str
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "I think I should resign")
    alice.answers(alice.letter, said)
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
