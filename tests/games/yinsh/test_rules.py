"""Each rule of YINSH as a small picture and a move."""

from random import Random

import pytest

from games.protocol import Outcome, Side
from games.yinsh import GAME
from games.yinsh.board import BOARD, PASS, POINTS, rows
from games.yinsh.rules import Rules, start

OTHERS = "B:e9,f9,g9,h9,i9"  # Black's rings, out of the way
RINGS = f"W:e1,f2,g11,h11,k7 {OTHERS}"


def objection(position, text):
    return str(position.objection(GAME.move(text)))


# The board


def test_85_points_in_eleven_lines():
    assert len(POINTS) == len({*POINTS}) == 85
    assert [len(row) for row in BOARD.rows] == [4, 7, 8, 9, 10, 9, 10, 9, 8, 7, 4]
    assert [row[0] for row in BOARD.rows] == [
        "a2",
        "b1",
        "c1",
        "d1",
        "e1",
        "f2",
        "g2",
        "h3",
        "i4",
        "j5",
        "k7",
    ]
    assert sum(1 for _ in rows(BOARD.full)) == 3 * 41


# Phase 1


def test_ten_rings_are_placed_in_turn(played):
    position = start(Rules())
    assert (position.count(), objection(position, "e3-e4")) == (85, "placing 10")
    position = played(position, "e3 a5")
    assert objection(position, "e3") == "occupied e3"
    assert position.count() == 83
    position = played(position, "b5 c6 d6 e4 h7 g2 g3")
    assert (position.placing, position.in_hand(Side.SECOND)) == (True, 1)
    position = played(position, "g8")
    assert (position.placing, position.to_move, position.pool) == (False, Side.FIRST, 51)
    assert objection(position, "e5") == "all_placed e5"


# Phase 2: a marker, and the move of its ring


def test_a_ring_leaves_a_marker_and_goes_over_empty_points_freely(few, played, written):
    position = few("W:e5,a2,a3,b1,b2 B:e9,h8,k7,k8,k9")
    reached = {text for text in written(position) if text.startswith("e5-")}
    assert reached == {
        *(f"e5-e{n}" for n in (1, 2, 3, 4, 6, 7, 8)),
        *(
            f"e5-{point}"
            for point in ["d5", "c5", "b5", "a5", "f5", "g5", "h5", "i5", "j5", "f6", "g7", "d4", "c3"]
        ),
    }, "rings are in the way on e9, h8 and b2"
    after = played(position, "e5-g7")
    assert (after.on("e5"), after.on("g7"), after.pool) == ("w", "W", 50)


def test_behind_adjacent_markers_it_stops_on_the_first_empty_point(few, played, written):
    position = few(f"W:e2,f2,g11,h11,k7 {OTHERS} w:e4 b:e5")
    reached = {text for text in written(position) if text.startswith("e2-e")}
    assert reached == {"e2-e1", "e2-e3", "e2-e6"}
    assert objection(position, "e2-e7") == "goes_on e7 e6"
    assert objection(position, "e2-e4") == "occupied e4"
    after = played(position, "e2-e6")
    assert [after.on(f"e{n}") for n in range(2, 7)] == ["w", "", "b", "w", "W"], (
        "the new marker is not turned"
    )


def test_no_ring_passes_a_ring(few):
    position = few(f"W:e2,f2,g11,h11,k7 {OTHERS}")
    assert objection(position, "e2-e10") == "over_ring e2 e10 e9"
    position = few("W:e2,f2,g11,h11,k7 B:e5,f9,g9,h9,i9 w:e4")
    assert objection(position, "e2-e6") == "over_ring e2 e6 e5", "nor behind markers"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a2-a3", "no_ring a2"),
        ("e9-e8", "not_yours e9"),
        ("e1-g2", "off_line e1 g2"),
        ("e1-f2", "occupied f2"),
        ("e1-a1", "no_point a1"),
        ("e1-e2;xa2-a6", "no_point a6"),
        ("e1-e2;xb2-b6;xe2", "no_row b2 b6"),
        ("e1-e2;xe2", "nothing_to_remove e2"),
        ("xb2-b6;xe1;e1-e2", "no_row b2 b6"),
        ("pass", "must_move"),
    ],
)
def test_what_else_is_no_turn(few, text, code):
    assert objection(few(RINGS), text) == code


# Y1: rows


def test_a_row_goes_back_to_the_pool_with_any_ring_of_ones_own(few, played, written):
    position = few(f"W:e3,f2,g11,h11,k7 {OTHERS} w:a3,b3,c3,d3 b:k10")
    assert objection(position, "e3-e4") == "which_row a3-e3"
    assert objection(position, "e3-e4;xa3-e3") == "which_ring e4 f2 g11 h11 k7 1"
    assert objection(position, "e3-e4;xa3-e3;xe9") == "no_ring e9"
    assert objection(position, "e3-e4;xa3-e3;xe4;xf2") == "too_many_rings 1 2"
    assert {text for text in written(position) if text.startswith("e3-e4")} == {
        f"e3-e4;xa3-e3;x{ring}" for ring in ("e4", "f2", "g11", "h11", "k7")
    }, "also the ring that has just moved"
    after = played(position, "e3-e4;xa3-e3;xe4")
    assert (after.on("a3"), after.on("e4"), after.pool, after.taken(Side.FIRST)) == ("", "", 50, 1)


def test_of_a_longer_run_any_five_adjacent_markers_go(few, played, written):
    position = few(f"W:e3,f2,g11,h11,k7 {OTHERS} w:a3,b3,c3,d3,f3,g3")
    rows_of = {text.split(";")[1] for text in written(position) if text.startswith("e3-e4;")}
    assert rows_of == {"xa3-e3", "xb3-f3", "xc3-g3"}
    assert objection(position, "e3-e4;xa3-g3;xf2") == "no_row a3 g3"
    after = played(position, "e3-e4;xb3-f3;xf2")
    assert (after.on("a3"), after.on("g3")) == ("w", "w")


# Y2: several rows


def test_rows_that_do_not_cross_all_go_with_a_ring_each(few, played, written):
    position = few(f"W:e7,f2,g11,h11,k7 {OTHERS} w:d2,d3,d4,d5,c1,c2,c3,c4 b:d6,c5")
    moved = "e7-b4"
    assert objection(position, moved) == "which_row c1-c5 d2-d6"
    assert objection(position, f"{moved};xc1-c5;xf2") == "another_row d2-d6"
    assert objection(position, f"{moved};xc1-c5;xd2-d6;xf2") == "which_rings b4 g11 h11 k7 2"
    after = played(position, f"{moved};xc1-c5;xd2-d6;xf2;xk7")
    assert (after.taken(Side.FIRST), after.markers[0]) == (2, BOARD.bit["e7"])
    ways = {text for text in written(position) if text.startswith(moved)}
    assert len(ways) == 10, "each pair of five rings once"


def test_of_rows_that_cross_one_lapses(few, played, written):
    position = few(f"W:e6,f2,g11,h11,k7 {OTHERS} w:e2,e3,e4,e5,a2,b3,c4,d5")
    assert objection(position, "e6-f6") == "which_row a2-e6 e2-e6"
    assert objection(position, "e6-f6;xa2-e6;xe2-e6;xf2;xk7") == "crossing e2-e6"
    after = played(position, "e6-f6;xa2-e6;xk7")
    assert (after.on("e2"), after.on("d5"), list(rows(after.markers[0]))) == ("w", "", [])


# Y3: rows of both


def test_a_row_made_by_the_opponent_goes_before_the_move(few, played, written):
    stands = few(f"{RINGS} w:c3,c4,c5,c6,c7 b:k10")
    assert objection(stands, "e1-e2") == "row_stands c3-c7"
    assert objection(stands, "e1-e2;xc3-c7;xe2") == "row_stands c3-c7"
    assert objection(stands, "xc3-c7;e1-e2") == "which_ring e1 f2 g11 h11 k7 1"
    assert objection(stands, "xc3-c7;xe1") == "must_move"
    assert objection(stands, "xc3-c7;xe1;e1-e2") == "no_ring e1"
    after = played(stands, "xc3-c7;xf2;e1-e2")
    assert (after.on("c3"), after.on("f2"), after.on("e1"), after.pool) == ("", "", "w", 49)
    assert all(text.startswith("xc3-c7;") for text in written(stands))


BOTH = (
    f"{OTHERS} w:a3,b4,c5,d6,e6 b:a2,b3,c4,d5,e7"  # a ring that passes e7 and e6 makes a row of each colour
)


def test_of_rows_of_both_the_mover_takes_one_off_and_the_other_waits(few, played, written):
    position = few(f"W:e8,f2,g11,h11,k7 {BOTH}")
    assert objection(position, "e8-e5") == "which_row a3-e7"
    after = played(position, "e8-e5;xa3-e7;xe5")
    assert after.on("e6") == "b"
    assert {text.split(";")[0] for text in written(after)} == {"xa2-e6"}


def test_if_both_rows_would_win_the_mover_does(few, played):
    position = few(f"W:e8,f2,k7 {BOTH}".replace("h9,i9", "").replace("g9,", "g9"))
    assert played(position, "e8-e5;xa3-e7;xe5").outcome() == Outcome(Side.FIRST, "rings")


def test_ring_removals_before_and_after_count_once(few, written):
    position = few(f"W:e3,f2,g11,h11,k7 {OTHERS} w:a3,b3,c3,d3,h4,h5,h6,h7,h8")
    texts = {text for text in written(position) if "e3-e4" in text and "xf2" in text and "xk7" in text}
    assert texts == {"xh4-h8;xf2;e3-e4;xa3-e3;xk7"}
    swapped = GAME.move("xh4-h8;xk7;e3-e4;xa3-e3;xf2")
    assert position.objection(swapped) is None
    assert str(position.same(swapped)) == "xh4-h8;xf2;e3-e4;xa3-e3;xk7"


# Y4: the third ring


def test_the_third_ring_wins_at_once(few, played, written):
    position = few(f"W:e3,f2,k7 {OTHERS} w:a3,b3,c3,d3,h4,h5,h6,h7 b:k10")
    after = played(position, "e3-e4;xa3-e3;xk7")
    assert after.outcome() == Outcome(Side.FIRST, "rings")
    assert (list(after.moves()), objection(after, "e9-e8")) == ([], "finished")
    stands = few(f"W:e1,f2,k7 {OTHERS} w:c3,c4,c5,c6,c7,h4,h5,h6,h7,h8")
    assert objection(stands, "xc3-c7;xe1;f2-f3") == "decided"
    assert objection(stands, "xc3-c7;xh4-h8;xe1;xf2") == "decided"
    assert played(stands, "xh4-h8;xe1").outcome() == Outcome(Side.FIRST, "rings")
    assert len(written(stands)) == 2 * 3, "other rows do not matter"


def test_the_first_ring_wins_in_blitz(few, played):
    position = few(f"W:e3,f2,g11,h11,k7 {OTHERS} w:a3,b3,c3,d3", rings=1)
    assert played(position, "e3-e4;xa3-e3;xk7").outcome() == Outcome(Side.FIRST, "rings")


# Y5: the pool


def chequered(count):
    """Points without a row, the first of which are `count` markers by turns."""
    points = [
        name for name in POINTS if name not in ["e1", "f2", "g11", "h11", "k7", "e9", "f9", "g9", "h9", "i9"]
    ][:count]
    colours = {name: "wwbb"[(int(name[1:]) + 2 * "abcdefghijk".index(name[0])) % 4] for name in points}
    return " ".join(f"{colour}:{','.join(n for n in points if colours[n] == colour)}" for colour in "wb")


@pytest.mark.parametrize(
    ("white", "winner", "reason"),
    [("e1,f2,g11,h11,k7", None, "equal"), ("e1,f2,g11,k7", Side.FIRST, "more")],
)
def test_without_a_marker_more_rings_win(few, white, winner, reason):
    position = few(f"W:{white} {OTHERS} {chequered(51)}")
    assert (position.pool, position.outcome()) == (0, Outcome(winner, reason))
    assert few(f"W:{white} {OTHERS} {chequered(50)}").outcome() is None


def test_markers_won_back_before_the_move_count_first(few, played):
    row = {f"d{n}" for n in range(2, 7)}
    white, black = (set(part[2:].split(",")) for part in chequered(51).split())
    position = few(f"{RINGS} w:{','.join(white | row)} b:{','.join(black - row)}")
    assert (position.pool, position.outcome()) == (0, None)
    move = next(move for move in position.moves() if move.before[0] == "d2-d6")
    assert (position.play(move).pool, len(move.after)) == (4, 0)


# Y6: no ring can move


def test_who_cannot_move_a_ring_passes(few, written, played):
    blocked = few(
        "W:a2,a5,k10 B:a3,b2,b3,k9,j9 w:b6,d8,f10,b5,d5,f5,h5,j5,i10,g10,a4 b:c7,e9,g11,c5,e5,g5,i5,j10,h10,e10"
    )
    assert written(blocked) == {"pass"}
    assert objection(blocked, "a2-b2") == "stuck"
    after = played(blocked, "pass")
    assert (after.to_move, after.markers, after.outcome()) == (Side.SECOND, blocked.markers, None)


# The text of a position


@pytest.mark.parametrize(
    "text",
    [
        "",
        "----/-------/--------/---------/----------/---------/----------/---------/--------/-------/---- white",
        "W---/-------/--------/---------/----------/---------/----------/---------/--------/-------/---- placing white",
        "w---/-------/--------/---------/----------/---------/----------/---------/--------/-------/---- placing white",
        "W--/--------/--------/---------/----------/---------/----------/---------/--------/-------/---- placing black",
    ],
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        GAME.position(Rules(), text)


@pytest.mark.parametrize(
    "text", ["", "e3;e4", "xb7-b3;;", "g7-g6;xd5;xc7-g7", "e12", "xpass", "g7-g6;", "pass;pass"]
)
def test_what_is_no_canonical_move_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        GAME.move(text)


def test_a_set_up_is_refused():
    with pytest.raises(ValueError, match="no set-up"):
        start(Rules(), "e3")


def test_pass_is_forced_alone():
    assert GAME.forced_pass == PASS
    assert start(Rules()).sample(Random(1)) != PASS
