"""What was meant for the opponent and we took for a wish reaches them with a NO; what was private does not."""

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent, unwrapped

Begin = Callable[..., Match]


@pytest.mark.parametrize("no", ["NO", "No, that was for Bruno"])
def test_with_no_the_words_go_to_the_opponent(
    begin: Begin, alice: Correspondent, bruno: Correspondent, no: str
) -> None:
    begin("loa")
    alice.answers(alice.letter, "Could you write to me in Italian?")
    assert "With NO your words go to Bruno." in unwrapped(alice.letter.text)
    assert alice.answers(alice.letter, no).verdict == "ok"
    assert alice.letter.kind == "said"
    assert "| Could you write to me in Italian?" in bruno.letter.text


@pytest.mark.parametrize(
    "said", ["Note to self: watch the left side", "My opponent insults me, I want to report him"]
)
def test_what_is_private_goes_to_nobody(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    begin("loa")
    alice.answers(alice.letter, said)
    assert "your words go to" not in unwrapped(alice.letter.text)
    bruno.reads()
    alice.answers(alice.letter, "NO")
    assert bruno.reads() == []


def test_in_italian(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    begin("loa")
    bruno.answers(bruno.letter, "mi scrivi in inglese?")
    assert "Se rispondi NO, le tue parole vanno ad Alice." in unwrapped(bruno.letter.text)
