"""Reading a rules page, and what is no board on it."""

import pytest

from games.pages import Diagram, brief, parts
from games.protocol import LANGUAGES, IllegalMove, Notation
from games.registry import find, games


@pytest.fixture
def page(monkeypatch):
    """page(text, game): the parts of a page that somebody else has written."""

    def read(text, game="loa"):
        game = find(game)[0]
        monkeypatch.setattr(type(game), "rules_page", lambda self, language: text)
        return list(parts(game, "en"))

    return read


def test_boards_stand_between_the_words(page):
    before, board, after = page("# Page\n\n```board\n```\n\nBlack begins.\n")
    assert (before, after) == ("# Page\n\n", "\nBlack begins.\n")
    game, rules = find("loa")
    assert board == Diagram(game, rules, None, None, game.start(rules, ""))


def test_another_variant(page):
    _, board, _ = page("```board loa:6x6\n```\n")
    assert board.rules.size == 6


def test_moves_are_played_and_the_last_is_shown(page):
    _, board, _ = page("```board\nmoves b8-b6 h2-f2\n```\n")
    assert str(board.move) == "h2-f2"
    assert board.scene.arrows
    assert str(board.after) == "2ooooo1/x6x/xo5x/x6x/x6x/x6x/x4x2/1oooooo1 o"


def test_a_position_and_moves_from_it(page):
    _, board, _ = page("```board\nposition 8/1x6/xx6/8/3oo3/5x1o/8/8 o\nmoves h3xf3\n```\n")
    assert board.after == board.before.play(board.move)
    assert board.scene.to_move is None  # that was the end


def test_a_set_up(page):
    _, board, _ = page(f"```board\nsetup {'-|' * 18}\n```\n", "insert")
    assert board.after.layout.marks == "-|" * 18


def test_in_a_composed_position_nobody_has_lost_what_does_not_stand_there(page):
    _, composed, _ = page("```board\nposition 4k3/8/4r3/8/8/8/2B3P1/4K3 w - - 0 1 e4\n```\n", "trapdoor")
    _, played, _ = page("```board\nmoves e2-e4@a3 d7-d5@b3 e4xd5@c3\n```\n", "trapdoor")
    assert composed.scene.trays == ()
    assert len(played.scene.trays) == 2


def test_other_fences_are_words(page):
    assert page("```\nboard\n```\n") == ["```\nboard\n```\n"]


@pytest.mark.parametrize(
    "block",
    ["position nonsense", "nonsense", "moves", "setup b1", "moves b1-b9", "position 8/8/8/8/8/8/8/8 o"],
)
def test_a_board_that_is_none(page, block):
    with pytest.raises(ValueError, match=r"."):
        page(f"```board\n{block}\n```\n")


def test_an_illegal_move(page):
    with pytest.raises(IllegalMove, match="b1-b4"):
        page("```board\nmoves b1-b4\n```\n")


def test_a_game_that_is_not_here(page):
    with pytest.raises(ValueError, match="ludo"):
        page("```board ludo\n```\n")


def test_each_text_board_says_in_whose_language_its_signs_are():
    """At the start already, where no move has been made; whatever has no such line is a plug-in's."""
    for game in games().values():
        for language in LANGUAGES:
            legend = game.phrases(language)["legend"]["board"]
            pages = [part for part in parts(game, language) if isinstance(part, Diagram)]
            for board in pages:
                lines = board.text(Notation(language)).splitlines()
                assert max(map(len, lines)) <= 72
                # one of many rows is higher than 24 lines: those between its rows say which cells are of one piece
                assert len(lines) <= max(24, 2 * len({cell.y for cell in board.scene.cells}) + 8)
                assert legend.split()[0] in {word for line in lines for word in line.split()}
                assert all(word in " ".join(lines) for word in legend.split()), (game.key, language)


def test_the_game_in_short_stands_before_the_first_heading():
    assert (
        brief("# Nim\n\nTake matches.\n\n- Write `3`.\n\n## In full\n\nMore.\n")
        == "Take matches.\n\n- Write `3`."
    )
