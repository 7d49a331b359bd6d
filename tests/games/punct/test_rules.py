"""Each rule of PÜNCT as a few pieces and a move."""

from dataclasses import replace
from random import Random

import pytest

from games.protocol import Outcome, Side
from games.punct import GAME
from games.punct.board import BIT, CENTRE, EACH, LATTICE, OF_KIND, PIECES, PLACEMENTS, SIDES, in_line
from games.punct.rules import Position, Rules, start


def objection(position, text):
    return str(position.objection(GAME.move(text)))


# The board and the pieces


def test_211_cells_in_17_rows():
    assert [len(row) for row in LATTICE.rows] == [
        7,
        10,
        11,
        12,
        13,
        14,
        15,
        16,
        15,
        16,
        15,
        14,
        13,
        12,
        11,
        10,
        7,
    ]
    assert len(BIT) == 211
    assert {*LATTICE.names(in_line(BIT["a2"]))} > {"a8", "h2", "p17"}


def test_the_centre_is_within_two_steps_of_the_middle():
    assert " ".join(LATTICE.names(CENTRE)) == (
        "g7 g8 g9 h7 h8 h9 h10 i7 i8 i9 i10 i11 j8 j9 j10 j11 k9 k10 k11"
    )


def test_six_sides_of_seven_cells_the_opposite_ones_paired():
    sides = {frozenset(" ".join(LATTICE.names(side)) for side in pair) for pair in SIDES}
    assert sides == {
        frozenset(("a2 a3 a4 a5 a6 a7 a8", "q10 q11 q12 q13 q14 q15 q16")),
        frozenset(("b1 c1 d1 e1 f1 g1 h1", "j17 k17 l17 m17 n17 o17 p17")),
        frozenset(("b10 c11 d12 e13 f14 g15 h16", "j2 k3 l4 m5 n6 o7 p8")),
    }


@pytest.mark.parametrize(
    ("kind", "lies"),
    [
        ("T", "g5/g6/h6 g5/h5/h6 g5/g4/h5 g5/f4/g4 g5/f4/f5 g5/f5/g6"),
        ("C", "g5/g4/g6 g5/f4/h6 g5/f5/h5"),
        ("E", "g5/g6/g7 g5/h6/i7 g5/h5/i5 g5/g3/g4 g5/e3/f4 g5/e5/f5"),
        ("M", "g5/g6/h5 g5/g4/h6 g5/f4/h5 g5/f5/g4 g5/f4/g6 g5/f5/h6"),
        ("L", "g5/g6/h7 g5/h6/i6 g5/h4/h5 g5/f3/g4 g5/e4/f4 g5/f5/f6"),
        ("R", "g5/f6/g6 g5/h6/h7 g5/h5/i6 g5/g4/h4 g5/f3/f4 g5/e4/f5"),
    ],
)
def test_how_a_piece_can_lie(kind, lies):
    found = {
        "/".join((one.names[0], *sorted(one.names[1:]))) for one in OF_KIND[kind] if one.names[0] == "g5"
    }
    assert found == {"/".join((one[:2], *sorted(one[3:].split("/")))) for one in lies.split()}


def test_each_shape_has_its_kind_and_is_written_in_one_way():
    assert sum(EACH.values()) == PIECES == 18
    assert all(GAME.move(text).target == text for text in PLACEMENTS)
    assert len({(lies.punct, lies.cells) for lies in PLACEMENTS.values()}) == len(PLACEMENTS)
    for text in ("g5/h7/g6", "g5/g6", "g5/g6/g9", "a1/a2/a3", "j3-j3", "r1-g5/g6/h7", "g5/g6/h7/h8"):
        with pytest.raises(ValueError, match="canonical"):
            GAME.move(text)


# P1: placing


def test_a_piece_is_placed_on_empty_cells(few, played):
    position = few("w0:g5/g6/h7 b0:e3/e4/e5", "black")
    assert objection(position, "g7/h7/h8") == "taken h7"
    after = played(position, "g3/g4/h4")
    assert after.stock(Side.SECOND)["E"] == 3
    assert after.to_move == Side.FIRST


def test_nothing_is_placed_under_a_bridge(few):
    position = few("w0:g3/f2/f3 b0:g5/f4/f5 w1:g3/g4/g5", "black")
    assert objection(position, "h4/g4/h5") == "taken g4"


def test_nothing_is_placed_on_the_centre(few):
    assert objection(few("w0:a2/a3/a4"), "g5/g6/g7") == "centre g7"
    assert objection(few("", preset="basic"), "g5/g6/g7") == "centre_first g7"
    assert objection(few("w0:a2/a3/a4", "black", preset="basic"), "g5/g6/g7") == "None"


def test_there_are_so_many_of_each_kind(few):
    assert objection(few("w0:a2/b2/b3 w0:d2/d1/d3 w0:d5/d4/d6"), "e9/e8/e10") == "none_left C"


# P2: moving


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("g2-g12/g13/g14", "None"),  # over a black piece and the centre
        ("g2-g10/g8/g9", "None"),  # into the centre
        ("g2-c2/a2/b2", "None"),
        ("g2-g2/e2/f2", "None"),  # turned where it is
        ("g2-g2/g3/g4", "stays"),
        ("g2-h4/h5/h6", "off_line g2 h4"),
        ("g2-g12/g13/h13", "other_kind g2 E"),
        ("g3-g12/g13/g14", "no_punct g3 g2"),
        ("g6-e6/e7/e8", "not_yours g6"),
        ("m9-m10/m11/m12", "empty m9"),
    ],
)
def test_the_punct_goes_along_a_line_and_the_piece_is_turned(few, text, code):
    assert objection(few("w0:g2/g3/g4 b0:g6/f5/f6"), text) == code


def test_what_is_covered_stays(few):
    position = few("w0:g3/f2/f3 b0:f5/g5/g6 w1:g3/g4/g5", "black")
    assert objection(position, "f5-d5/c4/c5") == "covered g5"


def test_a_bridge_covers_what_is_below_it(few):
    position = few("w0:g3/f2/f3 b0:h4/g4/h5 b0:g5/f4/f5 w1:g3/g4/g5", "black")
    assert objection(position, "h4-d4/c3/c4") == "covered g4"


def test_a_piece_turned_about_its_punct_lies_otherwise(few, written):
    turns = written(few("w0:m9/m8/m10"))
    assert {text for text in turns if text.startswith("m9-m9/")} == {"m9-m9/l8/n10", "m9-m9/l9/n9"}


# P3: rest


def test_dots_of_either_colour_carry_but_the_punct_lies_over_ones_own(few, played):
    position = few("w0:g3/f2/f3 b0:g5/f4/f5 w0:g9/g10/g11")
    after = played(position, "g9-g3/g4/g5")
    assert [(after.top(name).level, after.top(name).side) for name in ("g3", "g4", "g5")] == [
        (1, Side.FIRST)
    ] * 3
    assert objection(position, "g9-g5/g3/g4") == "punct_below g5"


def test_a_piece_lies_level(few):
    position = few("w0:g3/f2/f3 b0:g5/f4/f5 w0:g9/g10/g11")
    assert objection(position, "g9-g1/g2/g3") == "uneven g1 g3"


def test_a_triangle_does_not_bridge(few):
    position = few("w0:g3/f2/f3 b0:g4/f4/f5 w0:g9/g10/h10")
    assert objection(position, "g9-g3/g4/h4") == "uneven g3 g4 h4"
    assert objection(position, "g9-g3/f3/g4") == "None"


# P4: bridges

TWO_HIGH = "w0:g3/f2/f3 w0:g5/f4/f5 {} w1:g3/f2/f3 w1:g5/f4/f5"


@pytest.mark.parametrize("below", ["", "b0:g4/h4/h5"])
def test_the_middle_hangs_over_nothing_or_a_lower_piece(few, below):
    position = few(f"{TWO_HIGH.format(below)} w0:g9/g10/g11")
    assert objection(position, "g9-g3/g4/g5") == "None"


def test_the_middle_does_not_fit_into_a_pile(few):
    assert objection(few("b0:g4/h4/h5 w0:g9/g10/g11"), "g9-g3/g4/g5") == "middle g4"


@pytest.mark.parametrize(
    ("below", "code"), [("", "punct_below g4"), ("b0:g4/h4/h5", "punct_below g4"), ("w0:g4/h4/h5", "None")]
)
def test_a_punct_that_hangs_needs_ones_own_below_at_whatever_depth(few, below, code):
    position = few(f"{TWO_HIGH.format(below)} w0:g9/g8/g10")
    assert objection(position, "g9-g4/g3/g5") == code


# P5: chains

CHAIN = "w0:a5/b5/c5 w0:d5/e5/f5 w0:g5/h5/i5 w0:j6/k7/l8 w0:n10/m9/o11 w0:p12/q12/q13"
COVER = "b0:d4/c3/c4 b0:d6/d7/e7 b1:d4/d5/d6"


def test_a_chain_of_neighbouring_cells_wins(few, played):
    after = played(few(CHAIN.removesuffix(" w0:p12/q12/q13")), "p12/q12/q13")
    assert after.outcome() == Outcome(Side.FIRST, "joined")
    assert list(after.moves()) == []
    assert objection(after, "a7/a8/b8") == "finished"


def test_sides_that_are_not_opposite_win_nothing(few):
    position = few("w0:a2/b2/b3 w0:b1/c1/d1")
    assert position.outcome() is None


def test_a_cell_is_of_what_lies_on_top(few):
    assert few(CHAIN).outcome() == Outcome(Side.FIRST, "joined")
    assert few(f"{CHAIN} {COVER}").outcome() is None


def test_a_lifted_piece_may_uncover_a_chain_of_the_opponents(few, played):
    after = played(few(f"{CHAIN} {COVER}", "black"), "d4-h8/f8/g8")
    assert after.outcome() == Outcome(Side.FIRST, "joined")


def test_of_two_chains_the_movers_wins(few, played):
    beside = "b0:a8/b8/c8 b0:g8/h8/i8 b0:j9/k10/l11 b0:n13/m12/o14 b0:p15/q15/q16"
    after = played(few(f"{CHAIN} {COVER} {beside}", "black"), "d4-d8/e8/f8")
    assert after.surface.joined == (True, True)
    assert after.outcome() == Outcome(Side.SECOND, "joined")


# P6: the last piece


@pytest.mark.parametrize("seed", range(6))
def test_when_a_side_has_placed_its_last_piece_the_centre_decides(seed):
    rng, position, before = Random(seed), start(Rules()), start(Rules())
    while not position.outcome():
        before, position = position, position.play(position.sample(rng))
    placed = [len([piece for piece in position.pieces if piece.side == side]) for side in Side]
    assert max(placed) == PIECES > len([piece for piece in before.pieces if piece.side == before.to_move])
    ahead = position.central(Side.FIRST) - position.central(Side.SECOND)
    winner = None if not ahead else Side.FIRST if ahead > 0 else Side.SECOND
    assert position.outcome() == Outcome(winner, "centre" if ahead else "even")
    assert replace(position, rules=Rules("open")).outcome() is None


def test_in_the_basic_game_who_has_nothing_to_place_moves():
    rng, position = Random(1), start(Rules("open"))
    while any(position.stock(position.to_move).values()):
        position = position.play(position.sample(rng))
    assert position.outcome() is None
    assert all(move.origin for move in position.moves())


def test_who_can_do_nothing_has_lost(monkeypatch):
    # all pieces covered, and none left to place: too rare to be met
    monkeypatch.setattr(Position, "turns", lambda _: iter(()))
    assert start(Rules()).outcome() == Outcome(Side.SECOND, "stuck")


# P7: repetition


def test_a_position_with_its_levels_and_its_mover_is_what_recurs(few, played):
    assert GAME.repetition == 3
    position = few("w0:g3/g4/g5 b0:m9/m10/m11")
    after = played(position, "g3-g3/e3/f3 m9-m9/k9/l9 g3-g3/g4/g5 m9-m9/m10/m11")
    assert after.key() == position.key() != few("w0:g3/g4/g5 b0:m9/m10/m11", "black").key()


# The text of a position


@pytest.mark.parametrize(
    "text",
    [
        "white",
        "- red",
        "-  white",
        "wT0g5/g6/h7 white",  # that is an angle
        "wE0g5/g6/g7 wE0g5/g6/g7 white",  # one in the other
        "wE1g5/g6/g7 white",  # it hangs in the air
        "bE0g3/g4/g5 wE0a2/a3/a4 white",  # out of order
        "wC0a3/a2/a4 wC0c3/c2/c4 wC0e3/e2/e4 white",  # one too many
        "bE0g5/g6/g7 wE1g5/g6/g7 white",  # the PÜNCT on another's
    ],
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(ValueError, match=r"is not|cannot"):
        GAME.position(Rules(), text)


def test_there_is_no_set_up():
    with pytest.raises(ValueError, match="set-up"):
        GAME.start(Rules(), "x")
