"""A move of trapdoor chess in words: the man and the trap are one move, though `and` stands between them."""

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent

Begin = Callable[..., Match]


@pytest.mark.parametrize(
    "said", ["I move from b8 to c6 and put the trapdoor on d4", "I move b8 to c6 and put the trap on d4"]
)
def test_man_and_trap_are_asked_about_together(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = begin("trabocchetto")
    alice.answers(alice.letter, "e2-e4@e5")
    bruno.answers(bruno.letter, said)
    assert "Cb8-c6@d4" in bruno.letter.text
    bruno.answers(bruno.letter, "yes")
    match.refresh_from_db()
    assert match.ply == 2
