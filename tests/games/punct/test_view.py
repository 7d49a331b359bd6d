"""How a position of PÜNCT is shown: picture, text board, words."""

import pytest

from games.kit.drawing import Disc, Line, Text
from games.kit.layout import Caption, lay_out
from games.kit.text import board
from games.kit.words import speech
from games.protocol import Notation, Side
from games.punct import GAME
from games.punct.rules import Rules


def words(language):
    return speech(GAME, Rules(), Notation(language), ("Alice", "Bruno"))


def shown(position, text):
    move = GAME.move(text)
    return GAME.scene(position, move, position.play(move))


@pytest.fixture
def bridge(few):
    """A move onto a bridge between a piece of one's own and another."""
    return shown(few("w0:g3/f2/f3 w0:g9/g10/g11 b0:g5/f4/f5"), "g9-g3/g4/g5")


@pytest.mark.parametrize(
    ("text", "english", "italian"),
    [
        ("m9/m10/n10", "places a triangle on m9/m10/n10", "colloca un triangolo in m9/m10/n10"),
        ("g9-e9/c9/d9", "moves a straight E from g9 to e9/c9/d9", "muove un dritto E da g9 a e9/c9/d9"),
        ("g9-g9/h9/i9", "turns a straight E on g9: g9/h9/i9", "gira un dritto E in g9: g9/h9/i9"),
    ],
)
def test_a_turn_is_told(few, text, english, italian):
    scene = shown(few("w0:g9/g10/g11"), text)
    assert (words("en").changes(scene), words("it").changes(scene)) == (english, italian)


def test_a_move_onto_others_is_told_and_marked(bridge):
    assert words("en").changes(bridge) == "moves a straight E from g9 to g3/g4/g5 and reaches level 1"
    assert words("it").changes(bridge) == "muove un dritto E da g9 a g3/g4/g5 e arriva al livello 1"
    assert [(mark.kind, mark.cell) for mark in bridge.marks] == [
        *(("from", name) for name in ("g9", "g10", "g11")),
        *(("to", name) for name in ("g3", "g4", "g5")),
    ]
    assert bridge.arrows[0].cells == ("g9", "g3")


def test_a_position_in_words(bridge):
    assert words("en").position(bridge) == (
        "White pieces: triangle g3/f2/f3 and straight E g3/g4/g5 (level 1).",
        "Black pieces: triangle g5/f4/f5.",
        "Alice has in hand: 5 triangles, 2 straight Cs, 3 straight Es, 2 angles M, 2 angles L and 2 angles R.",
        "Bruno has in hand: 5 triangles, 2 straight Cs, 4 straight Es, 2 angles M, 2 angles L and 2 angles R.",
        "Bruno to play.",
    )
    assert (
        words("it").position(bridge)[0]
        == "Pezzi bianchi: triangolo g3/f2/f3 e dritto E g3/g4/g5 (livello 1)."
    )


def test_a_cell_is_named_with_what_lies_uppermost(bridge):
    assert words("en").cell(bridge, "g3") == "g3: white piece, straight E g3/g4/g5 (level 1)"
    assert words("it").cell(bridge, "f2") == "f2: pezzo bianco, triangolo g3/f2/f3"


def test_the_text_board_joins_what_is_seen_of_a_piece(bridge):
    rows = board(bridge, words("en")).splitlines()
    assert [row.rstrip() for row in rows[10:13]] == [
        "    f1  .   w---w   b---b   .   .   .   .   .   .   .   .   .   f14",
        "",
        "  g1  .   .  [W1][w1][w1] .   .   .  [.] [.] [.]  .   .   .   .   g15",
    ]
    assert "  w Alice  T5 C2 E3 M2 L2 R2" in rows
    assert "> b Bruno  T5 C2 E4 M2 L2 R2" in rows
    assert max(map(len, rows)) <= 72


def test_a_piece_has_its_outline_its_level_and_its_punct(bridge):
    shapes = lay_out(bridge, words("en"), Caption("")).shapes
    numbers = [shape for shape in shapes if isinstance(shape, Text) and shape.text == "1" and shape.bold]
    assert len(numbers) == 3
    moved = [shape for shape in shapes if isinstance(shape, Disc) and shape.line == "accent"]
    assert [disc.fill for disc in moved] == ["light"] * 3
    after = shapes[shapes.index(moved[-1]) :]
    punct = next(shape for shape in after if isinstance(shape, Disc) and shape.fill == "dark")
    assert (punct.x, punct.y) == (moved[0].x, moved[0].y)
    assert any(isinstance(shape, Line) and shape.colour == "accent" for shape in shapes)


def test_what_is_hidden_is_listed(few):
    scene = GAME.scene(None, None, few("w0:g3/g4/g5 b0:i3/i4/i5 w1:g3/g4/g5"))
    assert [words("en").remark("notes", note) for note in scene.notes] == ["Hidden below others: g3/g4/g5."]
    assert [words("it").remark("notes", note) for note in scene.notes] == ["Nascosti sotto altri: g3/g4/g5."]


def test_the_centre_is_counted_where_it_decides(few):
    pieces = "w0:i9/i10/i11 b0:g9/f9/g10"
    (note,) = GAME.scene(None, None, few(pieces)).notes
    assert words("en").remark("notes", note) == "Cells of the centre: White 3, Black 1."
    assert not GAME.scene(None, None, few(pieces, preset="basic")).notes


def test_nobody_is_to_move_when_it_is_over(few):
    over = few("w0:a5/b5/c5 w0:d5/e5/f5 w0:g5/h5/i5 w0:j6/k7/l8 w0:n10/m9/o11 w0:p12/q12/q13", "black")
    assert GAME.scene(None, None, over).to_move is None
    assert words("en").outcome(over.outcome()) == "Alice has joined two opposite sides and wins."
    assert over.to_move == Side.SECOND
