"""Games that people played and published, replayed to the end."""

from games.lines_of_action import GAME
from games.protocol import Notation, Outcome, Side
from games.record import Record

# iggamecenter.com, 19 October 2013, annotated at linesofaction100.blogspot.com on 4 December 2013 ("Game 8").
GAME_8 = """
    c8-c6 a2-c2   b1-b3 h4-f2   f1xh3 h5-f7   g8-g6 h7-e7   e8-b5 h6-f4   e1-e3 a7xe3   f8-c8 c2xc6
    b8-e5 h2xe5   b5xe5 f7-d7   g1-g3 f2-d4   c1xa3 e3-c5   g3-g5 a6-b5   b3xb5 f4-c4   a3-c3 d4-b6
"""


def test_game_8_ends_when_white_joins_on_b6():
    *_, before, after = Record("loa", GAME.version, moves=tuple(GAME_8.split())).replay()
    assert before.outcome() is None
    assert after.outcome() == Outcome(Side.SECOND, "joined")


def test_game_8_what_the_annotator_saw():
    """On Black's 12th move: "the key piece to capture" could not be saved by c8-a8 and a8xc6, for c6xa8."""
    positions = Record("loa", GAME.version, moves=tuple(GAME_8.split())).replay()
    position = positions[22]
    for written in ("c8-a8", "c6xa8"):
        position = position.play(GAME.read(position, written, Notation()))
    assert position.to_move is Side.FIRST
    # After 12... a6-b5 White threatens to join at once with f4-c4.
    threat = positions[24]
    threatened = GAME.position(threat.rules, str(threat).replace(" o", " x"))
    joined = threatened.play(GAME.read(threatened, "f4-c4", Notation()))
    assert joined.outcome() == Outcome(Side.SECOND, "joined")
