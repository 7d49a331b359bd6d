"""A letter has a budget of processor time: past it, its exact lines act, and the rest is not understood."""

from __future__ import annotations

from math import inf
from pathlib import Path
from random import Random
from time import thread_time

import pytest

from pbem import budget
from pbem.inbox.commands.parser import understand
from pbem.inbox.models import InboundMail
from pbem.intents import guesses
from pbem.matches.models import Match
from pbem.matches.services import start
from tests.boards import Board
from tests.mail_fixtures import Correspondent, Post

SENTENCE = "I would like to play zertz with Bruno"
LISTS = [
    *sorted((Path(__file__).parent / "inbox").glob("*.txt")),
    *sorted((Path(__file__).parent / "intents" / "examples").glob("*.txt")),
]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of a second is as good a budget as a whole one, and sooner spent."""
    monkeypatch.setattr(budget, "WORDING", 0.2)


@pytest.fixture
def none_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "WORDING", 0.0)


def endless() -> str:
    while True:
        budget.check()


def work(seconds: float) -> str:
    until = thread_time() + seconds
    while thread_time() < until:
        pass
    return "done"


def test_what_never_ends_is_ended_at_its_next_step(short: None) -> None:
    begun = thread_time()
    assert budget.in_time(endless, "not understood") == "not understood"
    assert budget.WORDING <= thread_time() - begun < budget.WORDING + 0.1


def test_all_that_is_read_of_one_letter_counts_together(short: None) -> None:
    with budget.of_a_letter():
        assert budget.in_time(lambda: work(0.12), "late") == "done"
        begun = thread_time()
        assert budget.in_time(endless, "late") == "late"
        assert thread_time() - begun < budget.WORDING - 0.1


def test_what_is_read_within_another_reading_has_no_time_of_its_own(short: None) -> None:
    begun = thread_time()
    assert budget.in_time(lambda: budget.in_time(endless, "late") + endless(), "both") == "both"
    assert thread_time() - begun < budget.WORDING + 0.1


def test_what_went_before_it_in_a_letter_leaves_it_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "LETTER", 0.2)
    with budget.of_a_letter():
        work(0.2)
        begun = thread_time()
        assert budget.in_time(endless, "late") == "late"
        assert thread_time() - begun < 0.1


def test_what_is_loaded_before_the_first_letter_has_all_the_time(
    short: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "HARD", 0.2)

    def load() -> str:
        work(0.4)
        budget.check()
        return "loaded"

    with budget.unlimited():
        assert budget.in_time(load, "late") == "loaded"
        assert budget.in_time(lambda: budget.in_time(load, "late"), "late") == "loaded"
    with pytest.raises(budget.Overdue):
        budget.in_time(load, "late")


def test_nothing_is_checked_elsewhere() -> None:
    assert budget._ends.get() == inf
    budget.check()


def test_a_move_is_played_though_nothing_is_left_for_the_words_below(
    post: Post, alice: Correspondent, bruno: Correspondent, none_left: None
) -> None:
    start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    row = alice.answers(alice.letter, f"b1-b3\n\n{SENTENCE}")
    post.open()
    row.refresh_from_db()
    assert (row.verdict, row.attempts) == ("ok", 1)
    assert Match.objects.get().ply == 1
    post.send()
    assert SENTENCE in bruno.letter.text


@pytest.mark.parametrize("left", [True, False])
def test_words_that_there_is_no_time_for_are_words_that_nobody_understands(
    post: Post, alice: Correspondent, bruno: Correspondent, left: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which are for a person to read; otherwise they are asked about."""
    if not left:
        monkeypatch.setattr(budget, "WORDING", 0.0)
    alice.writes(SENTENCE)
    row = InboundMail.objects.latest("pk")
    assert (row.attempts, hasattr(row, "personal")) == (1, not left)
    assert row.confirmations.exists() is left


@pytest.mark.parametrize("part", [pytest.param(100, marks=pytest.mark.prove), 600])
def test_nothing_that_people_are_known_to_write_reaches_it(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    guesses("hello")
    slowest = 0.0
    checked = []
    monkeypatch.setattr(budget.log, "warning", checked.append)
    for path in LISTS:
        language = path.suffixes[0][1:]
        board = Board.of("loa", language)
        for line in path.read_text("utf-8").splitlines()[::part]:
            for match in (4, None):
                begun = thread_time()
                understand(
                    [line.split(" | ")[-1]],
                    subject=None,
                    language=language,
                    is_move=board.is_move,
                    match=match,
                    answers=lambda: "draw",
                    legal=board.legal if match else None,
                )
                slowest = max(slowest, thread_time() - begun)
    assert checked == []
    assert 0 < slowest < budget.WORDING
