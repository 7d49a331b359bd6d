"""How a position of GIPF is shown: picture, text board, words."""

import pytest

from games.gipf import GAME
from games.gipf.rules import Rules, start
from games.kit.drawing import Disc, Line
from games.kit.layout import Caption, lay_out
from games.kit.text import board, grid
from games.kit.words import speech
from games.protocol import Notation

PLAYERS = "Alice", "Bruno"


def words(language):
    return speech(GAME, Rules(), Notation(language), PLAYERS)


@pytest.fixture
def pushed(few):
    """White has pushed a row together, captured a piece and left a GIPF-piece."""
    before = few("w:f2,e3 W:d3,h5 b:b3 B:h2")
    move = GAME.move("g1-c3;xb3,d3,e3,f2")
    return GAME.scene(before, move, before.play(move))


def test_the_text_board_has_spots_and_dots(pushed):
    assert grid(pushed, words("en"))[:7] == [
        "           a1  a2  a3  a4  a5",
        "            o   o   o   o   o",
        "             \\ / \\ / \\ / \\ /",
        "      b1  o - . - * - . - . - o  b6",
        "           \\ / \\ / \\ / \\ / \\ /",
        "    c1  o - . - W - . - . - . - o  c7",
        "         \\ / \\ / \\ / \\ / \\ / \\ /",
    ]
    assert "B, N pezzi GIPF" in board(pushed, words("it"))


def test_a_turn_is_told_and_marked(pushed):
    assert words("en").changes(pushed) == (
        "pushes a white piece in from g1, up to c3, takes back 3 white pieces and captures 1 black piece"
    )
    assert words("it").changes(pushed) == (
        "spinge un pezzo bianco da g1, fino a c3, riprende 3 pezzi bianchi e cattura 1 pezzo nero"
    )
    assert {(mark.kind, mark.cell) for mark in pushed.marks} == {
        ("to", "f2"),
        *(("captured", cell) for cell in ("b3", "d3", "e3", "f2")),
    }
    assert [arrow.cells for arrow in pushed.arrows] == [("g1", "c3")]
    told = words("en").position(pushed)
    assert "2 white GIPF-pieces: c3 and h5." in told
    assert "Alice has in hand: 11 white pieces." in told


def test_a_gipf_piece_is_two_discs_with_a_ring_and_no_line_joins_dots(pushed):
    shapes = lay_out(pushed, words("en"), Caption("")).shapes
    discs = [shape for shape in shapes if isinstance(shape, Disc)]
    rings = [disc for disc in discs if not disc.fill and disc.line in ("light", "dark")]
    assert len(rings) == 3, "c3, h2 and h5"
    lines = [shape for shape in shapes if isinstance(shape, Line) and shape.colour == "label"]
    assert len(lines) == 90 + 42, "between spots, and from dots"


def test_how_the_tournament_begins_is_told(played):
    position = start(Rules())
    assert [str(note) for note in GAME.scene(None, None, position).notes] == ["gipfs 0 0", "first_gipf"]
    position = played(position, "Ge2 Ge8")
    scene = GAME.scene(start(Rules()), GAME.move("Ge2"), position)
    assert [str(note) for note in scene.notes] == ["gipfs 1 1", "may_gipf"]
    assert words("en").changes(scene) == "brings in a white GIPF-piece on e2"
    assert words("it").changes(scene) == "introduce un pezzo GIPF bianco in e2"
    assert GAME.scene(None, None, start(GAME.presets["basic"])).notes == ()


def test_what_is_taken_off_before_is_told_first(few):
    stands = few("w:e3,e4,e5,e6 b:e7 W:h5 B:h2")
    move = GAME.move("xe3,e4,e5,e6,e7;b5")
    told = words("en").changes(GAME.scene(stands, move, stands.play(move)))
    assert told == "takes back 4 white pieces, captures 1 black piece and brings in a white piece on b5"
