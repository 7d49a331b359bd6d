"""The turns of Zèrtz rule by rule, on boards small enough to see."""

from collections import Counter
from random import Random

import pytest

from games.protocol import Outcome, Side
from games.zertz import GAME
from games.zertz.rules import start
from games.zertz.variants import Goals, Rules

ENDLESS = Rules(goals=Goals(99, (99, 99, 99)))  # to see what happens when nobody wins

FULL_BOARD = """
            . . . .
           . . . . .
          . . . . . .
         . . . . . . .
          . . . . . .
           . . . . .
            . . . .
"""
# Every ring of the border holds a marble: none can be removed, and no marble can jump.
FILLED_BORDER = """
            W G B G
           B . . . W
          G . . . . B
         B . . . . . G
          W . . . . B
           G . . . B
            B W G B
"""


def written(position):
    return {str(move) for move in position.moves()}


def played(position, text):
    move = GAME.move(text)
    assert position.objection(move) is None
    return position.play(move)


def objection(position, text):
    return str(position.objection(GAME.move(text)))


@pytest.fixture
def apart(board):
    """Nothing can jump."""
    return board("""
            . . . .
           . . . . .
          . . . . . .
         . W . . . B .
          . . . . . .
           . . - . .
            . - - .
    """)


@pytest.fixture
def at_the_border(board):
    return board(FILLED_BORDER)


def test_a_placement_fills_an_empty_ring_and_takes_another_away(apart, board):
    assert played(apart, "Gd4,g7") == board(
        """
            . . . .
           . . . . .
          . . . . . .
         . W . G . B .
          . . . . . .
           . . - . .
            . - - -
        """,
        to_move=Side.SECOND,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wd2,a1", "occupied d2"),
        ("Wg5,a1", "ring_gone g5"),
        ("Wh7,a1", "no_such_ring h7"),
        ("Wd4,h7", "no_such_ring h7"),
        ("Wd4,g5", "ring_gone g5"),
        ("Wd4,c4", "not_removable c4"),
        ("Wa1,a1", "removes_own a1"),
        ("Wd4,d2", "removes_occupied d2"),
        ("d2xd4", "nothing_to_jump d3 d2 d4"),
        ("d2xd5", "not_a_jump d2 d5"),
        ("d2xe4", "not_a_jump d2 e4"),
        ("c2xc4", "no_marble c2"),
        ("g5xe3", "ring_gone g5"),
        ("d2xh6", "no_such_ring h6"),
    ],
)
def test_what_is_wrong_with_a_turn(apart, text, expected):
    assert objection(apart, text) == expected


def test_whoever_forgets_the_removal_hears_which_rings_can_go(apart):
    found = apart.objection(GAME.move("Wd4"))
    assert found.code == "removal_missing"
    assert set(found.cells) == {move.removed for move in apart.moves() if move.cell == "d4"}


@pytest.mark.parametrize(
    ("rows_b_and_c", "loose"),
    [
        (". . - - . / . . . . . .", True),  # b3 and b4: adjacent sides of c4
        (". . - . . / . . . . - .", False),  # b3 and c5: b4 lies between
        (". . - . . / . . . . . .", False),
    ],
)
def test_two_free_sides_must_be_adjacent(board, rows_b_and_c, loose):
    """Newsletter 56: "due lati adiacenti liberi"."""
    rows = FULL_BOARD.strip().splitlines()
    rows[1:3] = rows_b_and_c.split("/")
    position = board("\n".join(rows))
    assert (objection(position, "Wd1,c4") == "None") is loose
    assert bool(position.removable & position.rules.board.bit["c4"]) is loose


def test_marbles_beside_a_ring_do_not_hold_it(board):
    position = board("""
            . W . .
           . . W . .
          . . . . . .
         . . . . . . .
          . . . . . .
           . . . . .
            . . . .
    """)
    assert "a3" in position.rules.board.names(position.removable)


def test_rings_of_an_island_can_be_filled_and_removed(board):
    position = board("""
            . . - -
           . - - . .
          - - . . . .
         . . . . . . .
          . . . . . .
           . . . . .
            . . . .
    """)
    assert {"Wb1,a1", "Wa1,b1", "Wd4,a2"} <= written(position)
    after = played(position, "Wb1,a2")
    assert set(after.rules.board.names(position.rings & ~after.rings)) == {"a2"}


def test_where_no_ring_can_go_the_turn_is_the_placement_alone(at_the_border):
    assert at_the_border.removable == 0
    assert at_the_border.count() == len(written(at_the_border)) == 3 * 19
    assert "Wd4" in written(at_the_border)
    assert objection(at_the_border, "Wd4,c3") == "nothing_removable c3"


def test_nor_can_one_go_when_the_marble_fills_the_only_one(board):
    """The middle of seven rings cannot slide out."""
    position = board("""
            - - - -
           - - - - -
          - - W G - -
         - - B . W - -
          - - G . - -
           - - - - -
            - - - -
    """)
    assert written(position) == {f"{colour}{turn}" for colour in "WGB" for turn in ("e5", "d4,e5")}
    assert position.count() == 6
    assert objection(position, "We5,d4") == "nothing_removable d4"
    assert objection(position, "Wd4").startswith("removal_missing e5")


def test_a_colour_that_the_pool_lacks_does_not_come_from_the_captives(board):
    position = board(FULL_BOARD, rules=ENDLESS, first=(3, 2, 5), second=(3, 4, 5))
    assert position.pool == (0, 2, 0)
    assert objection(position, "Wd4,a1") == "not_in_pool white"
    assert {move.colour.kind for move in position.moves()} == {"grey"}


def test_once_the_pool_is_empty_the_own_captives_are_placed(board):
    position = board(FULL_BOARD, rules=ENDLESS, first=(3, 8, 0), second=(3, 0, 10))
    assert objection(position, "Bd4,a1") == "not_captured black"
    assert {move.colour.kind for move in position.moves()} == {"white", "grey"}
    assert played(position, "Wd4,a1").captives == ((2, 8, 0), (3, 0, 10))


def test_a_jump_goes_before_every_placement(board):
    position = board("""
            . . . .
           . . . . .
          . . . . . .
         . . B W G . .
          . . . . . .
           . . . . .
            . . . .
    """)
    assert written(position) == {"d4xd2", "d4xd6"}
    assert objection(position, "Wa1,a2") == "must_jump d4 d6"
    assert objection(position, "d3xd5") == "landing_occupied d5"


def test_a_jump_captures_and_neither_places_nor_removes(board):
    position = board("""
            . . . .
           . . . . .
          . . . . . .
         . . B W G . .
          . . . . . .
           . . . . .
            . . . .
    """)
    after = played(position, "d4xd6")
    assert after.occupied == sum(map(position.rules.board.bit.get, ("d3", "d6")))
    assert (after.rings, after.pool) == (position.rings, position.pool)
    assert after.captives == ((0, 1, 0), (0, 0, 0))


def test_the_landing_must_be_in_play(board):
    position = board("""
            . . . .
           . . . . .
          . . . . . .
         . . B W G - .
          . . . . . .
           . . . . .
            . . . .
    """)
    assert written(position) == {"d4xd2"}
    assert objection(position, "d4xd6") == "ring_gone d6"


def test_a_chain_turns_and_goes_on_while_it_can(board):
    position = board("""
            . . . .
           . . . . .
          . . . . . .
         W B . G . . .
          . . . . B .
           . . . . .
            . . . .
    """)
    assert written(position) == {"d1xd3xd5xf7"}
    assert objection(position, "d1xd3") == "incomplete d3 d5"
    assert objection(position, "d1xd3xd5") == "incomplete d5 f7"
    assert played(position, "d1xd3xd5xf7").captives == ((0, 1, 2), (0, 0, 0))


def test_the_longest_chain_is_not_compulsory(board):
    position = board("""
            W B . .
           . . . . .
          . . . . . .
         W B . G . . .
          . . . . . .
           . . . . .
            . . . .
    """)
    assert written(position) == {"a1xa3", "d1xd3xd5"}


def test_a_chain_may_end_where_it_began_and_jumps_no_marble_twice(board):
    position = board("""
            . . . .
           . . . . .
          . . . . . .
         . . . W G . .
          . . . B B .
           . . . . .
            . . . .
    """)
    assert {text for text in written(position) if text.startswith("d4")} == {"d4xd6xf6xd4", "d4xf6xd6xd4"}
    assert objection(position, "d4xd6xf6") == "incomplete f6 d4"
    assert objection(position, "d4xd6xf6xd4xd6") == "nothing_to_jump d5 d4 d6"
    after = played(position, "d4xd6xf6xd4")
    assert after.marbles == (position.rules.board.bit["d4"], 0, 0)
    assert after.captives == ((0, 1, 2), (0, 0, 0))


def test_a_goal_reached_in_mid_chain_waits_for_its_end(board):
    position = board(
        """
            . . . .
           . . . . .
          . . . . . .
         B W . G . . .
          . . . . . .
           . . . . .
            . . . .
        """,
        first=(3, 0, 0),
    )
    assert objection(position, "d1xd3") == "incomplete d3 d5"
    after = played(position, "d1xd3xd5")
    assert after.captives[Side.FIRST] == (4, 1, 0)
    assert after.outcome() == Outcome(Side.FIRST, "white")


@pytest.mark.parametrize(
    ("rules", "captives", "reason"),
    [
        (GAME.presets[""], (3, 3, 3), "each"),
        (GAME.presets[""], (4, 0, 0), "white"),
        (GAME.presets[""], (0, 5, 0), "grey"),
        (GAME.presets[""], (0, 0, 6), "black"),
        (GAME.presets[""], (3, 4, 2), None),
        (GAME.presets[""], (3, 2, 5), None),
        (GAME.presets["blitz"], (2, 2, 2), "each"),
        (GAME.presets["blitz"], (3, 0, 0), "white"),
        (GAME.presets["blitz"], (0, 4, 0), "grey"),
        (GAME.presets["blitz"], (0, 0, 5), "black"),
        (GAME.presets["blitz"], (2, 3, 1), None),
    ],
)
def test_what_wins(board, rules, captives, reason):
    position = board(FULL_BOARD, rules=rules, first=captives, to_move=Side.SECOND)
    outcome = position.outcome()
    assert outcome == (Outcome(Side.FIRST, reason) if reason else None)
    assert bool(position.count()) == bool(list(position.moves())) == (reason is None)
    assert objection(position, "Bd4,a1") == ("finished" if reason else "None")


def test_filling_the_last_ring_of_the_board_captures_it_and_wins(board):
    position = board("""
            - - - -
           - - - - -
          - - - - - -
         - - - - - - -
          - - W - W -
           - - . - -
            - - - -
    """)
    assert written(position) == {"Wf5", "Gf5", "Bf5"}
    assert objection(position, "Wf5,e4").startswith("nothing_removable")
    after = played(position, "Bf5")
    assert (after.rings, after.captives) == (0, ((2, 0, 1), (0, 0, 0)))
    assert after.outcome() == Outcome(Side.FIRST, "filled")


def test_a_goal_met_by_filling_the_board_is_the_reason_of_the_win(board):
    position = board(
        """
            - - - -
           - - - - -
          - - - - - -
         - - - - - - -
          - - W - W -
           - - . - -
            - - - -
        """,
        first=(2, 0, 0),
    )
    assert played(position, "Bf5").outcome() == Outcome(Side.FIRST, "white")


def test_a_player_with_nothing_to_place_and_nothing_to_jump_draws(board):
    position = board(FILLED_BORDER, second=(2, 2, 2))
    assert not any(position.pool)
    assert position.outcome() == Outcome(None, "stuck")
    assert position.count() == 0
    assert objection(position, "Wd4") == "finished"
    assert board(FILLED_BORDER, first=(2, 2, 2)).outcome() is None


def test_without_marbles_to_place_a_jump_still_plays_on(board):
    position = board(FILLED_BORDER.replace("G . . . . B", "G B . . . B", 1), second=(2, 2, 1))
    assert not any(position.supply)
    assert position.outcome() is None
    assert position.count() > 0


def test_positions_are_the_same_only_with_the_same_player_to_move(at_the_border, board):
    other = board(FILLED_BORDER, to_move=Side.SECOND)
    assert at_the_border.key() == board(FILLED_BORDER).key() != other.key()
    assert at_the_border.key() != board(FILLED_BORDER, first=(1, 0, 0)).key()


def test_a_setup_is_a_map_of_the_rings_and_changes_nothing_else():
    rules = Rules(goals=Goals(1, (1, 1, 1)))
    position = start(rules, "A1-2 B1-3 C2-3")
    assert list(position.rules.board.names(position.rings)) == ["a1", "a2", "b1", "b2", "b3", "c2", "c3"]
    assert position.rules.on("") == rules
    after = played(played(position, "Wb2,a1"), "Gb1,a2")
    assert written(after) == {"b1xb3"}
    assert played(after, "b1xb3").outcome() == Outcome(Side.FIRST, "white")


def test_a_setup_may_be_the_board_of_another_variant():
    rings = GAME.presets["+11"].rings
    position = start(Rules(), rings)
    assert position.count() == 2_961
    assert position != start(GAME.presets["+11"], rings) == start(GAME.presets["+11"])


@pytest.mark.parametrize("blank", ["", " ", "\n"])
def test_without_a_setup_the_board_is_that_of_the_rules(blank):
    assert start(Rules(), blank) == start(Rules(), Rules().rings) == start(Rules())


def test_a_setup_that_is_no_map_is_refused():
    with pytest.raises(ValueError, match="'nonsense' is no map"):
        start(Rules(), "nonsense")


def test_samples_are_uniform_over_placements(board):
    """Two empty rings, both removable, and three colours: 6 turns."""
    position = board(
        """
            - - - -
           - - - - -
          - - - - - -
         - - - - - - -
          - - - W - -
           - - . . -
            - - - -
        """
    )
    drawn = Counter(str(position.sample(rng)) for rng in [Random(1)] for _ in range(6000))
    assert set(drawn) == written(position)
    assert all(850 < times < 1150 for times in drawn.values())


def test_samples_are_uniform_over_chains(board):
    position = board("""
            W B . .
           . . . . .
          . . . . . .
         W B . G . . .
          . . . . . .
           . . . . .
            . . . .
    """)
    drawn = Counter(str(position.sample(rng)) for rng in [Random(2)] for _ in range(2000))
    assert set(drawn) == written(position)
    assert all(850 < times < 1150 for times in drawn.values())
