"""How a position of YINSH is shown: picture, text board, words."""

import pytest

from games.kit.drawing import Disc
from games.kit.layout import Caption, lay_out
from games.kit.text import board
from games.kit.words import speech
from games.protocol import Notation
from games.yinsh import GAME
from games.yinsh.board import PASS
from games.yinsh.rules import Rules, start

PLAYERS = "Alice", "Bruno"


def words(language, rules=None):
    return speech(GAME, rules or Rules(), Notation(language), PLAYERS)


@pytest.fixture
def turned(few):
    """White's ring has passed two markers, which has made a row of each colour."""
    before = few("W:e8,f2,g11,h11,k7 B:e9,f9,g9,h9,i9 w:a3,b4,c5,d6,e6 b:a2,b3,c4,d5,e7")
    move = GAME.move("e8-e5;xa3-e7;xf2")
    return GAME.scene(before, move, before.play(move))


def test_the_text_board(turned):
    lines = board(turned, words("en")).splitlines()
    assert lines[8] == "e1  . - . - . - . -[W]-(b)- * -[w]- B - .  e10    45."
    shown = "\n".join(line[50:] for line in lines)
    for said in (
        "  W Alice   1\n",
        "> B Bruno       0\n",
        "( ) turned over",
        " *  taken off",
        "W, B rings; w, b\nmarkers",
    ):
        assert said in shown
    assert "( ) girato" in board(turned, words("it"))


def test_a_turn_is_told_and_marked(turned):
    assert words("en").changes(turned) == (
        "moves the ring from e8 to e5, turns over e6 and e7 and takes off the row a3-e7 and the ring on f2"
    )
    assert words("it").changes(turned) == (
        "muove l'anello da e8 a e5, gira e6 ed e7 e rimuove la fila a3-e7 e l'anello in f2"
    )
    assert [(mark.kind, mark.cell) for mark in turned.marks] == [
        ("from", "e8"),
        ("to", "e5"),
        ("turned", "e6"),
        *(("captured", cell) for cell in ["a3", "b4", "c5", "d6", "e7", "f2"]),
    ]
    told = words("en").position(turned)
    assert "4 white rings: e5, g11, h11 and k7." in told
    assert "Alice has taken off: 1 white ring." in told
    assert "Anelli rimossi da Bruno: nessuno." in words("it").position(turned)


def test_rows_before_the_move_are_told_first(few):
    before = few("W:e3,f2,g11,h11,k7 B:e9,f9,g9,h9,i9 w:a3,b3,c3,d3,h4,h5,h6,h7,h8")
    move = GAME.move("xh4-h8;xf2;e3-e4;xa3-e3;xk7")
    told = words("en").changes(GAME.scene(before, move, before.play(move)))
    assert told == (
        "takes off the row h4-h8 and the ring on f2, moves the ring from e3 to e4 and"
        " takes off the row a3-e3 and the ring on k7"
    )


def test_rings_are_hollow_and_markers_fit_into_them(turned):
    shapes = lay_out(turned, words("en"), Caption("")).shapes
    discs = [shape for shape in shapes if isinstance(shape, Disc)]
    bands = [disc for disc in discs if disc.line == "light" and not disc.fill]
    assert len(bands) >= 4
    solid = [
        disc
        for disc in discs
        if disc.fill in ("light", "dark") and disc.line == "outline" and disc.radius > 10
    ]
    assert solid
    assert all(disc.radius < bands[0].radius for disc in solid)


def test_while_rings_are_placed_it_says_how_many(played):
    position = played(start(Rules()), "e5")
    scene = GAME.scene(start(Rules()), GAME.move("e5"), position)
    assert words("en").changes(scene) == "places a white ring on e5"
    assert words("it").changes(scene) == "colloca un anello bianco in e5"
    assert [sum(n for _, n in tray.pieces) for tray in scene.trays] == [4, 5]
    assert scene.notes == ()


def test_what_wins_and_a_pass_are_told(few):
    blitz = few("W:e8,f2,g11,h11,k7 B:e9,f9,g9,h9,i9", rings=1)
    assert [str(note) for note in GAME.scene(None, None, blitz).notes] == ["pool 51", "wins_one 1"]
    assert [str(change) for change in GAME.scene(blitz, PASS, blitz).changes] == ["passes"]
