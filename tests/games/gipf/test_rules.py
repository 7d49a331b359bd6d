"""Each rule of GIPF as a small picture and a move."""

import pytest

from games.gipf import GAME
from games.gipf.board import BIT, DOTS, ENTRIES, SPOTS, names
from games.gipf.rules import Rules, start
from games.protocol import Outcome, Side

FAR = "W:h5 B:h2"  # a GIPF-piece each, out of the way


def objection(position, text):
    return str(position.objection(GAME.move(text)))


# The board


def test_37_spots_24_dots_and_42_ways_in():
    assert (SPOTS.bit_count(), DOTS.bit_count(), len(ENTRIES)) == (37, 24, 42)
    ways = [
        sum(entry.dot == BIT[name] for entry in ENTRIES)
        for name in ("a1", "a5", "e1", "e9", "i1", "i5", "b1")
    ]
    assert ways == [1, 1, 1, 1, 1, 1, 2]
    lengths = [len(entry.spots) for entry in ENTRIES]
    assert (min(lengths), max(lengths), len({frozenset(entry.spots) for entry in ENTRIES})) == (4, 7, 21)
    (line,) = ["".join(map("".join, map(names, entry.spots))) for entry in ENTRIES if entry.dot == BIT["a1"]]
    assert line == "b2c3d4e5f5g5h5"


# How it begins


def test_the_corners_of_standard_and_basic():
    for preset, letters in (("standard", "WB"), ("basic", "wb")):
        position = start(GAME.presets[preset])
        assert [position.on(name) for name in ("b5", "e2", "h5", "b2", "e8", "h2")] == [
            *letters[0] * 3,
            *letters[1] * 3,
        ]
        assert [camp.reserve for camp in position.camps] == [12, 12]
    assert start(Rules()).camps[0].reserve == 18


def test_the_tournament_begins_with_gipf_pieces(played, written):
    position = start(Rules())
    assert objection(position, "e2") == "first_gipf Ge2"
    position = played(position, "Ge2 Ge8")
    assert position.camps[0].reserve == 16
    assert {"e1-e3", "Ge1-e3", "b3", "Gb3"} <= written(position)
    position = played(position, "Gb3 h3")
    assert position.outcome() is None
    position = played(position, "b2")
    assert objection(position, "Gb4") == "no_more_gipfs", "Black has brought in a single piece"
    position = played(position, "h4")
    assert objection(position, "Gb4") == "no_more_gipfs", "and now White, too"
    assert objection(start(GAME.presets["standard"]), "Ge9-e7") == "no_gipfs"


def test_a_gipf_piece_takes_two_of_the_reserve(few, written):
    position = few(FAR, preset="", reserve="1,9", opening="1,1")
    assert objection(position, "Gb3") == "two_pieces"
    assert not any("G" in text for text in written(position))


# Bringing in


def test_an_empty_spot_is_one_turn_from_whichever_dot(few, written):
    position = few(FAR)
    assert {text for text in written(position) if "-" not in text} == {
        "b2", "b3", "b4", "b5", "c2", "c6", "d2", "d7", "e2", "e8", "f2", "f7", "g2", "g6", "h3", "h4",
    }  # fmt: skip
    assert objection(position, "c3") == "not_at_edge c3"
    assert objection(position, "c3-c4") == "no_dot c3"
    assert objection(position, "e1") == "which_way e2"
    assert objection(position, "e1-e4") == "which_way e2"
    assert objection(position, "h2").startswith("which_way h1-h3 ")


def test_pieces_in_the_way_are_pushed_up_to_the_first_empty_spot(few, played):
    position = few(f"w:f2 b:e3 W:d3 {FAR}")
    after = played(position, "g1-c3")
    assert [after.on(name) for name in ("f2", "e3", "d3", "c3", "b3")] == ["w", "w", "b", "W", ""]
    assert objection(position, "g1-d3") == "which_way g2 g1-c3"


def test_a_line_without_an_empty_spot_is_closed(played, written):
    position = played(start(GAME.presets["basic"]), "b1-b3 b6-b4")
    assert "".join(map(position.on, ("b2", "b3", "b4", "b5"))) == "wbwb"
    assert objection(position, "b1-b6") == "which_way c2"
    assert {text for text in written(position) if text.startswith(("b1", "b6"))} == set()


# Rows


def test_a_row_takes_all_that_is_joined_to_it(few, played):
    position = few(f"w:f2,e3,d3 b:b3 {FAR}")
    assert objection(position, "g1-c3") == "row_made xb3,c3,d3,e3,f2"
    after = played(position, "g1-c3;xb3,c3,d3,e3,f2")
    assert [after.on(name) for name in ("b3", "c3", "f2")] == ["", "", ""]
    assert (after.camps[0].reserve, after.lost(Side.SECOND) - position.lost(Side.SECOND)) == (9 - 1 + 4, 1)


def test_a_gap_ends_what_is_joined(few, played):
    position = few(f"w:e3,e4,e5 b:e7,e8 {FAR}")
    after = played(position, "e2;xe2,e3,e4,e5")
    assert (after.on("e7"), after.on("e8")) == ("b", "b")


def test_three_are_no_row_and_five_are_one(few, written):
    assert "e2" in written(few(f"w:e3,e4 {FAR}"))
    assert "e1-e4;xe2,e3,e4,e5,e6" in written(few(f"w:e2,e3,e5,e6 {FAR}"))


# G2


def test_each_gipf_piece_of_a_row_may_stay(few, written, played):
    position = few("w:f2,e3 W:d3 b:b4 B:b3,h2")
    ways = {text for text in written(position) if text.startswith("g1-c3")}
    assert ways == {
        "g1-c3;xd3,e3,f2",
        "g1-c3;xb3,d3,e3,f2",
        "g1-c3;xc3,d3,e3,f2",
        "g1-c3;xb3,c3,d3,e3,f2",
    }
    after = played(position, "g1-c3;xb3,d3,e3,f2")
    assert (after.on("c3"), after.camps[1].gipfs) == ("W", BIT["h2"])
    assert objection(position, "g1-c3;xb3,c3,d3,e3") == "goes_too f2"
    assert objection(position, "g1-c3;xb4,d3,e3,f2") == "stays b4"
    own = played(few("w:f2,e3 W:d3,h5 B:h2"), "g1-c3;xc3,d3,e3,f2")
    assert own.camps[0].reserve == 9 - 1 + 3 + 2, "a GIPF-piece returns as two single ones"


def test_a_row_of_gipf_pieces_may_stay_as_a_whole(few, written, played):
    position = few("W:c3,d3,e3,f2 B:h2")
    texts = written(position)
    assert {"b5", "xc3;b5", "xc3,d3,e3;b5"} <= texts
    assert "xc3,d3,e3,f2" in texts, "that loses at once"
    assert played(position, "xc3,d3,e3,f2").outcome() == Outcome(Side.SECOND, "no_gipf")
    assert played(position, "b5").on("c3") == "W"


# G3


def test_of_rows_that_cross_the_one_chosen_goes_first(few, written, played):
    # Entering e2 ends a row along e, and one from b2 to e2.
    position = few(f"w:e3,e4,e5,b2,c2,d2 {FAR}")
    assert objection(position, "e2") == "row_made xb2,c2,d2,e2 xe2,e3,e4,e5"
    assert {text for text in written(position) if text.startswith("e2")} == {
        "e2;xb2,c2,d2,e2",
        "e2;xe2,e3,e4,e5",
    }
    assert objection(position, "e2;xb2,c2,d2,e2,e3,e4,e5") == "stays e3 e4 e5"


def test_with_a_gipf_piece_left_on_the_crossing_both_go(few, written):
    # A push from d1 moves the GIPF-piece from d2 to d3, where a row from a corner and one along d cross.
    position = few("w:b3,c3,e3,d4,d5 W:d2,h5 B:h2")
    assert {text for text in written(position) if text.startswith("d1-d3")} == {
        "d1-d3;xb3,c3,d3,e3",
        "d1-d3;xd2,d3,d4,d5",
        "d1-d3;xb3,c3,d2,d4,d5,e3",
        "d1-d3;xb3,c3,d2,d3,d4,d5,e3",
    }


# G4


def test_of_rows_of_both_the_mover_takes_one_and_the_other_waits(few, written, played):
    # A push from e1 moves e2 to e3 and e3 to e4: a white row from b3, a black one from b4.
    position = few(f"w:e2,b3,c3,d3 b:e3,b4,c4,d4 {FAR}")
    assert objection(position, "e1-e4") == "row_made xb3,c3,d3,e3"
    after = played(position, "e1-e4;xb3,c3,d3,e3")
    assert after.on("e4") == "b"
    assert objection(after, "b2") == "row_stands xb4,c4,d4,e4"
    assert all(text.startswith("xb4,c4,d4,e4;") for text in written(after))
    assert objection(after, "xb4,c4,d4,e4") == "must_enter"
    assert played(after, "xb4,c4,d4,e4;b2").camps[1].reserve == 9 + 4 - 1


# G6


def test_who_has_no_gipf_piece_left_has_lost(few, played):
    position = few("w:f2,e3,d3 B:b3 W:h5")
    assert played(position, "g1-c3;xb3,c3,d3,e3,f2").outcome() == Outcome(Side.FIRST, "no_gipf")
    assert played(position, "g1-c3;xc3,d3,e3,f2").outcome() is None
    stands = few("w:f2,e3,d3,c3 B:b3 W:h5")
    decided = played(stands, "xb3,c3,d3,e3,f2")
    assert decided.outcome() == Outcome(Side.FIRST, "no_gipf")
    assert objection(stands, "xb3,c3,d3,e3,f2;e2") == "decided"
    assert (list(decided.moves()), objection(decided, "e2")) == ([], "finished")


def test_if_both_lose_their_last_at_once_the_mover_wins(few, played):
    position = few("w:f2,e3 W:d3 B:b3")
    assert played(position, "g1-c3;xb3,c3,d3,e3,f2").outcome() == Outcome(Side.FIRST, "no_gipf")
    assert played(position, "g1-c3;xc3,d3,e3,f2").outcome() == Outcome(Side.SECOND, "no_gipf")


def test_in_basic_only_the_reserve_counts(few):
    assert few("w:e2 b:e8", preset="basic").outcome() is None


# G7


def test_who_has_nothing_to_bring_in_has_lost(few):
    assert few(FAR, reserve="0,9").outcome() == Outcome(Side.SECOND, "no_piece")
    assert few(FAR, reserve="9,0").outcome() is None, "it is not Black's turn yet"


def test_a_row_can_refill_the_reserve(few, written):
    position = few("w:e3,e4,e5,e6 W:h5 B:h2", reserve="0,9")
    assert position.outcome() is None
    assert all(text.startswith("xe3,e4,e5,e6;") for text in written(position))
    gipfs = few("W:e3,e4,e5,e6 B:h2", reserve="0,9")
    assert objection(gipfs, "b3") == "keeps_none"
    assert all(text.startswith("x") for text in written(gipfs)), "one of them has to go"


# G8


def test_the_third_occurrence_is_a_draw(few):
    assert GAME.repetition == 3
    one, other = few(FAR), few(FAR, reserve="9,8")
    assert one.key() != other.key(), "reserves are part of it"
    assert one.key() != few(FAR, "black").key()


# The text of a position


@pytest.mark.parametrize(
    "text",
    [
        "----/-----/------/-------/------/-----/---- white",
        "----/-----/------/-------/------/----/---- reserve=9,9 opening=0,0 white",
        "W---/-----/------/-------/------/-----/---- reserve=17,9 opening=0,0 white",
        "W---/-----/------/-------/------/-----/---- reserve=9,9 opening=1,0 white",
        "----/-----/------/-------/------/-----/---- reserve=9,9 opening=0,0 red",
    ],
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        GAME.position(GAME.presets["standard"], text)


@pytest.mark.parametrize(
    "text", ["", "e2;e3", "xc3,b3;e2", "xb3,b3;e2", "xb3;xc3;e2", "e1-e2-e3", "He2", "x;e2", "e2;x"]
)
def test_what_is_no_canonical_move_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        GAME.move(text)


def test_a_set_up_is_refused():
    with pytest.raises(ValueError, match="no set-up"):
        start(Rules(), "e2")
