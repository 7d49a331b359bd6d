"""Words to an opponent that are put as a wish to us reach them."""

import pytest

from tests.mail_fixtures import Correspondent
from tests.players_fixtures import Begin, moves

SAID = {
    "tell him I'll be late": "I'll be late",
    "Tell Bruno that I will be late": "I will be late",
    "please tell him: great move": "Great move",
    "Could you tell Bruno that I'm sorry for the delay?": "I'm sorry for the delay",
    "tell him I will be back at 9pm on the 5th": "I will be back at 9pm on the 5th",
    "Let him know that I'm late": "I'm late",
    "Tell Bruno that was a lovely move": "That was a lovely move",
    "Please pass on to my opponent that I admire his opening": "I admire his opening",
    "riferite al mio avversario che gioca bene": "Gioca bene",
    "ditegli che arrivo tardi": "Arrivo tardi",
    "digli che torno alle 21": "Torno alle 21",
    "Puoi dire a Bruno che sono in ritardo?": "Sono in ritardo",
    "dite al mio avversario che mi scuso": "Mi scuso",
    "dite ad Anna che arrivo tardi": "dite ad Anna che arrivo tardi",  # who is somebody else
}


@pytest.mark.parametrize(("said", "told"), SAID.items())
def test_alone(begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, told: str) -> None:
    begin("loa")
    assert alice.answers(alice.letter, said).verdict == "ok"
    assert f"  | {told}" in bruno.letter.text.splitlines()
    assert f"  | {told}" in alice.letter.text.splitlines()


@pytest.mark.parametrize(("said", "told"), SAID.items())
def test_below_a_move(begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, told: str) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, f"b1-b3\n{said}").verdict == "ok"
    assert moves(match) == ["b1-b3"]
    assert f"  | {told}" in bruno.letter.text.splitlines()


def test_what_we_are_to_tell_the_player_is_passed_on_to_nobody(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin("loa")
    alice.answers(alice.letter, "tell me what to do")
    assert alice.letter.kind in ("help", "confirm")
    assert bruno.reads() == []
