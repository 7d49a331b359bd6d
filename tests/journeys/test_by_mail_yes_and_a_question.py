"""A question or a wish in the sentence of a yes holds it back; one YES is for all that the letter asked about."""

import pytest

from pbem.players.models.preferences import Preferences
from tests.mail_fixtures import Correspondent, unwrapped
from tests.players_fixtures import Begin, moves


def asked(alice: Correspondent, said: str) -> None:
    alice.answers(alice.letter, said)
    assert alice.letter.kind == "confirm"


@pytest.mark.parametrize(
    "said",
    [
        "Yes, thank you. But do men at the corners count as touching?",
        "Yes\nDo men at the corners count as touching?",
        "Yes. And please send my letters without pictures.",
        "Yes. No wait, let me think.",
        "Yes but wait until tomorrow",
        "No. Why?",
    ],
)
def test_what_says_more_or_takes_it_back_is_no_yes(begin: Begin, alice: Correspondent, said: str) -> None:
    match = begin("loa")
    asked(alice, "After long consideration my choice falls on e1-g3.")
    alice.answers(alice.letter, said)
    assert moves(match) == []


def test_the_move_without_the_rest(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    """The letter that asks says how."""
    match = begin("loa")
    asked(alice, "After long consideration my choice falls on e1-g3.")
    assert "For the move without the rest answer with the move alone: e1-g3" in unwrapped(alice.letter.text)
    alice.answers(alice.letter, "e1-g3")
    assert moves(match) == ["e1-g3"]
    assert "consideration" not in bruno.letter.text


def test_one_yes_is_for_all_that_is_read(begin: Begin, alice: Correspondent) -> None:
    match = begin("loa")
    asked(
        alice,
        "After long consideration my choice falls on e1-g3, and could you make the pictures bigger please.",
    )
    assert "One YES does all of this:" in unwrapped(alice.letter.text)
    assert "words to Bruno" not in unwrapped(alice.letter.text)
    alice.answers(alice.letter, "YES")
    alice.player.refresh_from_db()
    assert (moves(match), alice.player.picture_size) == (["e1-g3"], Preferences.PictureSize.LARGE)


def test_the_words_beside_a_private_note_are_not_said_to_go_anywhere(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin("loa")
    bruno.reads()
    asked(alice, "I think e1 to g3 it is.\nA note for myself only, not for Bruno: he keeps to the corner.")
    assert "With NO your words go to" not in unwrapped(alice.letter.text)
    alice.answers(alice.letter, "NO")
    assert bruno.reads() == []
