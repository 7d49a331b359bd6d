"""Moves as players write them."""

import pytest

from games.cheshire import GAME
from games.cheshire.position import Rules
from games.export import from_text, to_text
from games.protocol import AmbiguousMove, IllegalMove, Notation, UnreadableMove
from games.record import Record

ENGLISH, ITALIAN = Notation("en"), Notation("it")
START = GAME.start(Rules(), "")
TEN = GAME.start(GAME.presets["10x10"], "")


def read(position, text, notation=ENGLISH):
    return str(GAME.read(position, text, notation))


def refused(position, text, notation=ENGLISH):
    """The objection to it, as text."""
    with pytest.raises(IllegalMove) as caught:
        GAME.read(position, text, notation)
    return str(caught.value.objection)


@pytest.mark.parametrize("notation", [ENGLISH, ITALIAN])
@pytest.mark.parametrize(
    "text", ["e2-e4", "e2e4", "e2 e4", "E2-E4", "e2–e4", "e2->e4", "e4", "E4!", "e4.", "e4 \u200b"]
)
def test_a_move_however_it_is_typed(text, notation):
    assert read(START, text, notation) == "e2-e4"


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        *((text, ENGLISH) for text in ("Ng1-f3", "Nf3", "nf3", "NF3", "Ngf3", "N1f3", "g1f3")),
        *((text, ITALIAN) for text in ("Cg1-f3", "Cf3", "cf3", "C1f3", "g1-f3")),
    ],
)
def test_a_knight_in_each_language(text, notation):
    assert read(START, text, notation) == "g1-f3"


@pytest.mark.parametrize("text", ["h1-i3", "Nh1-i3", "Ni3", "nhi3", "N1i3"])
def test_ten_files(text):
    position = TEN.play(GAME.move("a2-a3")).play(GAME.move("a9-a8"))
    assert read(position, text) == "h1-i3"


@pytest.mark.parametrize("text", ["j9-j10=Q", "j9j10=Q", "j10=Q", "j10q", "J10=Q", "J9-J10=Q"])
def test_ten_rows(text):
    position = GAME.position(TEN.rules, "4k5/9P/10/10/10/10/10/10/10/4K5 w - -")
    assert read(position, text) == "j9-j10=Q"
    assert GAME.write(position, GAME.move("j9-j10=Q"), ITALIAN) == "j9-j10=D"


@pytest.mark.parametrize(
    "text", ["", "e", "4", "e2-e4-e5", "e4, see you", "ok", "e2-e4@d6", "11-33", "x" * 999, "e2-e4 " * 20]
)
def test_talk_is_no_move(text):
    with pytest.raises(UnreadableMove):
        GAME.read(START, text, ENGLISH)


MIDDLE = GAME.position(Rules(), "r3k2r/pP3pp1/2n5/4*3/2B5/N4N2/PP1P2P1/R3K2R w k -")


@pytest.mark.parametrize(
    ("text", "objection"),
    [
        ("e2-e4", "empty e2"),
        ("a7-a6", "not_yours a7"),
        ("a1-a9", "off_board a9"),
        ("i1-a1", "off_board i1"),
        ("Nc4-d6", "other_man c4 white_bishop"),
        ("a1-a2", "own_man a2"),
        ("a1-b3", "wrong_way a1 b3 white_rook"),
        ("Re8", "no_such_man e8 white_rook"),
        ("Ra4", "blocked a1 a2"),
        ("Ne5", "vanished e5"),
        ("f3-e5", "vanished e5"),
        ("d2-e3", "pawn_capture d2 e3"),
        ("b8", "promotion_missing b8"),
        ("b8=K", "promotion_kind b8"),
        ("d4=Q", "no_promotion d2 d4"),
        ("Ke3", "king_moved e1 e3"),
        ("O-O", "no_castling"),
        ("0-0-0", "no_castling"),
    ],
)
def test_an_illegal_move_is_told_why(text, objection):
    assert refused(MIDDLE, text) == objection


def test_where_two_men_can_go_it_is_asked():
    position = GAME.position(Rules(), "7k/8/8/8/8/8/3N4/3K2N1 w - -")
    with pytest.raises(AmbiguousMove) as caught:
        GAME.read(position, "Nf3", ENGLISH)
    assert set(caught.value.readings) == {"d2-f3", "g1-f3"}
    assert read(position, "Ngf3") == "g1-f3"


def test_a_man_that_would_land_on_a_hole_is_not_meant():
    position = GAME.position(Rules(), "7k/8/8/4*3/8/5N2/3N4/3K4 w - -")
    assert refused(position, "Ne5") == "vanished e5"
    assert read(position, "Nd4") == "f3-d4"


def test_a_letter_that_is_a_file_or_a_man():
    position = GAME.position(Rules(), "k7/8/8/8/8/2p5/1P6/K3B3 w - -")
    assert read(position, "bxc3") == "b2xc3"
    assert read(position, "Bxc3") == "e1xc3"


def test_a_game_that_is_over_takes_no_move():
    assert refused(GAME.position(Rules(), "8/8/8/8/8/8/8/k1K5 w - -"), "Kd2") == "finished"


@pytest.mark.parametrize(
    "text", ["", "e2e4", "E2-E4", "e2-e4 ", "k1-k2", "e2-e11", "O-O", "Ng1-f3", "e7-e8=K"]
)
def test_only_the_canonical_form_is_a_recorded_move(text):
    with pytest.raises(ValueError, match="not a canonical move"):
        GAME.move(text)


def test_a_move_to_a_square_of_the_larger_board_is_off_the_board():
    assert str(START.objection(GAME.move("e2-j10"))) == "off_board j10"


def test_a_capture_is_marked_as_one():
    assert str(MIDDLE.objection(GAME.move("c4-f7"))) == "unmarked_capture f7"
    assert str(MIDDLE.objection(GAME.move("c4xd5"))) == "no_capture d5"


def test_a_score_sheet():
    record = Record("cheshire", 1, ("e2-e4", "e7-e5", "e1-e3", "d8-h4"), players=("Alice", "Bruno"))
    sheet = to_text(record, ITALIAN)
    assert sheet.partition("\n\n")[2].splitlines() == ["1. e2-e4   e7-e5", "2. Re1-e3  Dd8-h4"]
    assert from_text(sheet) == record
