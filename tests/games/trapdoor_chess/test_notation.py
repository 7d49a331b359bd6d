"""Turns as players write them."""

import pytest

from games.export import from_text, to_text
from games.protocol import AmbiguousMove, IllegalMove, Notation, UnreadableMove
from games.record import Record
from games.trapdoor_chess import GAME
from games.trapdoor_chess.position import Rules

ENGLISH, ITALIAN = Notation("en"), Notation("it")
START = GAME.start(Rules(), "")


@pytest.fixture
def refused():
    """refused(position, text, notation): the objection to it, as text."""

    def why(position, text, notation=ENGLISH):
        with pytest.raises(IllegalMove) as caught:
            GAME.read(position, text, notation)
        assert repr(text) in str(caught.value)
        return str(caught.value.objection)

    return why


@pytest.mark.parametrize("notation", [ENGLISH, ITALIAN])
@pytest.mark.parametrize(
    "text",
    [
        *("e2-e4@d6", "e2e4@d6", "e2 e4@d6", "e2 - e4 @ d6", "e4@d6", "E4 @ D6", "E2-E4@D6", "e2–e4@d6"),
        *("e2→e4@d6", "e4@d6.", "e4@d6!", "e4!? @d6", "e4+@d6", "e4@d6+", "e4\u00a0@\u00a0d6", "e4@d6\u200b"),
        *("e2->e4@d6", "e2:e4@d6", "ｅ４＠ｄ６", " e4@d6\n"),
    ],
)
def test_a_turn_however_it_is_typed(text, notation):
    assert str(GAME.read(START, text, notation)) == "e2-e4@d6"


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        *((text, ENGLISH) for text in ("Ng1-f3@d6", "Nf3@d6", "nf3 @d6", "NF3@d6", "Ngf3@d6", "N1f3@d6")),
        *((text, ITALIAN) for text in ("Cg1-f3@d6", "Cf3@d6", "cf3 @d6", "CF3@D6", "Cgf3@d6", "g1f3@d6")),
    ],
)
def test_a_knight_in_each_language(text, notation):
    assert str(GAME.read(START, text, notation)) == "g1-f3@d6"


def test_t_is_a_rook_and_never_the_trap(board):
    position = board("""
        . . . . k
        . . . @ .
        . . . . .
        . . . . .
        . . . R K
    """)
    assert str(GAME.read(position, "Td3@a1", ITALIAN)) == "d1-d3@a1"
    assert str(GAME.read(position, "Td4@a1", ITALIAN)) == "d1-d4@a1", "it falls"
    assert GAME.write(position, GAME.move("d1-d4@a1"), ITALIAN) == "Td1-d4*@a1"
    with pytest.raises(UnreadableMove):
        GAME.read(position, "Td4@a1", ENGLISH)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "e", "4", "@", "@d6", "e2-e4-e5", "e2-e4@d6@d7", "e4@d6, see you", "I play e4@d6"),
        *(
            "Thanks, a good game!",
            "Buona mossa, e ora?",
            "ok",
            "e4 a",
            "be careful",
            "0",
            "o",
            "ooo!",
            "11-33",
        ),
        *("a4e", "resign", "è2-è4", "e4@" + " " * 60 + "d6", "x" * 100_000, "е4@d6", "Ta4@d6", "e4@trap"),
    ],
)
def test_talk_is_not_a_turn(text):
    with pytest.raises(UnreadableMove, match="is not a move"):
        GAME.read(START, text, ENGLISH)


MIDDLE = """
    r . . . k . . r
    p P . . . . p .
    . . n . . p . .
    . . . . @ . . .
    . . B . . . . .
    N . . . . N . .
    P P . P . . P .
    R . . . K . . R
"""


@pytest.mark.parametrize(
    ("text", "objection"),
    [
        ("e2-e4@d6", "empty e2"),
        ("a7-a6@d6", "not_yours a7"),
        ("a1-a9@d6", "off_board a9"),
        ("i1-a1@d6", "off_board i1"),
        ("O-O@i6", "off_board i6"),
        ("Nc4-d6@h8", "other_man c4 white_bishop"),
        ("a1-a2@h8", "own_man a2"),
        ("a1-b3@h8", "wrong_way a1 b3 white_rook"),
        ("Re8@h8", "no_such_man e8 white_rook"),
        ("Ra4@h8", "blocked a1 a2"),
        ("d2-e3@h8", "pawn_capture d2 e3"),
        ("b7-b8@h8", "promotion_missing b8"),
        ("b8@h8", "promotion_missing b8"),
        ("b8=K@h8", "promotion_kind b8"),
        ("d4=Q@h8", "no_promotion d2 d4"),
        ("d3*@h7", "no_fall d3"),
        ("d3", "trap_missing"),
        ("d3@", "trap_missing"),
        ("d3@e5", "trap_must_move e5"),
        ("d3@d3", "trap_occupied d3"),
        ("Nxe5", "trap_missing"),
    ],
)
def test_an_illegal_turn_is_told_why(board, refused, text, objection):
    assert refused(board(MIDDLE, castling="KQ"), text) == objection


def test_a_square_beyond_the_trap_is_answered_with_the_square_where_the_man_falls(board, refused):
    position = board("""
        . . . . k
        @ . . . .
        . . . . .
        R . . . K
    """)
    for text in ("a1-a4@h8", "Ra4@h8", "a1-a4*@h8"):
        assert refused(position, text) == "beyond_trap a1 a4 a3"
    assert refused(position, "Ta4@h8", ITALIAN) == "beyond_trap a1 a4 a3"


def test_castlings(board, refused):
    both = board(MIDDLE, castling="KQkq")
    for text in ("O-O@d6", "0-0@d6", "o-o @d6", "e1-g1@d6", "Ke1-g1@d6", "Kg1@d6", "O – O@d6"):
        assert str(GAME.read(both, text, ENGLISH)) == "e1-g1@d6"
    for text in ("O-O-O@d6", "0-0-0@d6", "e1c1@d6", "Rc1@d6"):
        assert str(GAME.read(both, text, ITALIAN)) == "e1-c1@d6"
    assert GAME.write(both, GAME.move("e1-g1@d6"), ITALIAN) == "O-O@d6"
    assert GAME.write(both, GAME.move("e1-c1@d6"), ENGLISH) == "O-O-O@d6"
    assert refused(board(MIDDLE, castling="Q"), "O-O@d6") == "castling_lost e1 g1"


@pytest.mark.parametrize(
    ("row", "objection"),
    [
        ("R . B . K . . .", "castling_blocked c1"),
        ("R @ . . K . . .", "castling_trap b1"),
    ],
)
def test_castling_needs_a_free_way(board, refused, row, objection):
    position = board(f". . . . . . . k\n . . . . . . . .\n . . . . . . . .\n {row}", castling="Q")
    assert refused(position, "O-O-O@h8") == objection


@pytest.mark.parametrize(
    ("row", "objection"),
    [
        ("@ . . r . . . k", "castling_attacked d1 d3 black_rook"),
        ("@ . r . . . . k", "in_check c1 c3 black_rook"),
        ("@ . . . r . . k", "castling_check e3 black_rook"),
    ],
)
def test_castling_needs_a_safe_way(board, refused, row, objection):
    position = board(f"{row}\n . . . . . . . .\n R . . . K . . .", castling="Q")
    assert refused(position, "O-O-O") == objection


def test_a_trap_makes_the_way_safe(board):
    position = board(
        """
        . . . r . . . k
        . . . @ . . . .
        R . . . K . . .
        """,
        castling="Q",
    )
    assert str(GAME.read(position, "O-O-O@h8", ENGLISH)) == "e1-c1@h8"


def test_promotions(board):
    position = board(MIDDLE)
    for text in ("b7-b8=Q@h4", "b8=Q@h4", "b8Q@h4", "b8(Q)@h4", "b7b8q@h4", "b8=D@h4"):
        assert str(GAME.read(position, text, ENGLISH)) == "b7-b8=Q@h4"
    for text in ("bxa8=T@h4", "b7xa8=t@h4", "bxa8T@h4"):
        assert str(GAME.read(position, text, ITALIAN)) == "b7xa8=R@h4"
    assert GAME.write(position, GAME.move("b7xa8=N@h4"), ITALIAN) == "b7xa8=C@h4"


TWINS = """
    k . . . . @
    . . . . . .
    . . . . . N
    . . . . . .
    . N . K . .
"""


def test_two_men_who_can_go_there_are_not_told_apart_by_guessing(board):
    with pytest.raises(AmbiguousMove) as caught:
        GAME.read(board(TWINS), "Nd2@a3", ENGLISH)
    assert caught.value.readings == ("b1-d2@a3", "f3-d2@a3")
    for text in ("Nbd2@a3", "N1d2@a3", "nb1d2@a3", "b1d2@a3"):
        assert str(GAME.read(board(TWINS), text, ENGLISH)) == "b1-d2@a3"


def test_a_man_who_may_not_leave_his_king_is_no_second_reading(board):
    position = board("""
        k . . r . @
        . . . . . .
        . . . . . .
        . . . N . N
        . . . K . .
    """)
    assert str(position.objection(GAME.move("d2-e4@a1"))) == "in_check d1 d5 black_rook"
    assert str(GAME.read(position, "Ne4@a1", ENGLISH)) == "f2-e4@a1"


BISHOP_OR_PAWN = """
    k . . . . . . .
    . . p . . . . @
    . P . . . . . .
    . . . . B . . K
"""


def test_a_letter_that_may_be_man_or_file_is_what_its_case_says(board):
    position = board(BISHOP_OR_PAWN)
    assert str(GAME.read(position, "bxc3@a1", ENGLISH)) == "b2xc3@a1"
    assert str(GAME.read(position, "Bxc3@a1", ENGLISH)) == "e1xc3@a1"


def test_where_one_of_the_two_is_not_on_the_board_its_case_says_nothing(board):
    pawn, bishop = board(BISHOP_OR_PAWN.replace("B", ".")), board(BISHOP_OR_PAWN.replace("P", "."))
    assert str(GAME.read(pawn, "Bxc3@a1", ENGLISH)) == "b2xc3@a1", "a telephone's capital"
    assert str(GAME.read(bishop, "bxc3@a1", ENGLISH)) == "e1xc3@a1"


def test_a_man_who_is_stopped_does_not_become_the_other(board, refused):
    position = board(BISHOP_OR_PAWN.replace(". P . .", ". P . P"))
    assert refused(position, "Bxc3@a1") == "blocked e1 d2"


@pytest.mark.parametrize("text", ["b1c3", "B1c3", "b1-c3", "Nc3", "nb1c3"])
def test_a_file_and_a_row_are_a_square_where_no_bishop_of_that_row_can_go_there(text):
    assert str(GAME.read(START, f"{text}@d6", ENGLISH)) == "b1-c3@d6"


def test_where_a_man_from_that_row_can_go_there_too_a_capital_is_not_enough(board):
    position = board("""
        k . . . . . . @
        . . . . . . . .
        . . P N . . . K
        . . . . . . . .
    """)
    assert str(GAME.read(position, "c2c4@a1", ITALIAN)) == "c2-c4@a1"
    with pytest.raises(AmbiguousMove) as caught:
        GAME.read(position, "C2c4@a1", ITALIAN)
    assert caught.value.readings == ("c2-c4@a1", "d2-c4@a1")


def test_a_turn_in_check_has_no_trap(board, refused):
    position = board("""
        k . . . r
        . . . . .
        . @ . . .
        . . . . K
    """)
    for text in ("e1-d1", "Kd1", "kd1", "Ke1-d1"):
        assert str(GAME.read(position, text, ENGLISH)) == "e1-d1"
    assert refused(position, "Kd1@h8") == "trap_stays h8"


def test_a_pinned_trap_need_not_be_written(board):
    position = board("""
        k . . . .
        . . . . .
        P . r . .
        . . @ . .
        . . K . .
    """)
    for text in ("a4", "a4@c2", "a3-a4"):
        move = GAME.read(position, text, ENGLISH)
        assert str(move) == GAME.write(position, move, ITALIAN) == "a3-a4@c2"


@pytest.mark.parametrize("text", ["bxa6@h4", "bxa6 e.p. @h4", "b5xa6ep@h4", "b5-a6@h4", "B5A6@H4"])
def test_en_passant(board, text):
    position = board(
        """
        . . . . k . . .
        p . . . . . . .
        . . . . . . . @
        . P . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . K . . .
        """,
        to_move="b",
    ).play(GAME.move("a7-a5@h5"))
    assert str(GAME.read(position, text, ENGLISH)) == "b5xa6@h4"


@pytest.mark.parametrize(
    "text", ["", "e2e4@d6", "e2-e4 @d6", "E2-E4@d6", "e2-e9@d6", "e7-e8=D@h4", "O-O@d6", "a1-a4*@c3"]
)
def test_only_the_canonical_form_is_a_recorded_move(text):
    with pytest.raises(ValueError, match="not a canonical move"):
        GAME.move(text)


@pytest.mark.parametrize(
    ("canonical", "objection"),
    [
        ("e2xe3@h8", "no_capture e3"),
        ("e2-d3@h8", "unmarked_capture d3"),
        ("e2xd3@h8", "None"),
    ],
)
def test_the_canonical_form_tells_captures(board, canonical, objection):
    position = board("""
        k . . p . @
        . . . . P .
        . . . . . K
    """)
    assert str(position.objection(GAME.move(canonical))) == objection


def test_a_score_sheet():
    moves = ("e2-e4@d6", "e7-e5@d3", "g1-f3@c6", "b8-c6@a6", "f1-a6@h3")
    record = Record("trapdoor", 1, moves, players=("Alice", "Bruno"))
    sheet = to_text(record, ITALIAN)
    assert sheet.partition("\n\n")[2].splitlines() == [
        "1. e2-e4@d6    e7-e5@d3",
        "2. Cg1-f3@c6   Cb8-c6*@a6",
        "3. Af1-a6*@h3",
    ]
    assert from_text(sheet) == record
