"""How a position of TZAAR is shown: picture, text board, words."""

from games.kit.drawing import Disc, Text
from games.kit.layout import Caption, lay_out
from games.kit.text import grid
from games.kit.words import speech
from games.protocol import Notation
from games.tzaar import GAME
from games.tzaar.rules import Rules, start

PLAYERS = "Alice", "Bruno"


def words(language):
    return speech(GAME, Rules(), Notation(language), PLAYERS)


def test_the_start_as_text():
    assert grid(GAME.scene(None, None, start(Rules())), words("en"))[8:10] == [
        "e1  T - A - Z - T       t - z - a - t  e8",
        "     \\ / \\ / \\ / \\     / \\ / \\ / \\ /",
    ]


def test_a_turn_of_two_actions_is_told_and_marked(amid):
    before = amid("d4:T d7:t c4:A c2:Z")
    move = GAME.move("d4xd7,c4+c2")
    scene = GAME.scene(before, move, before.play(move))
    assert words("en").changes(scene) == (
        "captures a black Tott on d7 from d4 and moves from c4 onto c2, to make that stack higher"
    )
    assert words("it").changes(scene) == (
        "cattura un Tott nero in d7 da d4 e muove da c4 sulla pila in c2, che diventa più alta"
    )
    assert [(mark.kind, mark.cell) for mark in scene.marks] == [
        ("from", "d4"),
        ("to", "d7"),
        ("captured", "d7"),
        ("from", "c4"),
        ("to", "c2"),
    ]
    assert [arrow.cells for arrow in scene.arrows] == [("d4", "d7"), ("c4", "c2")]
    assert "c2: white Tzarra, 2 high." in words("en").position(scene)
    assert "c2: Tzarra bianca, altezza 2." in words("it").position(scene)


def test_the_types_differ_in_shape(amid):
    drawn = lay_out(GAME.scene(None, None, amid("d4:T d7:t c4:A2 f5:t")), words("en"), Caption("")).shapes
    dots = [
        s for s in drawn if isinstance(s, Disc) and s.fill in ("light", "dark") and s.on in ("light", "dark")
    ]
    rings = [s for s in drawn if isinstance(s, Disc) and not s.fill and s.on]
    assert len(rings) == 2, "Tzaars"
    assert len(dots) == 2 + 2 + 2, "Tzaars, Tzarras, and the edge below a high one with it"
    assert [s.text for s in drawn if isinstance(s, Text) and s.edge] == ["2"]
    assert any("Ring and dot: Tzaar" in s.text for s in drawn if isinstance(s, Text))


def test_it_says_how_many_are_left():
    begun = GAME.scene(None, None, start(Rules()))
    assert [str(note) for note in begun.notes] == ["left_white 6 9 15", "left_black 6 9 15", "one_capture"]
    free = GAME.scene(None, None, start(Rules("free")))
    assert [str(note) for note in free.notes] == ["to_place_white 6 9 15", "to_place_black 6 9 15"]
    assert [sum(n for _, n in tray.pieces) for tray in free.trays] == [30, 30]
