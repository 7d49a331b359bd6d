"""Where the pie rule holds: as was agreed, else as the game has it."""

from dataclasses import replace
from random import Random

import pytest

from pbem.matches.models import Match
from pbem.matches.offers import may_swap, swap
from pbem.matches.services import play, start
from pbem.matches.terms import Terms
from pbem.players.services import register
from pbem.refusals import Refused
from tests.mail_fixtures import MORNING


def begun(*, agreed: bool | None, declared: bool) -> Match:
    """A match after its first move."""
    first, second = (
        register(name=name, email=f"{name}@example.org", language="en", now=MORNING) for name in ("Al", "Bo")
    )
    match = start(first=first, second=second, game="loa", terms=Terms(pie=agreed), now=MORNING, rng=Random(1))
    play(match.seated[0], "b1-b3", now=MORNING)
    vars(match)["_found"] = (replace(match.game, pie=declared), match.rules)
    return match


@pytest.mark.parametrize(
    ("agreed", "declared", "holds"),
    [(None, False, False), (None, True, True), (True, False, True), (False, True, False)],
)
def test_what_was_agreed_comes_before_what_the_game_has(
    db: None, agreed: bool | None, declared: bool, holds: bool
) -> None:
    match = begun(agreed=agreed, declared=declared)
    assert may_swap(match) is holds
    if holds:
        swap(match.seated[1], now=MORNING)
        assert match.players == ("Bo", "Al")
        assert not may_swap(match)
    else:
        with pytest.raises(Refused, match="no_swap"):
            swap(match.seated[1], now=MORNING)
