"""Each rule of Cheshire Cat Chess as a picture and a move, by the numbers of the edge cases: C1 to C8."""

from random import Random

import pytest

from games.cheshire import GAME
from games.cheshire.position import Rules
from games.protocol import Outcome, Side

STEP = Rules(kingcheck="step")
TEN = GAME.presets["10x10"]
START = GAME.start(Rules(), "")


def test_after_the_first_move(written, objection, played):
    position = played(START, "e2-e4", "e7-e5")
    assert str(position) == "rnbqkbnr/pppp*ppp/8/4p3/4P3/8/PPPP*PPP/RNBQKBNR w Kk e6"
    assert objection(position, "e1-e2") == "vanished e2"
    assert {"f1-a6", "d1-h5"} <= written(position)
    assert str(played(position, "e1-e3")) == "rnbqkbnr/pppp*ppp/8/4p3/4P3/4K3/PPPP*PPP/RNBQ*BNR b k -"


def test_c1_a_hole_stops_no_line_and_a_man_does(board, written, objection):
    position = board("""
        . p . . k
        . . . . .
        * . . * .
        R * * P .
        * . . . K
    """)
    assert written(position, "a2") == {"a2-a4", "a2-a5", "a2-a6", "a2-a7", "a2-a8"}
    assert objection(position, "a2-a3") == "vanished a3"
    assert objection(position, "a2-e2") == "blocked a2 d2"


def test_c1_a_check_passes_over_holes(board, objection):
    position = board(
        """
        k . . .
        * . . .
        * . * .
        R . B K
        """,
        to_move="b",
    )
    assert position.checked
    assert objection(position, "a4-a5") == "in_check a5 a1 white_rook"
    assert objection(position, "a4-b4") == "None"


def test_c1_a_knight_lands_on_squares_that_exist(board, written, objection):
    position = board("""
        . . . . k
        * . . . .
        . . * . .
        . N . . K
    """)
    assert written(position, "b1") == {"b1-d2", "b1-c3"}
    assert objection(position, "b1-a3") == "vanished a3"


def test_c2_the_square_of_a_captured_man_remains(board, played):
    before = board("""
        k . . .
        . . p .
        . P . .
        . . . K
    """)
    after = board(
        """
        k . . .
        . . P .
        . * . .
        . . . K
        """,
        to_move="b",
    )
    assert played(before, "b2xc3") == after


def test_c2_the_square_of_a_pawn_taken_en_passant_remains(board, played):
    before = board("""
        k . . .
        . p . .
        . . . .
        P . . .
        . . . K
    """)
    after = board("""
        k . . .
        . * . .
        p . . .
        * . . .
        . . . K
    """)
    assert played(before, "a2-a4", "b4xa3") == after


def test_c3_the_double_step_may_pass_a_hole_but_no_man(board, written, objection):
    position = board("""
        . . . . . k
        . . . . * .
        * n * . . .
        P P P P P K
        . . . . . .
    """)
    assert written(position, "a2") == {"a2-a4", "a2xb3"}
    assert written(position, "b2") == set()
    assert objection(position, "b2-b4") == "blocked b2 b3"
    assert written(position, "c2") == {"c2-c4", "c2xb3"}
    assert written(position, "d2") == {"d2-d3", "d2-d4"}
    assert written(position, "e2") == {"e2-e3"}
    assert objection(position, "e2-e4") == "vanished e4"


BESIDE = """
    k . . .
    . p . .
    . . . .
    P . . .
    . . . K
"""


def test_c3_en_passant_needs_the_passed_square(board, played, objection):
    assert objection(played(board(BESIDE), "a2-a4"), "b4xa3") == "None"
    passed = played(board(BESIDE.replace(". . . .", "* . . .")), "a2-a4")
    assert passed.passed == 0
    assert objection(passed, "b4xa3") == "pawn_capture b4 a3"


def test_c3_a_stuck_pawn_still_captures(board, written, objection):
    position = board("""
        k . . .
        * p . .
        P . . .
        . . . .
        . . . K
    """)
    assert written(position, "a3") == {"a3xb4"}
    assert objection(position, "a3-a4") == "vanished a4"


def test_c4_promotion_where_the_square_exists(board, written, objection):
    position = board("""
        . * r . k . . .
        . P . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . K
    """)
    assert written(position, "b7") == {f"b7xc8={letter}" for letter in "QRBN"}
    assert objection(position, "b7-b8=Q") == "vanished b8"
    assert objection(position, "b7xc8") == "promotion_missing c8"
    assert objection(position, "h1-h2=Q") == "no_promotion h1 h2"


def test_c4_on_ten_rows_the_tenth_is_the_last(board, written):
    position = board(
        """
        k . . . . . . . . .
        . . . . . . . . . P
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . P
        . . . . . K . . . .
        """,
        rules=TEN,
    )
    assert written(position, "j9") == {f"j9-j10={letter}" for letter in "QRBN"}
    assert written(position, "j2") == {"j2-j3", "j2-j4"}


def test_c4_ten_files_have_a_second_rook_in_each_corner():
    assert str(GAME.start(TEN, "")) == (
        "rrnbqkbnrr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RRNBQKBNRR w Kk -"
    )


AT_HOME = """
    . . . . . . k .
    . . . . . . . .
    . . . . . . . .
    p . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . * * . . .
    . . . . K . . R
"""


def test_c5_the_first_move_of_a_king_is_a_queens(board, written, objection):
    moves = written(board(AT_HOME, kings="K"), "e1")
    assert {"e1xa5", "e1-c3", "e1-e3", "e1-e7", "e1-h4", "e1-a1", "e1-g1"} <= moves
    assert not moves & {"e1-d2", "e1-e2", "e1-h1", "e1-b5", "e1-f3"}
    assert objection(board(AT_HOME, kings="-"), "e1-e3") == "king_moved e1 e3"
    assert objection(board(AT_HOME, kings="-"), "e1-f3") == "wrong_way e1 f3 white_king"


@pytest.mark.parametrize(("first", "then"), [("e1xa5", "a5-a7"), ("e1-f2", "f2-f4"), ("e1-e4", "e4-e6")])
def test_c5_it_is_used_up_by_any_move_of_the_king(board, played, objection, first, then):
    position = played(board(AT_HOME, kings="K"), first, "g8-f8")
    assert position.at.unmoved == 0
    assert objection(position, then) == f"king_moved {then.replace('-', ' ')}"


def test_c5_an_unmoved_king_leaves_a_check_like_a_queen(board, played):
    position = board(AT_HOME.replace(". . . . . . . .", ". . . . r . . .", 1), kings="K")
    assert position.checked
    assert played(position, "e1-h4").men.king(Side.FIRST) == Rules().board.bits["h4"]


FACING = """
    . . . . k . . .
    . . . . * . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . N . . .
    . . . . * . . .
    . . . . K . . R
"""


@pytest.mark.parametrize(
    ("rules", "kings", "why"),
    [
        (Rules(), "Kk", "seen_by_king e1 e8 black_king"),
        (Rules(), "k", "seen_by_king e1 e8 black_king"),
        (Rules(), "-", "None"),
        (STEP, "Kk", "None"),
    ],
)
def test_c6_an_unmoved_king_attacks_along_open_lines(board, objection, rules, kings, why):
    assert objection(board(FACING, kings=kings, rules=rules), "e3-g4") == why


@pytest.mark.parametrize(("rules", "checked"), [(Rules(), True), (STEP, False)])
def test_c6_an_unmoved_king_gives_check(board, played, rules, checked):
    position = board(FACING, kings="K", rules=rules)
    assert played(position, "e3-g4").checked is checked


def test_c6_an_unmoved_king_guards(board, objection):
    picture = """
        k Q . . . . . .
        . . . . . . . .
        . . . * . . . .
        . . . . K . . .
    """
    assert board(picture, "b", "K").outcome() == Outcome(Side.FIRST, "mate")
    assert objection(board(picture, "b", "-"), "a4xb4") == "None"
    assert objection(board(picture, "b", "K", rules=STEP), "a4xb4") == "None"


def test_c6_two_unmoved_kings_cannot_face_each_other(board):
    with pytest.raises(ValueError, match="in check"):
        board(FACING.replace("N", "."), kings="Kk")
    assert board(FACING.replace("N", "."), kings="Kk", rules=STEP).outcome() is None


CORNER = """
    . . b . .
    R . . . .
    {} . . . .
    * * . . .
    k * . . K
"""


def test_c7_mate(board, objection):
    position = board(CORNER.format("*"), to_move="b")
    assert position.outcome() == Outcome(Side.FIRST, "mate")
    assert (list(position.moves()), position.count()) == ([], 0)
    assert objection(position, "c5-b4") == "finished"


def test_c7_stalemate(board):
    position = board(
        """
        . R . . K
        * * . . .
        k * . . .
        """,
        to_move="b",
    )
    assert position.outcome() == Outcome(None, "stalemate")
    assert (list(position.moves()), position.count()) == ([], 0)


def test_c7_bare_kings(board, played):
    position = board("""
        k . .
        . . .
        . n .
        K . .
    """)
    assert position.outcome() is None
    bare = played(position, "a1xb2")
    assert bare.outcome() == Outcome(None, "dead")
    assert (list(bare.moves()), bare.count()) == ([], 0)


@pytest.mark.parametrize("rules", [Rules(), STEP, TEN])
def test_c7_every_turn_takes_a_square_so_a_game_ends(rules):
    assert GAME.repetition is None
    squares = rules.size**2
    for seed in range(12):
        rng, position, turns = Random(seed), GAME.start(rules, ""), 0
        while not position.outcome():
            position, turns = position.play(position.sample(rng)), turns + 1
            assert position.at.gone.bit_count() == turns
            assert not position.at.gone & position.men.all
        assert turns <= squares - 2


def test_c8_a_check_is_met_by_a_man_on_a_square_that_exists(board, written):
    assert written(board(CORNER.format("."), to_move="b")) == {"c5-a3"}


def test_c8_or_by_taking_whoever_gives_it_or_by_the_king(board, written):
    position = board(
        """
        . b . . .
        R . . . .
        * . . . .
        * . . . .
        k * . . K
        """,
        to_move="b",
    )
    assert written(position) == {"b5xa4", "a1-b2"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w kK -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kk e3",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kk a10",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP*PPP/RNBQKBNR b Kk d3",
        "rnbqkbnr/pppppppp/7?/8/8/8/PPPPPPPP/RNBQKBNR w Kk -",
        "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w Kk -",
        "rnbqkbnr/pppppppp/8/8/8/3K4/PPPPPPPP/RNBQ1BNR w Kk -",
        "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w K -",
        "4k3/8/8/8/8/8/4R3/4K3 w - -",
        "4k2P/8/8/8/8/8/8/4K3 w - -",
    ],
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(ValueError, match=r"is not|does not|has|should be|leaves"):
        GAME.position(Rules(), text)


def test_there_is_no_setup_to_choose():
    with pytest.raises(ValueError, match="no set-up"):
        GAME.start(Rules(), "rnbkqbnr")
