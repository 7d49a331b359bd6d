"""Answers whose letters are said longer than they are."""

import pytest

from pbem.inbox.understanding.answers import agrees


@pytest.mark.parametrize(
    "said", ["siii", "sìì", "Siii 😂", "okkk 😀👍 ci sto!", "yesss", "yeees", "okk", "yesss of course"]
)
def test_a_yes_drawn_out_is_one(said: str) -> None:
    assert agrees(said) is True


@pytest.mark.parametrize("said", ["nooo", "Noo!", "nooope"])
def test_so_is_a_no(said: str) -> None:
    assert agrees(said) is False


@pytest.mark.parametrize("said", ["sees", "noon", "book", "sono"])
def test_other_words_stay_as_they_are(said: str) -> None:
    assert agrees(said) is None
