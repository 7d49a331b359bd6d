"""Boards of points: lines between neighbours, and stacks shown by their top, height and badge."""

from dataclasses import replace

import pytest

from games.kit.drawing import Box, Disc, Line, Text
from games.kit.layout import Caption, lay_out
from games.kit.scene import Piece, Tray, hexagon, segments
from games.kit.text import board, grid
from games.protocol import Side

QUIET = Caption("")
WHITE, GREY, BLACK = Piece("white", "light"), Piece("grey", "grey"), Piece("black", "dark")


def shapes(scene, speech, width=400):
    return lay_out(scene, speech, QUIET, width).shapes


def test_lines_join_neighbours_and_no_others(points):
    assert {frozenset(pair) for pair in segments(points.cells)} == {
        frozenset(pair.split())
        for pair in ("a1 a2", "b1 b2", "b2 b3", "c2 c3", "a1 b1", "a1 b2", "a2 b2", "a2 b3", "b1 c2", "b2 c2")
    } | {frozenset(("b2", "c3")), frozenset(("b3", "c3"))}


def test_no_line_crosses_a_hole(points):
    left = tuple(cell for cell in points.cells if cell.name != "b2")
    assert not [pair for pair in segments(left) if "b2" in pair]


def test_a_cell_with_six_neighbours_in_a_set_is_enclosed():
    lattice = hexagon("a1-3 b1-4 c1-5 d2-5 e3-5")
    assert "".join(sorted(lattice.names(lattice.enclosed(lattice.full)))) == "b2b3c2c3c4d3d4"
    assert list(lattice.names(lattice.enclosed(lattice.full ^ lattice.bit["a1"]))) == [
        "b3",
        "c2",
        "c3",
        "c4",
        "d3",
        "d4",
    ]


def test_the_text_board(points, english):
    assert grid(points, english) == [
        "a1   B2 -  *",
        "   /  \\  /  \\",
        "[ . ]-[W3G]-  .",
        "   \\  /  \\  /",
        "     .  -  B   c3",
    ]


def test_the_picture_has_a_plate_lines_and_coordinates_on_it(points, english):
    drawn = shapes(points, english)
    plate = next(s for s in drawn if isinstance(s, Box))
    assert (plate.x, plate.width, plate.fill) == (0, 400, "ground")
    assert sum(isinstance(s, Line) and s.colour == "label" for s in drawn) == 12
    for text in (s for s in drawn if isinstance(s, Text) and s.text in ("a1", "c3")):
        assert 0 < text.x < 400
        assert plate.y < text.y < plate.y + plate.height
        assert text.on == "ground"


def test_a_counted_stack_has_its_height_and_a_badge_for_what_lies_below(points, english):
    drawn = shapes(points, english)
    assert sorted(s.text for s in drawn if isinstance(s, Text) and s.edge) == ["2", "3"]
    badges = [s for s in drawn if isinstance(s, Disc) and (s.fill, s.line) == ("grey", "light")]
    assert len(badges) == 1
    assert points.badged("b2") == points.badge
    assert points.badged("a1") is points.badged("c2") is None
    assert replace(points, pieces={"b2": (BLACK, points.badge)}).badged("b2") is None, "on top it is seen"


def test_the_circle_of_the_last_move_lies_around_the_top(points, english):
    drawn = shapes(points, english)
    circle = next(s for s in drawn if isinstance(s, Disc) and s.fill is None and s.line == "accent")
    discs = [(s.x, s.y) for s in drawn if isinstance(s, Disc) and s.fill == "light" and s.radius > 20]
    assert (circle.x, circle.y) in discs


@pytest.mark.parametrize("stack", [(WHITE,), (BLACK, WHITE)])
def test_a_red_piece_has_a_light_dot(points, english, stack):
    red = replace(WHITE, look="red")
    drawn = shapes(replace(points, pieces={"b2": (*stack, red)}), english)
    dots = [s for s in drawn if isinstance(s, Disc) and (s.fill, s.on) == ("light", "accent")]
    assert len(dots) == 2, "of the top and of the edge below it"


def test_what_the_numbers_mean_stands_below(points, english):
    assert "HEIGHTS" in {s.text for s in shapes(points, english) if isinstance(s, Text)}
    assert "HEIGHTS" not in board(points, english)


def test_a_high_stack_of_one_kind_is_told_by_its_height(points, english, italian):
    assert "a1: black marble, 2 high." in english.position(points)
    assert "a1: biglia nera, altezza 2." in italian.position(points)


def test_discs_of_one_colour_differ_by_what_they_bear(points, english):
    ring, dot = replace(WHITE, figure="ring"), replace(WHITE, figure="dot")
    drawn = shapes(replace(points, pieces={"a1": (ring,), "c3": (dot,) * 3}, badge=None), english)
    borne = [(s.fill, s.line) for s in drawn if isinstance(s, Disc) and s.on == "light"]
    assert borne.count((None, "dark")) == 1
    assert borne.count(("dark", None)) == 3, "of the ring, of the high stack and of its edge"
    number = next(s for s in drawn if isinstance(s, Text) and s.text == "3")
    top = next(s for s in drawn if isinstance(s, Disc) and s.on == "light" and s.x > 200)
    assert number.x > top.x + top.radius, "beside the figure"


def test_a_lettered_stack_shows_the_rim_and_the_letter_of_each_piece(points, english):
    claims = Tray(None, ((GREY, 0),), "claimed"), Tray(Side.FIRST, ((WHITE, 2), (BLACK, 0)), "claimed")
    lettered = replace(points, counted=False, lettered=True, badge=None, men=None, trays=claims)
    drawn = shapes(lettered, english)
    assert {"W", "GB", "B", "G", "2", "0"} <= {s.text for s in drawn if isinstance(s, Text)}
    (stack,) = {(s.x, s.y) for s in drawn if isinstance(s, Text) and s.text == "GB"}
    rims = [
        s for s in drawn if isinstance(s, Disc) and s.x == stack[0] and s.line == "outline" and s.radius > 20
    ]
    assert [disc.fill for disc in rims] == ["grey", "dark", "light"]
    assert rims[0].y > rims[1].y > rims[2].y
    assert "[GBW]" in grid(lettered, english)[2]
    assert board(lettered, english).splitlines()[0].endswith("Unclaimed  G")
    assert english.position(lettered)[-3:-1] == ("Unclaimed: grey.", "Claimed by Alice: white (2) and black.")
    assert "b2: white, black and grey, from the top down." in english.position(lettered)
