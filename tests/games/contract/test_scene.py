"""The contract of scenes: every renderer draws them."""

from xml.etree import ElementTree

from games.kit.drawing import Box, Disc
from games.kit.image import render_png
from games.kit.layout import Caption, lay_out
from games.kit.svg import svg
from games.kit.text import board
from games.kit.words import speech
from tests.games.contract.conftest import NOTATIONS

PHONE = 320  # pixels of width


def test_every_renderer_draws_it(subject, notation):
    """The start is painted in each notation, and each of the others in one of them: letters differ, men do not."""
    one = NOTATIONS.index((notation.language, notation.coordinates))
    words = speech(subject.game, subject.rules, notation, ("Alice", "Bruno"))
    caption = Caption("Alice - Bruno", subject.name)
    start = (None, None, subject.records[0].replay()[0])
    for number, (before, move, after) in enumerate([start, *subject.turns[::6]]):
        scene = subject.game.scene(before, move, after)
        assert max(map(len, board(scene, words).splitlines())) <= 72
        if not number or number % len(NOTATIONS) == one:
            assert render_png(scene, words, caption).startswith(b"\x89PNG")
        assert ElementTree.fromstring(svg(scene, words, caption)).tag.endswith("svg")
        assert all(sentence.strip() for sentence in words.position(scene))


def test_a_scene_speaks_of_its_own_cells_and_pieces(subject):
    known = subject.game.phrases("en")["pieces"].keys()
    for before, move, after in subject.turns:
        scene = subject.game.scene(before, move, after)
        cells = [cell.name for cell in scene.cells]
        assert len(set(cells)) == len(cells)
        ways = [cell for arrow in scene.arrows for cell in arrow.cells]
        spots = [spot.cell for spot in (*scene.marks, *scene.edges)]
        assert {*ways, *spots, *scene.pieces} <= {*cells}
        shown = [*scene.pieces.values(), *([piece for piece, _ in tray.pieces] for tray in scene.trays)]
        assert {piece.kind for stack in shown for piece in stack} <= known
        assert scene.to_move == (None if after.outcome() else after.to_move)
        assert scene.changes


def test_no_two_cells_share_a_name(subject, notation):
    scene = subject.game.scene(None, None, subject.positions[0])
    labels = {subject.game.cell(subject.rules, cell.name, notation) for cell in scene.cells}
    assert len(labels) == len(scene.cells)


def test_on_a_phone_the_board_takes_the_width(subject, notation):
    words = speech(subject.game, subject.rules, notation, ("Alice", "Bruno"))
    scene = subject.game.scene(None, None, subject.positions[0])
    shapes = lay_out(scene, words, Caption(subject.name), PHONE).shapes
    if scene.shape != "ring":  # squares, or the plate below points
        left, right = next((s.x, s.x + s.width) for s in shapes if isinstance(s, Box))
    else:
        rings = [s for s in shapes if isinstance(s, Disc) and s.fill == "ring"]
        left, right = min(s.x - s.radius for s in rings), max(s.x + s.radius for s in rings)
    assert 0 <= left < right <= PHONE
    assert (
        right - left >= (0.95 if scene.shape == "ring" else 0.91) * PHONE
    )  # coordinates are outside of squares, and those of ten rows have two digits


def test_seen_from_the_other_side_it_is_the_same_board(subject):
    for before, move, after in subject.turns[::9]:
        scene = subject.game.scene(before, move, after)
        if scene.shape != "square":
            return
        turned = scene.flipped()
        assert turned.flipped() == scene
        assert (turned.pieces, turned.marks) == (scene.pieces, scene.marks)
        assert {(c.x, c.y) for c in turned.cells} == {(c.x, c.y) for c in scene.cells}
