"""A move and words of talk in a new email that names no match: asked about in the one match that it fits."""

import pytest

from pbem.inbox.models import Confirmation, PersonalMessage
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, unwrapped
from tests.players_fixtures import Begin, moves


@pytest.fixture
def matches(begin: Begin) -> list[Match]:
    return [begin("loa"), begin("zertz"), begin("insert")]


@pytest.mark.parametrize(
    ("body", "subject", "words"),
    [
        ("b1-b3. Ciao Anna, bella partita!", "", "Ciao Anna, bella partita!"),
        ("I play b1-b3. Hello Bruno, nice game!", "My move", "Hello Bruno, nice game!"),
        ("Dear Bruno, I play b1-b3. Nice game and see you soon!", "", "Nice game and see you soon!"),
        ("Have a nice day, my friend!", "b1-b3. Hello", "Have a nice day, my friend!"),
    ],
)
def test_its_words_go_along(
    matches: list[Match], alice: Correspondent, bruno: Correspondent, body: str, subject: str, words: str
) -> None:
    assert alice.writes(body, subject=subject).verdict == Code.CONFIRM_NEEDED
    assert list(Confirmation.objects.get().lines) == ["b1-b3"]
    assert words in unwrapped(alice.letter.text)
    assert moves(matches[0]) == []
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert moves(matches[0]) == ["b1-b3"]
    assert f"| {words}" in bruno.letter.text
    assert "My move" not in bruno.letter.text


def test_with_a_no_nothing_is_played_and_the_organiser_gets_nothing(
    matches: list[Match], alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("I play b1-b3. Hello Bruno, nice game!")
    alice.answers(alice.letter, "NO")
    assert moves(matches[0]) == []
    assert bruno.reads() == []
    assert not PersonalMessage.objects.exists()


def test_where_two_matches_fit_it_is_asked_which(
    matches: list[Match], begin: Begin, alice: Correspondent
) -> None:
    other = begin("loa")
    assert alice.writes("b1-b3. Hello Bruno, nice game!").verdict == Code.WHICH_MATCH
    assert f"{other.pk} b1-b3" in alice.letter.text
    assert "Hello Bruno, nice game!" in alice.letter.text


def test_where_none_fits_nothing_is_asked(matches: list[Match], alice: Correspondent) -> None:
    for body in (
        "If I play b1-b3 you win. What a game!",
        "b1-g7. Hello!",
        "I will not play b1-b3, my friend.",
    ):
        alice.writes(body)
        assert not Confirmation.objects.exists(), body


def test_a_subject_above_a_move_is_said_to_nobody(
    matches: list[Match], alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("b1-b3\nHello, nice game!", subject="My move")
    alice.answers(alice.letter, "YES")
    assert "My move" not in bruno.letter.text
    assert "| Hello, nice game!" in bruno.letter.text
