"""Terms: read from words in any order, kept as what differs from the defaults."""

import pytest

from pbem.matches.terms import NONE, Terms, read_terms


@pytest.mark.parametrize("word", ["forced", "FORCED", "forzate"])
def test_a_term_is_read_in_every_language_and_the_rest_is_left_to_the_game(word: str) -> None:
    assert read_terms(["blitz", word, "white"]) == (Terms(forced=True), ["blitz", "white"])


def test_nothing_is_kept_of_a_match_that_says_nothing() -> None:
    assert NONE.kept() == {}
    assert Terms.of({}) == NONE


def test_what_is_kept_comes_back() -> None:
    assert Terms.of(Terms(forced=True).kept()) == Terms(forced=True)
