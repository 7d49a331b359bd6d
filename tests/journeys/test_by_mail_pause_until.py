"""A pause until a day: PAUSE UNTIL Monday, PAUSA FINO A lunedì, and as people ask for it."""

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.journeys.test_by_mail_absence import begin
from tests.mail_fixtures import Correspondent, Post, unwrapped


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    """It is a Monday, 4 May."""
    return begin(alice, bruno, "loa first 3d/move")


DAYS = {
    "PAUSE UNTIL 10 May": 6,
    "PAUSE UNTIL the 10th": 6,
    "pause till Sunday": 6,
    "PAUSE UNTIL Monday": 7,
    "PAUSA FINO A domenica": 6,
    "PAUSA FINO AL 10 maggio": 6,
}


@pytest.mark.parametrize("said", DAYS)
def test_it_is_proposed_in_days(match: Match, alice: Correspondent, bruno: Correspondent, said: str) -> None:
    assert alice.answers(alice.letter, said).verdict == "ok"
    assert f"per {DAYS[said]} giorni" in unwrapped(
        bruno.letter.text
    ) or f"di {DAYS[said]} giorni" in unwrapped(bruno.letter.text)


def test_a_day_that_is_none_is_refused(match: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "PAUSE UNTIL 30 February").verdict == Code.NO_SUCH_DAY


def test_who_asks_in_a_sentence_is_asked_whether_they_mean_it(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    said = "The children are ill, is it ok if we put the game on hold till Sunday?"
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    assert "    PAUSE till Sunday" in alice.letter.text
    bruno.reads()
    alice.answers(alice.letter, "YES")
    [asked] = bruno.reads()
    assert asked.kind == "asks"
    assert "6 giorni" in unwrapped(asked.text)
