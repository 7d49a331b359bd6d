"""The turns of Bashni rule by rule, on boards as pictures."""

from random import Random

import pytest

from games.bashni import GAME
from games.bashni.rules import MOST_QUIET, Rules, start
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
    return next((text[3:] for text in str(position).split() if text.startswith(f"{name}=")), "")


def test_the_start():
    position = start(Rules())
    assert (column(position, "a1"), column(position, "b4"), column(position, "h8")) == ("w", "", "b")
    assert written(position) == {"a3-b4", "c3-b4", "c3-d4", "e3-d4", "e3-f4", "g3-f4", "g3-h4"}
    assert position.to_move == Side.FIRST


class TestSteps:
    @pytest.fixture
    def columns(self, board):
        """A column led by a man, one led by a king, and a black man beside it with a column behind."""
        return board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        b   .   .   .
          .   .   .   .
        .   bw  .   .
          .   .   .   .
        .   .   BwW .
        """)

    def test_a_man_steps_one_square_forward_and_a_king_any_distance(self, columns):
        king = {"e1-d2", "e1-f2", "e1-g3", "e1-h4"}
        assert written(columns) == {"c3-b4", "c3-d4", *king}

    def test_a_column_moves_as_a_whole(self, columns):
        after = played(columns, "e1-h4")
        assert (column(after, "h4"), column(after, "e1")) == ("BwW", "")

    def test_black_steps_down_the_board(self, columns):
        after = played(columns, "e1-h4")
        assert written(after) == {"a5-b4"}
        assert objection(after, "a5-b6") == "backwards a5 b6"

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("c3-b2", "backwards c3 b2"),
            ("c3-e5", "one_square c3 e5"),
            ("c3-c4", "no_square c4"),
            ("c3-c5", "not_diagonal c3 c5"),
            ("c3-c3", "not_diagonal c3 c3"),
            ("e1-a5", "blocked c3 e1 a5"),
            ("e1-c3", "blocked c3 e1 c3"),
            ("a5-b4", "not_yours a5"),
            ("g1-h2", "nothing_there g1"),
            ("e1xg3", "nothing_to_jump e1 g3"),
        ],
    )
    def test_what_is_wrong_with_a_step(self, columns, text, expected):
        assert objection(columns, text) == expected


class TestCaptures:
    def test_only_the_top_piece_is_taken_below_the_captor(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   wBb .   .
        .   bw  .   .
          .   .   .   .
        .   .   .   .
        """)
        assert played(position, "c3xe5") == board(
            """
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   bbw .
          .   wB  .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
            """,
            "black",
        )

    def test_what_is_left_belongs_to_its_new_top_and_a_freed_king_is_a_king(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   wWb .   .
        .   w   .   .
          .   .   .   .
        .   .   .   .
        """)
        after = played(position, "c3xe5")
        assert (column(after, "e5"), column(after, "d4")) == ("bw", "wW")

    def test_a_captured_king_stays_a_king(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   B   .   .
        .   w   .   .
          .   .   .   .
        .   .   .   .
        """)
        assert column(played(position, "c3xe5"), "e5") == "Bw"

    def test_men_capture_backwards_too(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   w   .
          .   b   b   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
        """)
        assert written(position) == {"e5xc3", "e5xg3"}

    def test_it_is_compulsory(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   b   .   .
        .   w   .   w
          .   .   .   .
        W   .   .   .
        """)
        assert written(position) == {"c3xe5"}
        assert objection(position, "c3-b4") == "must_capture c3 e5"
        assert objection(position, "g3-h4") == "must_capture c3 e5"

    @pytest.fixture
    def choice(self, board):
        """One man is on the left, two are on the right."""
        return board("""
          .   .   .   .
        .   .   .   .
          .   .   b   .
        .   .   .   .
          b   b   .   .
        .   w   .   .
          .   .   .   .
        .   .   .   .
        """)

    def test_there_is_no_majority_rule(self, choice):
        assert written(choice) == {"c3xa5", "c3xe5xg7"}

    def test_a_capture_is_played_to_its_end(self, choice):
        assert objection(choice, "c3xe5") == "unfinished e5 g7"

    def test_the_example_of_a_compulsory_capture_is_one_by_the_same_column(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   b   b   .
        .   w   .   w
          .   .   .   .
        .   .   .   .
        """)
        assert objection(position, "g3-h4") == "must_capture g3 e5"
        assert objection(position, "c3-b4") == "must_capture c3 e5"

    def test_the_square_where_it_began_is_free_at_once(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   b   b   .
        .   w   .   .
          .   b   b   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
        """)
        assert column(played(position, "c5xe3xg5xe7xc5"), "c5") == "bbbbw"

    def test_captures_that_leave_the_same_board_are_one_turn(self, board):
        """Both ways round the man comes home with four men."""
        position = board("""
          .   .   .   .
        .   .   .   .
          .   b   b   .
        .   w   .   .
          .   b   b   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
        """)
        assert (written(position), position.count()) == ({"c5xe3xg5xe7xc5"}, 1)
        assert objection(position, "c5xe7xg5xe3xc5") == "same_turn c5 e3 g5 e7 c5"

    def test_they_are_two_turns_where_the_prisoners_differ(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   b   b   .
        .   w   .   .
          .   B   b   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
        """)
        assert written(position) == {"c5xe3xg5xe7xc5", "c5xe7xg5xe3xc5"}
        assert column(played(position, "c5xe3xg5xe7xc5"), "c5") == "bbbBw"

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("h8xf6", "nothing_there h8"),
            ("d4xb2", "not_yours d4"),
            ("c3xa5", "nothing_to_jump c3 a5"),
            ("c3xc7", "not_diagonal c3 c7"),
            ("c3xd5", "no_square d5"),
            ("c3xf6", "man_jumps c3 f6 d4"),
            ("e1xc3", "no_landing c3"),
            ("e1xb4", "two_columns d2 c3"),
            ("h2xe5", "two_columns g3 f4"),
            ("h2xf4", "no_landing f4"),
        ],
    )
    def test_what_is_wrong_with_a_capture(self, board, text, expected):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   b   b   .
        .   w   .   b
          .   b   .   w
        .   .   W   .
        """)
        assert objection(position, text) == expected


class TestKings:
    def test_a_king_captures_over_any_distance_and_lands_on_any_square_behind(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   bbb .   .
        .   .   .   .
          .   .   .   .
        W   .   .   .
        """)
        assert written(position) == {"a1xe5", "a1xf6", "a1xg7", "a1xh8"}

    def test_it_must_land_where_it_can_go_on(self, board):
        position = board("""
          .   .   .   .
        .   .   b   .
          .   .   .   .
        .   .   .   .
          .   bbb .   .
        .   .   .   .
          .   .   .   .
        W   .   .   .
        """)
        assert written(position) == {"a1xf6xd8"}
        assert objection(position, "a1xg7") == "must_go_on g7 f6"

    def test_it_goes_on_straight_ahead_as_well(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   b   .
        .   .   .   .
          .   .   .   .
        .   b   .   .
          .   .   .   .
        W   .   .   .
        """)
        assert written(position) == {"a1xd4xg7", "a1xd4xh8"}, (
            "from d4 or from e5 the board is the same in the end"
        )
        assert objection(position, "a1xe5xg7") == "same_turn a1 d4 g7"

    def test_never_straight_back_over_a_tall_column(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   bbb .   .
        .   .   .   .
          .   .   .   .
        W   .   .   .
        """)
        assert objection(position, "a1xf6xc3") == "straight_back f6 c3"

    def test_never_straight_back_over_another_column_either(self, board):
        """The man on d4 is gone and the start is free, but b2 lies the opposite way."""
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   b   .   .
        .   W   .   .
          b   .   .   .
        .   .   .   .
        """)
        assert written(position) == {"c3xa1", "c3xe5", "c3xf6", "c3xg7", "c3xh8"}
        assert objection(position, "c3xe5xa1") == "straight_back e5 a1"

    def test_a_column_may_be_jumped_again_after_another(self, board):
        """Round d4, where two men stand: over it at first and at last."""
        position = board("""
          .   .   .   .
        .   .   .   .
          b   b   .   .
        .   .   .   .
          b   bb  .   .
        .   w   .   .
          .   .   .   .
        .   .   .   .
        """)
        assert "c3xe5xc7xa5xc3xe5" in written(position)
        assert column(played(position, "c3xe5xc7xa5xc3xe5"), "e5") == "bbbbbw"
        assert column(played(position, "c3xe5xc7xa5xc3xe5"), "d4") == ""

    def test_two_columns_in_a_row_cannot_be_jumped_at_once(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   b   .
          .   b   .   .
        .   .   .   .
          .   .   .   .
        W   .   .   .
        """)
        assert objection(position, "a1xf6") == "two_columns d4 e5"
        assert written(position) == {"a1-b2", "a1-c3"}

    def test_a_freed_column_of_its_own_is_in_the_way(self, board):
        """After the jump over d4 a white man is free there: the king cannot come back over it."""
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   wb  .   .
        .   .   .   .
          .   .   .   .
        W   .   .   .
        """)
        assert objection(position, "a1xe5xc3") == "own_column d4 e5 c3"


class TestPromotion:
    def test_a_man_on_the_last_row_becomes_a_king(self, board):
        position = board("""
          .   .   .   .
        .   bw  .   .
          .   .   .   b
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
        """)
        assert column(played(position, "c7-d8"), "d8") == "bW"

    def test_only_the_top_piece_is_promoted(self, board):
        position = board("""
          .   .   .   .
        .   bww .   .
          .   .   .   b
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
        """)
        assert column(played(position, "c7-b8"), "b8") == "bwW"

    def test_in_a_capture_it_goes_on_as_a_king(self, board):
        position = board("""
          .   .   .   .
        .   .   b   .
          .   .   .   w
        .   .   .   .
          b   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
        """)
        assert objection(position, "h6xf8") == "nothing_to_jump h6 f8"
        position = board("""
          .   .   .   .
        .   .   .   b
          .   .   .   w
        .   .   .   .
          b   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
        """)
        assert written(position) == {"h6xf8xa3"}
        assert column(played(position, "h6xf8xa3"), "a3") == "bbW"
        assert objection(position, "h6xf8") == "unfinished f8 a3"

    def test_black_is_promoted_on_the_first_row(self, board):
        position = board(
            """
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   .   .   w
        .   .   .   .
          b   .   .   .
        .   .   .   .
            """,
            "black",
        )
        assert column(played(position, "b2-a1"), "a1") == "B"


class TestTheEnd:
    def test_who_leads_no_column_has_lost(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   b   .   .
        .   bw  .   .
          .   .   .   .
        .   .   .   .
        """)
        assert position.outcome() is None
        after = played(position, "c3xe5")
        assert after.outcome() == Outcome(Side.FIRST, "all_taken")
        assert (after.count(), list(after.moves()), objection(after, "e5-d4")) == (0, [], "finished")

    def test_who_cannot_move_has_lost(self, board):
        position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   b   .   .
          b   .   .   .
        w   .   .   .
        """)
        assert position.outcome() == Outcome(Side.SECOND, "blocked")
        assert (position.count(), list(position.moves())) == (0, [])

    KINGS = """
          .   .   .   B
        .   .   .   .
          .   .   .   .
        w   .   .   .
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   W   .
    """

    def test_fifteen_moves_of_each_side_with_kings_alone_draw(self, board):
        position = board(self.KINGS, quiet=MOST_QUIET - 1)
        assert position.outcome() is None
        after = played(position, "e1-d2")
        assert (after.quiet, after.outcome()) == (MOST_QUIET, Outcome(None, "quiet"))
        assert (after.count(), list(after.moves()), objection(after, "h8-g7")) == (0, [], "finished")

    def test_a_man_that_steps_or_a_capture_starts_the_count_anew(self, board):
        position = board(self.KINGS, quiet=9)
        assert played(position, "a5-b6").quiet == 0
        assert played(position, "e1-c3").quiet == 10
        assert played(position, "e1-c3", "h8xb2").quiet == 0

    def test_who_cannot_move_has_lost_even_then(self, board):
        position = board(
            """
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   b   .   .
          .   .   .   .
        w   .   .   .
          .   .   .   .
        .   .   B   .
            """,
            "black",
            quiet=MOST_QUIET - 1,
        )
        assert played(position, "e1-c3").outcome() == Outcome(None, "quiet")
        blocked = board(
            """
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   B   .   .
          b   .   .   .
        w   .   .   .
          .   .   .   .
        .   .   .   .
            """,
            quiet=MOST_QUIET,
        )
        assert blocked.outcome() == Outcome(Side.SECOND, "blocked")

    def test_the_third_time_draws_by_the_hand_of_the_record(self, board):
        position = board(self.KINGS)
        again = played(position, "e1-d2", "h8-g7", "d2-e1", "g7-h8")
        assert GAME.repetition == 3
        assert again.key() == position.key() != played(position, "e1-d2").key()
        assert str(again) != str(position), "which counts the moves of kings"


@pytest.mark.prove
def test_random_games_keep_every_piece_and_end():
    rng = Random(1885)
    for _ in range(50):
        position = start(Rules())
        while not position.outcome():
            position = position.play(position.sample(rng))
            assert GAME.position(Rules(), str(position)) == position
            assert sorted("".join(position.columns).lower()) == ["b"] * 12 + ["w"] * 12
