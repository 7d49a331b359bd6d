"""The turns of Emergo rule by rule, on boards as pictures."""

from random import Random

import pytest

from games.emergo import GAME
from games.emergo.board import SQUARES, indices
from games.emergo.rules import Rules, start
from games.protocol import Outcome, Side


def written(position):
    return {str(move) for move in position.moves()}


def objection(position, text):
    return str(position.objection(GAME.move(text)))


def played(position, *texts):
    for text in texts:
        move = GAME.move(text)
        assert position.objection(move) is None
        position = position.play(move)
    return position


def column(position, name):
    return next((text[3:] for text in str(position).split() if text.startswith(f"{name}:")), "")


class TestCaptures:
    def test_the_top_man_is_carried_off_below_the_captor(self, board):
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   B3  .   .
        .   W2B .   .   .
          .   .   .   .
        .   .   .   .   .
        """)
        assert played(position, "c3xe5") == board(
            """
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .  W2B2 .   .
          .   B2  .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
            """,
            "black",
        )

    def test_prisoners_without_a_cap_are_free_and_play_for_the_captor(self, board):
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   BW3 .   .
        .   W   .   .   .
          .   .   .   .
        .   .   .   .   .
        """)
        after = played(position, "c3xe5")
        assert (column(after, "e5"), column(after, "d4")) == ("WB", "W3")

    def test_it_is_compulsory_even_with_men_in_hand(self, board):
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   B   .   .
        .   W   .   .   .
          .   .   .   .
        .   .   .   .   .
        """)
        assert written(position) == {"c3xe5"}
        assert objection(position, "a1") == "must_capture c3 e5 1"
        assert objection(position, "c3-b4") == "must_capture c3 e5 1"

    @pytest.fixture
    def choice(self, board):
        """One man is on the left, two are on the right, two also for the column on i3."""
        return board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   B   .
        .   .   .   .   .
          B   .   .   B
        W   .   .   .   W
          .   .   .   .
        .   .   .   .   W
        """)

    def test_the_most_men_must_be_taken(self, choice):
        assert written(choice) == {"i3xg5xe7"}
        assert objection(choice, "a3xc5") == "too_few i3 g5 e7 1 2"
        assert objection(choice, "e5") == "must_capture_most i3 g5 e7 2"

    def test_a_chain_must_not_stop_halfway(self, choice):
        assert objection(choice, "i3xg5") == "too_few i3 g5 e7 1 2"

    def test_among_equals_the_choice_is_free(self, board):
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   B   B   .
        .   .   W   .   .
          .   B   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
        """)
        assert written(position) == {"e5xc7", "e5xg7", "e5xc3"}

    def test_the_square_where_it_began_is_empty_at_once(self, board):
        """Four men around one square: home is reached again, both ways round."""
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   B   B   .
        .   W   .   .   .
          .   B   B   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
        """)
        assert written(position) == {"c5xe7xg5xe3xc5", "c5xe3xg5xe7xc5"}
        assert column(played(position, "c5xe7xg5xe3xc5"), "c5") == "WB4"

    def test_a_column_may_be_jumped_again_after_another(self, board):
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          B   B   .   .
        .   .   .   .   .
          B2  B   .   .
        .   W   .   .   .
          .   .   .   .
        .   .   .   .   .
        """)
        assert written(position) == {"c3xa5xc7xe5xc3xa5"}

    def test_the_same_column_never_twice_in_a_row(self, board):
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   B3  .   .
        .   W   .   .   .
          .   .   .   .
        .   .   .   .   .
        """)
        assert written(position) == {"c3xe5"}
        assert objection(position, "c3xe5xc3") == "twice d4"

    def test_nobody_jumps_over_the_border_or_onto_a_column(self, board):
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   B   .   .
          .   B   .   .
        B   W   .   .   .
          W   .   .   .
        .   .   .   .   .
        """)
        assert not position.prey
        assert objection(position, "b2xa3") == "not_a_jump b2 a3"
        assert objection(position, "c3xe5") == "no_landing e5"

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("e9xc7", "nothing_there e9"),
            ("d4xb2", "not_yours d4"),
            ("c3xa5", "nothing_to_jump b4 c3 a5"),
            ("c3xc7", "not_a_jump c3 c7"),
            ("c3xd5", "no_square d5"),
        ],
    )
    def test_what_is_wrong_with_a_capture(self, board, text, expected):
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   B   .   .
        .   W   .   .   .
          .   .   .   .
        .   .   .   .   .
        """)
        assert objection(position, text) == expected


class TestEntering:
    def test_the_first_man_of_white_may_not_stand_on_the_centre_and_that_of_black_may(self):
        empty = start(Rules())
        assert objection(empty, "e5") == "first_man e5"
        assert empty.count() == 40
        assert objection(played(empty, "a1"), "e5") == "None"

    @pytest.fixture
    def lone_enemy(self, board):
        return board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   B   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        W   .   .   .   .
        """)

    def test_a_man_may_not_be_offered(self, lone_enemy):
        offers = {name for name in SQUARES if not lone_enemy.entries() >> SQUARES.index(name) & 1}
        assert offers == {"a1", "e5", "d4", "d6", "f4", "f6"}
        assert objection(lone_enemy, "d4") == "feeds d4 e5 c3"
        assert objection(lone_enemy, "f6") == "feeds f6 e5 g7"

    def test_a_man_on_the_border_is_never_an_offer(self, board):
        position = board("""
        .   .   .   .   .
          .   .   .   B
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        W   .   .   .   .
        """)
        assert {"i9", "i7", "g9"} <= written(position)
        assert "g7" not in written(position)

    def test_under_attack_any_empty_square_will_do(self, board):
        """Also one that offers a second man, or one that blocks the jump."""
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   W   .   .
        .   B   .   .   .
          B   .   .   .
        .   .   .   .   .
        """)
        assert position.count() == 41 - 3
        assert {"d2", "e5"} <= written(position)

    def test_columns_do_not_step_while_men_are_in_hand(self, lone_enemy):
        assert objection(lone_enemy, "a1-b2") == "must_enter 11"
        assert objection(lone_enemy, "e5-d4") == "not_yours e5"
        assert objection(lone_enemy, "e5") == "occupied e5"
        assert objection(lone_enemy, "b1") == "no_square b1"

    @pytest.fixture
    def shadow(self, board):
        """Black has entered all men, White has five left."""
        return board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   B2  .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        W7  .   .   .  B10
        """)

    def test_after_the_last_man_of_the_opponent_all_enter_at_once(self, shadow):
        after = played(shadow, "a3")
        assert column(after, "a3") == "W5"
        assert after.hands == (0, 0)

    def test_the_shadow_piece_may_not_be_offered_either(self, shadow):
        assert objection(shadow, "d4") == "feeds d4 e5 c3"

    def test_men_enter_singly_while_the_opponent_has_one(self, board):
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        W7  .   .   .  B11
        """)
        assert column(played(position, "a3"), "a3") == "W"


class TestSteps:
    @pytest.fixture
    def entered(self, board):
        """White's hand is empty, Black's is not: White must move."""
        return board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   W2B .   .
          .   .   .   .
        .   .   .   .   .
          W   .   .   .
        W9  .   .   .   .
        """)

    def test_with_an_empty_hand_a_column_steps_anywhere_beside_it(self, entered):
        forward_and_back = {"e5-d6", "e5-f6", "e5-d4", "e5-f4"}
        assert written(entered) == {*forward_and_back, "b2-a3", "b2-c3", "b2-c1"}
        assert entered.hands == (0, 11)

    def test_the_whole_column_steps(self, entered):
        after = played(entered, "e5-f6")
        assert (column(after, "f6"), column(after, "e5")) == ("W2B", "")

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("e5-e7", "not_a_step e5 e7"),
            ("e5-d5", "no_square d5"),
            ("a1-b2", "occupied b2"),
            ("g7-h8", "nothing_there g7"),
            ("g7", "hand_empty g7"),
        ],
    )
    def test_what_is_wrong_with_a_step(self, entered, text, expected):
        assert objection(entered, text) == expected


class TestTheEnd:
    def test_a_side_without_column_or_man_in_hand_has_lost(self, board):
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   B   .   .
        . W12B11 .   .   .
          .   .   .   .
        .   .   .   .   .
        """)
        assert position.outcome() is None
        after = played(position, "c3xe5")
        assert after.outcome() == Outcome(Side.FIRST, "all_taken")
        assert column(after, "e5") == "W12B12"
        assert (after.count(), objection(after, "a1")) == (0, "finished")

    def test_one_colour_on_the_board_is_no_end_while_men_are_in_hand(self, board):
        assert played(start(Rules()), "a1").outcome() is None
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   B   .   .
        . W11B8  .   .   .
          .   .   .   .
        .   .   .   .   .
        """)
        after = played(position, "c3xe5")
        assert after.outcome() is None
        assert after.hands == (1, 3)

    BLOCKED = """
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .  B11  .   .   .
          B   .   .   .
       W12  .   .   .   .
    """

    def test_whose_columns_are_blocked_draws_or_loses_as_the_rules_say(self, board):
        assert board(self.BLOCKED).outcome() == Outcome(None, "blocked_draw")
        lost = board(self.BLOCKED, rules=Rules(blocked="loss"))
        assert lost.outcome() == Outcome(Side.SECOND, "blocked_loss")
        assert (lost.count(), list(lost.moves())) == (0, [])
        assert board(self.BLOCKED, "black").outcome() is None

    def test_who_can_only_offer_a_man_draws(self, board):
        """Every border square is taken, and each other one lies before a black column."""
        position = board("""
        B   W   B   W   W
          .   .   .   W
        B   .   .   .   W
          .   B   .   B
        W   .   .   B   B
          W   B   .   .
        W   .   .   .   W
          .   .   .   B
        B   W   B   W   B
        """)
        assert position.hands == (1, 0)
        assert not list(indices(position.entries()))
        assert position.outcome() == Outcome(None, "no_entry")
        assert (position.count(), list(position.moves())) == (0, [])
        assert objection(position, "c3") == "finished"

    def test_the_third_time_draws_by_the_hand_of_the_record(self, board):
        position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
       W12  .   .   .  B12
        """)
        again = played(position, "a1-b2", "i1-h2", "b2-a1", "h2-i1")
        assert GAME.repetition == 3
        assert again.key() == position.key() != played(position, "a1-b2").key()


@pytest.mark.prove
def test_random_games_keep_every_man():
    rng = Random(68)
    for _ in range(20):
        position = start(Rules())
        while not position.outcome():
            position = position.play(position.sample(rng))
            assert GAME.position(Rules(), str(position)) == position, "which counts the men"
            assert not position.mine & position.theirs
