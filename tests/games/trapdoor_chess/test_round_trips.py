"""Any position, any turn: written and read, as python-chess writes it, and objected to or legal."""

import re
from random import Random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.protocol import Notation
from games.trapdoor_chess import GAME
from games.trapdoor_chess.position import Rules
from tests.examples import examples

ENGLISH, ITALIAN = Notation("en"), Notation("it")
IN_ITALIAN = str.maketrans("KQRBN", "RDTAC")


def played(seed, plies, rules):
    rng, position = Random(seed), GAME.start(rules, "")
    while plies and not position.outcome():
        position, plies = position.play(position.sample(rng)), plies - 1
    return position


RULES = st.sampled_from([Rules(), Rules(incheck="after"), Rules(trap=False)])


@pytest.mark.prove
@examples(60)
@given(st.integers(0, 2**32), st.integers(0, 200), RULES)
def test_whatever_is_legal_can_be_written_and_read(seed, plies, rules):
    position, rng = played(seed, plies, rules), Random(seed)
    assert GAME.position(rules, str(position)) == position
    if position.outcome():
        return
    for move in {position.sample(rng) for _ in range(40)}:
        assert GAME.move(str(move)) == move
        assert GAME.read(position, str(move), ENGLISH) == move
        for notation in (ENGLISH, ITALIAN):
            assert GAME.read(position, GAME.write(position, move, notation), notation) == move


@examples(40)
@given(st.integers(0, 2**32), st.integers(0, 200))
def test_short_notation_as_python_chess_writes_it(seed, plies):
    """With the trap off, in both languages."""
    position = played(seed, plies, Rules(trap=False))
    theirs = chess.Board(str(position).removesuffix(" -"))
    for move in [] if position.outcome() else theirs.legal_moves:
        san = theirs.san(move)
        for text, notation in ((san, ENGLISH), (san.translate(IN_ITALIAN), ITALIAN)):
            if re.match("[BC][1-8]", text):
                continue  # may be a square with a telephone's capital: see above
            read = GAME.read(position, text, notation)
            assert chess.Move.from_uci(f"{read.origin}{read.target}{read.promotion.lower()}") == move


@pytest.mark.prove
@examples(30)
@given(st.integers(0, 2**32), st.integers(0, 200), RULES)
def test_exactly_the_legal_turns_meet_no_objection(seed, plies, rules):
    """Every pair of squares, capture or not, promoted or not, with a few squares for the trap."""
    position = played(seed, plies, rules)
    names = [f"{file}{row}" for file in "abcdefgh" for row in "12345678"]
    legal, traps = set(position.moves()), ["", *Random(seed).sample(names, 2), str(position).split()[-1]]
    halves = [
        f"{a}{sign}{b}{end}"
        for a in names
        for b in names
        for sign in "-x"
        for end in ("", "=Q")
        if end < "=" or b[1] in "18"
    ]
    for trap in {f"@{one}" if one.strip("-") else "" for one in traps}:
        tried = [GAME.move(f"{half}{trap}") for half in Random(seed).sample(halves, 1_500)]
        assert {move for move in tried if not position.objection(move)} == legal.intersection(tried)
