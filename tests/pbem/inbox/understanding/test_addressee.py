"""For whom words are: what is private is asked about, and talk goes to the opponent.

The lists in `tests/pbem/intents/unseen` are by writers who knew neither the examples nor the code, and nothing is
learned from them. How much is told apart stands here as it was measured; more is better.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from games.protocol import LANGUAGES
from pbem.inbox.handling.talk import may_be_for_others
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, unwrapped

Begin = Callable[..., Match]
UNSEEN = Path(__file__).parents[2] / "intents" / "unseen"
PRIVATE = "Carla, can you feed the cat on Friday? And do not tell Bruno that I am away."
BESIDE_MOVE, ALONE = 0.55, 0.82  # of what is private
TALK = 0.016  # of talk beside a move


def lines(kind: str, language: str) -> list[str]:
    found = (UNSEEN / f"{kind}.{language}.txt").read_text("utf-8").splitlines()
    return [line.rpartition(" | ")[2] for line in found]


def asked(said: list[str], *, alone: bool) -> float:
    return sum(may_be_for_others(line, "Bruno", alone=alone) for line in said) / len(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_most_of_what_is_private_is_asked_about_and_hardly_any_talk(language: str) -> None:
    assert asked(lines("private", language), alone=True) > ALONE
    assert asked(lines("private", language), alone=False) > BESIDE_MOVE
    assert asked(lines("talk", language), alone=False) < TALK


def test_the_move_is_played_and_the_words_wait(
    begin: Begin, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, f"b1-b3\n\n{PRIVATE}").verdict == Code.CONFIRM_NEEDED
    assert [turn.move for turn in match.live_turns()] == ["b1-b3"]
    assert "Is this for Bruno?" in alice.letter.text
    assert PRIVATE in unwrapped(alice.letter.text)
    assert "feed the cat" not in unwrapped(bruno.letter.text)
    assert alice.answers(alice.letter, "NO").verdict == "ok"
    assert not any("feed the cat" in unwrapped(letter.text) for letter in bruno.reads())


def test_a_yes_passes_them_on(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    begin("loa")
    alice.answers(alice.letter, PRIVATE)
    assert "Is this for Bruno?" in alice.letter.text
    bruno.reads()
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert "feed the cat" in unwrapped(bruno.letter.text)


def test_the_name_of_the_opponent_and_of_others_may_be_any(begin: Begin) -> None:
    said = "{}, the key is under the flowerpot, let yourself in and feed the dog."
    assert may_be_for_others(said.format("Zoë"), "Gian-Luca", alone=True)
    assert not may_be_for_others(said.format("Gian-Luca"), "Gian-Luca", alone=False)
