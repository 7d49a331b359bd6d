"""With the trap switched off it is chess: python-chess and the published perft numbers agree."""

from random import Random

import chess
import pytest

from games.__main__ import perft
from games.trapdoor_chess import GAME
from games.trapdoor_chess.position import Rules
from tests.examples import first
from tests.games.trapdoor_chess.oracle import agreed, end, uci

ORTHODOX = Rules(trap=False)
START = str(GAME.start(ORTHODOX, ""))
# The positions of the Chess Programming Wiki's page "Perft Results", made to find forgotten rules.
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 -"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 -"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1 -"
MIRRORED = "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1 -"
TALKCHESS = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8 -"
EDWARDS = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10 -"


@pytest.mark.parametrize(
    ("text", "counts"),
    first(
        [
            (START, (20, 400, 8_902, 197_281)),
            (KIWIPETE, (48, 2_039, 97_862)),
            (ENDGAME, (14, 191, 2_812, 43_238)),
            (PROMOTIONS, (6, 264, 9_467)),
            (MIRRORED, (6, 264, 9_467)),
            (TALKCHESS, (44, 1_486, 62_379)),
            (EDWARDS, (46, 2_079, 89_890)),
        ],
        3,
    ),
)
def test_perft(text, counts):
    position = GAME.position(ORTHODOX, text)
    assert tuple(perft(position, depth + 1) for depth in range(len(counts))) == counts


@pytest.mark.parametrize("seed", first(range(12), 2))
def test_a_random_game(seed):
    rng, ours, theirs = Random(seed), GAME.start(ORTHODOX, ""), chess.Board()
    while not ours.outcome():
        move = rng.choice(agreed(ours, theirs))
        ours = ours.play(GAME.move(move))
        theirs.push(chess.Move.from_uci(uci(move)))
    assert ours.outcome().reason == end(theirs)


@pytest.mark.parametrize("text", [KIWIPETE, ENDGAME, PROMOTIONS, MIRRORED, TALKCHESS])
@pytest.mark.parametrize("seed", first(range(3)))
def test_a_random_game_from_there(text, seed):
    rng, ours, theirs = Random(seed), GAME.position(ORTHODOX, text), chess.Board(text.removesuffix(" -"))
    while not ours.outcome():
        move = rng.choice(agreed(ours, theirs))
        ours = ours.play(GAME.move(move))
        theirs.push(chess.Move.from_uci(uci(move)))
    assert ours.outcome().reason == end(theirs)
