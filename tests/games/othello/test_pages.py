"""What the rules pages say of their boards happens."""

import pytest

from games.othello import GAME
from games.othello.rules import PASS, Move
from games.pages import Diagram, parts
from games.protocol import LANGUAGES, Outcome, Side
from games.registry import find


@pytest.fixture(params=LANGUAGES)
def page(request):
    return " ".join(GAME.rules_page(request.param).split())


@pytest.fixture
def boards():
    return [part for part in parts(GAME, "en") if isinstance(part, Diagram)]


def test_the_first_example(boards):
    board = boards[1]
    assert list(board.after.rules.board.cells(board.before.turned(Move("c3")))) == ["d4"]
    assert "d6" in board.after.rules.board.cells(board.after.discs[1])


def test_the_second_example(boards, page):
    position = boards[2].after
    assert list(position.rules.board.cells(position.discs[1])) == ["d2"]
    assert list(position.moves()) == [PASS]
    after = position.play(PASS).play(Move("e1"))
    assert after.outcome() == Outcome(Side.FIRST, "most")
    assert after.discs[1] == 0
    assert f" {64 - after.discs[0].bit_count()} " in page.partition("e1")[2]


def test_the_third_example(boards):
    assert str(boards[3].after) == "8/8/8/3xx3/3oo3/8/8/8 x"


def test_variants_that_are_named_exist(page):
    for name in ("othello:6", "othello:10", "othello:anti", "othello:reversi", "othello:6,anti"):
        assert f"`{name}`" in page
        assert find(name)[0] is GAME
