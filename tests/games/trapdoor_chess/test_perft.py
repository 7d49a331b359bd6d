"""Turns counted from the start: a man's move times the squares that the trap may go to."""

import pytest

from games.__main__ import perft
from games.trapdoor_chess import GAME
from games.trapdoor_chess.rules import Rules


def test_perft():
    start = GAME.start(Rules(), "")
    assert [perft(start, depth) for depth in (1, 2)] == [640, 392_240]


@pytest.mark.parametrize("incheck", ["before", "after"])
def test_counting_in_bulk_is_counting(incheck):
    rules = Rules(incheck=incheck)
    text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 e6"
    position = GAME.position(rules, text.replace("e6", "b3"))
    assert position.count() == len(set(position.moves()))
    few = GAME.position(rules, "4k3/8/8/8/4r3/8/3P4/R3K3 w Q - 0 1 e3")
    assert perft(few, 2) == sum(few.play(move).count() for move in few.moves())
