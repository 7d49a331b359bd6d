"""Each rule of trapdoor chess as a picture and a move."""

import pytest

from games.trapdoor_chess import GAME
from games.trapdoor_chess.position import Rules

START = GAME.start(Rules(), "")
AFTER = Rules(incheck="after")


def after(position, text):
    return position.play(GAME.move(text))


# The turn


def test_white_s_first_turn_puts_the_trap_on_any_empty_square(traps):
    assert traps(START, "e2-e4") == {
        *(f"{file}{row}" for file in "abcdefgh" for row in "3456"),
        "e2",
    } - {"e4"}
    assert str(after(START, "e2-e4@e2")).endswith(" b KQkq e3 0 1 e2")


def test_the_trap_must_move_to_another_square(traps, objection):
    black = after(START, "e2-e4@d6")
    assert "d6" not in traps(black, "a7-a6")
    assert objection(black, "a7-a6@d6") == "trap_must_move d6"
    assert objection(black, "a7-a6") == "trap_missing"
    assert objection(black, "a7-a6@d2") == "trap_occupied d2"
    assert objection(black, "a7-a6@a7") == "None", "just vacated"
    assert objection(black, "a7-a6@a6") == "trap_occupied a6", "just filled"


def test_the_man_moves_with_the_trap_on_its_old_square(board, objection):
    position = board("""
        k . . .
        . . . .
        @ . . .
        R . . K
    """)
    assert objection(position, "a1-a3@c1") == "beyond_trap a1 a3 a2"
    assert objection(position, "a1-a2@c1") == "None"
    assert str(after(position, "a1-a2@c1")) == "8/8/8/8/k7/8/8/3K4 b - - 0 1 c1"


IN_CHECK = """
    k . . . r
    . . . . .
    . @ . . .
    . . B . K
"""


def test_a_side_in_check_does_not_move_the_trap(board, traps, objection):
    position = board(IN_CHECK)
    assert {str(move) for move in position.moves()} == {"c1-e3", "e1-d1", "e1-d2", "e1-f1", "e1-f2"}
    assert objection(position, "e1-d1@a1") == "trap_stays a1"
    assert str(after(position, "e1-d1")).endswith(" b - - 1 1 b2")


def test_a_check_cannot_be_parried_with_the_trap(board, objection):
    for rules in (Rules(), AFTER):
        assert objection(board(IN_CHECK, rules=rules), "c1-b2@e2") == "in_check e1 e4 black_rook"


def test_in_the_other_reading_it_moves_the_trap_as_always(board, traps, objection):
    position = board(IN_CHECK, rules=AFTER)
    assert len(traps(position, "e1-d1")) == 64 - 5
    assert objection(position, "e1-d1") == "trap_missing"


def test_in_check_before_the_trap_has_come_it_stays_away(board):
    position = board("""
        k . . r
        . . . .
        . . . K
    """)
    assert {str(move) for move in position.moves()} == {"d1-c1", "d1-c2", "d1-e1", "d1-e2"}
    assert str(after(position, "d1-c1")).endswith(" -")


# The king


SHIELD = """
    k . . . r
    . . . . .
    . . . . .
    P . . . @
    . . . . .
    . . . . K
"""


def test_the_trap_that_shields_the_king_stays_on_its_line(board, traps, objection):
    position = board(SHIELD)
    assert not position.checked
    assert traps(position, "a3-a4") == {"e2", "e4", "e5"}
    assert objection(position, "a3-a4@b1") == "trap_shields e3 e1 e6"
    assert len(traps(position, "e1-d1")) == 64 - 4 - 1


PINNED = """
    k . . . .
    . . . . .
    P . r . .
    . . @ . .
    . . K . .
"""


def test_a_trap_without_another_square_on_its_line_is_pinned(board, traps, objection):
    position = board(PINNED)
    assert traps(position, "a3-a4") == {"c2"}
    assert objection(position, "a3-a4") == "trap_pinned c2 c1 c3"
    assert objection(position, "a3-a4@h8") == "trap_pinned c2 c1 c3"
    assert str(after(position, "a3-a4@c2")) == "8/8/8/k7/P7/2r5/8/2K5 b - - 0 1 c2"
    assert "h8" in traps(position, "c1-b1")


def test_the_trap_may_uncover_a_check(board):
    black = after(board(SHIELD, to_move="b"), "a6-a7@b8")
    assert black.checked
    assert black.trap_stays()


def test_a_line_beyond_the_trap_pins_nothing(board, steps):
    position = board("""
        k . . r
        . . . @
        . . . N
        . . . K
    """)
    assert steps(position, "d2") == ["d2-b1", "d2-b3", "d2-c4", "d2-e4", "d2-f1", "d2-f3"]
    pinned = GAME.position(Rules(), str(position).replace("d3", "h8"))
    assert steps(pinned, "d2") == []


def test_a_line_beyond_the_trap_guards_nothing(board, steps):
    position = board("""
        b . . k
        . @ . .
        . . p .
        . . . K
    """)
    assert "d1xc2" in steps(position)
    guarded = GAME.position(Rules(), str(position).replace("b3", "h8"))
    assert "d1xc2" not in steps(guarded)


def test_the_king_may_not_step_on_the_trap(board, steps, objection):
    position = board("""
        k . . P
        . . . .
        . . @ .
        . K . .
    """)
    assert steps(position, "b1") == ["b1-a1", "b1-a2", "b1-b2", "b1-c1"]
    assert objection(position, "b1-c2@h8") == "king_falls c2"


# Falling


def test_a_line_ends_on_the_trap(board, steps, objection):
    position = board("""
        p . . . k
        . . . . .
        @ . . . .
        . . . . .
        R . . . K
    """)
    assert steps(position, "a1") == ["a1-a2", "a1-a3", "a1-b1", "a1-c1", "a1-d1"]
    assert objection(position, "a1-a4@h8") == "beyond_trap a1 a4 a3"
    assert objection(position, "a1xa5@h8") == "beyond_trap a1 a5 a3"
    assert str(after(position, "a1-a3@h8")) == "8/8/8/p3k3/8/8/8/4K3 b - - 0 1 h8"


ALONG_A1_H8 = {f"a1-{file}{row}" for row, file in enumerate("bcdefgh", 2)}


@pytest.mark.parametrize("man", ["B", "Q"])
def test_a_diagonal_ends_on_the_trap_too(board, steps, objection, man):
    position = board(f"""
        . . . . . k
        . . . . . .
        . . @ . . .
        . . . . . .
        {man} . . . K .
    """)
    assert {"a1-b2", "a1-c3"} == {step for step in steps(position, "a1") if step in ALONG_A1_H8}
    assert objection(position, "a1-d4@h8") == "beyond_trap a1 d4 c3"


def test_a_knight_falls_only_where_it_lands(board, steps):
    position = board("""
        k . . .
        @ . . .
        . . . .
        N . . K
    """)
    assert steps(position, "a1") == ["a1-b3", "a1-c2"]
    assert str(after(position, "a1-b3@a2")) == "8/8/8/8/k7/1N6/8/3K4 b - - 1 1 a2"
    onto = GAME.position(Rules(), str(position).replace("a3", "b3"))
    assert str(after(onto, "a1-b3@h8")) == "8/8/8/8/k7/8/8/3K4 b - - 0 1 h8"


def test_a_fall_resets_the_fifty_moves_and_a_trap_move_does_not(board):
    position = board(
        """
        . . . . . k
        . . . . . .
        R @ . K . .
        """,
        quiet=98,
    )
    assert after(position, "a1-a2@h8").quiet == 99
    assert after(position, "a1-b1@h8").quiet == 0


def test_castling_waits_for_the_trap_to_leave(board, steps, objection):
    picture = """
        . . . . k . . .
        . . . . . . . .
        R @ . . K . @ R
    """
    short, long = picture.replace("K . @", "K . ."), picture.replace("R @ .", "R . .")
    for drawn, castles, barred, cell in (
        (long, "e1-c1", "e1-g1", "g1"),
        (short, "e1-g1", "e1-c1", "b1"),
    ):
        position = board(drawn, castling="KQ")
        assert castles in steps(position, "e1")
        assert objection(position, f"{barred}@a8") == f"castling_trap {cell}"
    assert str(after(board(short, castling="KQ"), "e1-g1@a8")) == ("8/8/8/8/8/4k3/8/R4RK1 b - - 1 1 a8")


# Pawns


def test_a_pawn_falls_on_the_trap_before_it(board, steps, objection):
    position = board("""
        . . . . . k
        . . . . . .
        . @ . . . .
        . P . . . K
        . . . . . .
    """)
    assert steps(position, "b2") == ["b2-b3"]
    assert objection(position, "b2-b4@h8") == "beyond_trap b2 b4 b3"
    assert str(after(position, "b2-b3@h8")) == "8/8/8/5k2/8/8/5K2/8 b - - 0 1 h8"


def test_a_pawn_falls_at_the_end_of_its_double_step_and_nobody_takes_it(board, steps):
    position = board("""
        . . . . . k
        . @ p . . .
        . . . . . .
        . P . . . K
        . . . . . .
    """)
    assert steps(position, "b2") == ["b2-b3", "b2-b4"]
    assert str(after(position, "b2-b4@h8")) == "8/8/8/5k2/2p5/8/5K2/8 b - - 0 1 h8"


EN_PASSANT = """
    . . . . . k
    . P p . . .
    . @ . . . .
    . . . . . K
    . . . . . .
"""


def test_a_pawn_that_takes_en_passant_onto_the_trap_takes_and_falls(board, steps):
    position = board(EN_PASSANT, to_move="b", passed="b3")
    assert "c4xb3" in steps(position, "c4")
    assert str(after(position, "c4xb3@h8")) == "8/8/8/5k2/8/8/5K2/8 w - - 0 2 h8"
    assert len({move for move in position.moves() if str(move).startswith("c4xb3")}) == 64 - 2 - 1


def test_the_trap_may_go_to_the_square_just_passed(board, traps):
    position = board("""
        . . . . . k
        . . p . . @
        . . . . . .
        . P . . . K
        . . . . . .
    """)
    assert "b3" in traps(position, "b2-b4")
    assert str(after(position, "b2-b4@b3")).endswith(" b - b3 0 1 b3")


def test_a_pawn_that_falls_on_the_last_row_is_not_promoted(board, steps, objection):
    position = board("""
        @ n . . k
        P . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . K
    """)
    assert steps(position, "a7") == ["a7-a8", *(f"a7xb8={letter}" for letter in "BNQR")]
    assert objection(position, "a7-a8=Q@h4") == "falls_unpromoted a8"
    assert objection(position, "a7xb8@h4") == "promotion_missing b8"
    assert str(after(position, "a7-a8@h4")) == "1n2k3/8/8/8/8/8/8/4K3 b - - 0 1 h4"
