"""Names of games that are misspelled, and everyday words that only look like them."""

import pytest

from pbem.inbox.understanding.slots.games import with_game_spelled


@pytest.mark.parametrize(
    ("said", "spelled"),
    [
        ("I'd like to play otello", "I'd like to play othello"),
        ("vorrei giocare a riversi", "vorrei giocare a othello"),
        ("let's play trapdor ches", "let's play trapdoor"),
        ("let's play punckt", "let's play punct"),
    ],
)
def test_a_misspelled_name_becomes_the_key(said: str, spelled: str) -> None:
    assert with_game_spelled(said) == spelled


@pytest.mark.parametrize(
    "said",
    [
        "hello, I'd like to play",
        "Oh hello, can I play with you?",
        "can we play it in reverse?",
        "I can play when my task is done",
        "I play chess lying down",
        "I'd like to play with the sides reversed",
        "vorrei giocare con chi scrive versi",
        "voglio giocare dall'ostello",
        "vorrei giocare per i punti, ma a che punto siamo?",
        "can I play with the punch of a champion?",
    ],
)
def test_an_everyday_word_is_no_misspelled_name(said: str) -> None:
    assert with_game_spelled(said) == said
