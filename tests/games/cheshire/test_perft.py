"""Turns counted from the start, and the published counts of chess while nothing vanishes; python-chess agrees."""

from random import Random

import chess
import pytest

from games.__main__ import perft
from games.cheshire import GAME
from games.cheshire.position import Rules
from tests.examples import first

ORTHODOX = Rules(vanishing=False)
# From the Chess Programming Wiki's page "Perft Results"; nobody can castle there.
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -"
EDWARDS = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -"


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        (Rules(), (20, 400, 8_374, 173_972)),
        (Rules(size=10), (24, 576, 14_672)),
        (ORTHODOX, (20, 400, 8_902, 197_281)),
    ],
)
def test_perft(rules, counts):
    start = GAME.start(rules, "")
    assert tuple(perft(start, depth + 1) for depth in range(len(counts))) == counts


@pytest.mark.parametrize(
    ("text", "counts"), [(ENDGAME, (14, 191, 2_812, 43_238)), (EDWARDS, (46, 2_079, 89_890))]
)
def test_perft_from_there(text, counts):
    position = GAME.position(ORTHODOX, text)
    assert tuple(perft(position, depth + 1) for depth in range(len(counts))) == counts


@pytest.mark.parametrize("seed", first(range(12), 3))
def test_python_chess_knows_the_same_moves(seed):
    rng, ours = Random(seed), GAME.start(ORTHODOX, "")
    theirs = chess.Board(chess.STARTING_FEN.replace("KQkq", "-"))
    for _ in range(200):
        if ours.outcome():
            break
        moves = {
            str(move).replace("x", "").replace("-", "").replace("=", "").lower(): move
            for move in ours.moves()
        }
        assert moves.keys() == {move.uci() for move in theirs.legal_moves}
        captures = {uci for uci, move in moves.items() if move.capture}
        assert captures == {move.uci() for move in theirs.generate_legal_captures()}
        assert ours.checked == theirs.is_check()
        uci = rng.choice(sorted(moves))
        ours = ours.play(moves[uci])
        theirs.push_uci(uci)
        assert str(ours) == " ".join(theirs.fen(en_passant="fen").split()[:4])
    assert (ours.outcome() is not None) == (
        theirs.is_checkmate() or theirs.is_stalemate() or len(theirs.piece_map()) == 2
    )
