"""The same position in English and in Italian words."""

from dataclasses import replace

import pytest

from games.kit.scene import Mark, Piece, Tray
from games.kit.words import Speech, speech
from games.lines_of_action import GAME
from games.protocol import Notation, Objection, Outcome, Remark, Side
from games.registry import find

WHITE, BLACK = Piece("white", "light"), Piece("black", "dark")


def test_a_position_in_english(english, placement):
    assert english.position(placement) == (
        "2 white marbles: d4 and e5.",
        "1 grey marble: f6.",
        "1 black marble: d2.",
        "Removed rings: a1, a2 and c1.",
        "Pool: 3 white marbles, 7 grey marbles and 10 black marbles.",
        "Captured by Alice: 1 black marble.",
        "Captured by Bruno: nothing.",
        "Bruno to play.",
    )


def test_a_position_in_italian(italian, placement):
    assert italian.position(placement) == (
        "2 biglie bianche: d4 ed e5.",
        "1 biglia grigia: f6.",
        "1 biglia nera: d2.",
        "Anelli rimossi: a1, a2 e c1.",
        "Riserva: 3 biglie bianche, 7 biglie grigie e 10 biglie nere.",
        "Catture di Alice: 1 biglia nera.",
        "Catture di Bruno: nessuna.",
        "Tocca a Bruno.",
    )


def test_what_the_last_move_did(english, italian, placement, jump, bare):
    assert english.changes(placement) == "puts a grey marble on f6 and removes ring e2"
    assert italian.changes(placement) == "colloca una biglia grigia in f6 ed elimina l'anello e2"
    assert english.changes(jump) == "jumps from g5 to e3 and captures 1 black marble and 2 grey marbles"
    assert english.changes(bare) == ""


def test_an_objection_names_piece_and_cells(english, italian):
    objection = Objection("not_free", ("d4", "e5", "f6"), ("white",))
    assert english.remark("objections", objection) == "The white marble on d4 cannot go to d4, e5 and f6."
    assert italian.remark("objections", objection) == "La biglia bianca in d4 non può andare in d4, e5 e f6."


def test_numbers_are_filled_in_order(english):
    note = Remark("goal", numbers=(3, 4, 5, 6))
    assert english.remark("notes", note) == "To win: 3 of each, or 4 white, 5 grey or 6 black."


def test_an_outcome_names_the_players(english, italian):
    assert english.outcome(Outcome(Side.SECOND, "joined")) == "Bruno wins, Alice does not."
    assert english.outcome(Outcome(None, "stuck")) == "A draw."
    assert italian.outcome(Outcome(None, "repetition")).endswith("patta.")


def test_a_name_with_braces_is_only_a_name(english):
    sly = replace(english, players=("{loser}", "{0}"))
    assert sly.outcome(Outcome(Side.FIRST, "joined")) == "{loser} wins, {0} does not."


def test_lines_on_the_ground_are_told_of_empty_cells_and_again_where_one_can_go(english, italian, printed):
    assert english.position(printed)[2:] == (
        "Empty, with row: c1.",
        "Empty, with NE-SW diagonal: a3 and b1.",
        "Empty, with row and column: c2.",
        "Empty, with both diagonals: a2.",
        "Reachable: a2 (both diagonals) and c2 (row and column).",
        "Bruno to play.",
    )
    assert "Vuote, con traversa e colonna: c2." in italian.position(printed)
    assert "Raggiungibili: a2 (le due diagonali) e c2 (traversa e colonna)." in italian.position(printed)


def test_where_one_can_go_without_lines(english, men):
    targets = replace(men, marks=(Mark("target", "c2"), Mark("target", "d2")))
    assert "Reachable: c2 and d2." in english.position(targets)
    speech = replace(english, phrases={**english.phrases, "targets": "Playable: {cells}."})
    assert "Playable: c2 and d2." in speech.position(targets)


def test_a_column_is_told_from_the_top_down(english, men):
    pieces = {"c1": (WHITE, BLACK, BLACK), "a2": (WHITE,)}
    assert english.position(replace(men, pieces=pieces))[:3] == (
        "1 white marble: a2.",
        "c1: 2 black marbles and 1 white marble, from the top down.",
        "Vanished squares: e5 and c3.",
    )


def test_a_cell_alone_is_named_with_what_stands_on_it(english, italian, men, points):
    assert english.cell(men, "a2") == "a2: white marble"
    assert (english.cell(men, "a1"), italian.cell(men, "a1")) == ("a1: empty", "a1: nessun pezzo")
    column = replace(men, pieces={"c1": (WHITE, BLACK, BLACK)})
    assert english.cell(column, "c1") == "c1: 2 black marbles and 1 white marble, from the top down"
    assert italian.cell(points, "a1") == "a1: biglia nera, altezza 2"


def test_words_of_a_move_are_the_game_s_or_the_kit_s(english, italian):
    zertz, _ = find("zertz")
    its_words = replace(italian, phrases=zertz.phrases("it"))
    assert [its_words.word(word) for word in ("W", "done", "3")] == ["biglia bianca", "chiudi il turno", "3"]
    assert english.word("pass") == "pass"


def test_what_players_have_in_hand(english, italian, draughts):
    assert english.position(draughts)[-3:-1] == (
        "Alice has in hand: 5 white marbles.",
        "Bruno has in hand: 12 black marbles.",
    )
    assert italian.position(draughts)[-2] == "Bruno ha in mano: 12 biglie nere."


def test_an_empty_board_and_a_finished_game(english, bare):
    over = replace(bare, pieces={}, cells=bare.cells[-1:], trays=(Tray(None, ()),), to_move=None)
    assert english.position(over) == ("No pieces are on the board.", "Pool: nothing.", "Game over.")


def test_cells_have_the_names_that_the_reader_knows(english, placement):
    capitals = Speech("en", english.phrases, str.upper, english.players)
    assert capitals.position(placement)[0] == "2 white marbles: D4 and E5."


@pytest.mark.parametrize(("language", "first"), [("en", "Black"), ("it", "Nero")])
def test_without_names_the_sides_have_their_own(language, first):
    rules = GAME.presets[""]
    assert speech(GAME, rules, Notation(language)).side(Side.FIRST) == first
    assert speech(GAME, rules, Notation(language), ("Alice", "Bruno")).side(Side.FIRST) == "Alice"


def test_the_kit_says_the_same_in_both_languages(english, italian):
    sentences = {key for key in english.kit if key != "and_before"}
    assert sentences == {key for key in italian.kit if key != "and_before"}
    for table in ("gone", "lines", "legend", "words", "outcomes"):
        assert english.kit[table].keys() == italian.kit[table].keys()
