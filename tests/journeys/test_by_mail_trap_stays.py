"""The trap of Trapdoor Chess that is said to stay: where it may, the move is asked about; else the rule is told."""

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent
from tests.players_fixtures import Begin, moves

SAID = ["{} and I leave the trap where it is", "{} e lascio la trappola dov'è", "{}, trap stays"]


@pytest.fixture
def match(begin: Begin) -> Match:
    return begin("trapdoor")


@pytest.mark.parametrize("said", SAID)
def test_where_it_must_move_the_rule_is_told(
    match: Match, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    alice.answers(alice.letter, "e2-e4@h6")
    row = bruno.answers(bruno.letter, said.format("e7-e5"))
    assert row.reading["commands"] == ["e7-e5"]
    assert "bisogna spostare anche il trabocchetto" in " ".join(bruno.letter.text.split())
    assert moves(match) == ["e2-e4@h6"]


@pytest.mark.parametrize("said", SAID)
def test_out_of_check_it_stays(match: Match, alice: Correspondent, bruno: Correspondent, said: str) -> None:
    alice.answers(alice.letter, "e2-e4@h6")
    bruno.answers(bruno.letter, "f7-f6@h3")
    alice.answers(alice.letter, "Qd1-h5@a3")
    bruno.answers(bruno.letter, said.format("g7-g6"))
    assert list(Confirmation.objects.get().lines) == ["g7-g6"]
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert moves(match)[-1] == "g7-g6"
