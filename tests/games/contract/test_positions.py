"""The contract of positions: moves, objections, play, the end, and one line of text."""

from games.protocol import Objection
from tests.games.contract.conftest import TALK, refused


def test_moves_are_distinct_and_as_many_as_counted(subject):
    for position, moves in zip(subject.positions, subject.legal, strict=True):
        assert len(set(moves)) == len(moves) == position.count() > 0
        assert subject.game.forced_pass not in moves or moves == [subject.game.forced_pass]


def test_a_sampled_move_is_one_of_the_moves(subject):
    for sampled, legal in zip(subject.sampled, subject.legal, strict=True):
        assert {*sampled} <= {*legal}


def test_objection_is_none_exactly_for_the_moves(subject):
    forced = subject.game.forced_pass
    for position, legal, objections in zip(subject.positions, subject.legal, subject.objections, strict=True):
        moves, said = {*legal}, [*zip(subject.tries, objections, strict=True)]
        said += [(forced, position.objection(forced))] if forced is not None else []
        for move, objection in said:
            assert (objection is None) == (move in moves), f"{move} at {position}: {objection}"


def test_no_legal_move_meets_an_objection(subject):
    for position, legal in zip(subject.positions[::4], subject.legal[::4], strict=True):
        assert {*map(position.objection, legal)} == {None}


def test_play_never_changes_the_old_position(subject):
    for before, move, after in subject.turns:
        seen = str(before), before.key(), hash(before), set(before.moves())
        assert before.play(move) == after != before
        assert (str(before), before.key(), hash(before), set(before.moves())) == seen


def test_turns_alternate(subject):
    for before, _, after in subject.turns:
        assert after.to_move == before.to_move.other


def test_a_game_in_play_has_moves(subject):
    for position in subject.positions:
        assert position.outcome() is None
        assert next(position.moves()) is not None


def test_random_games_come_to_an_end(subject):
    assert subject.finals


def test_a_finished_game_stays_finished(subject):
    for position in subject.finals:
        assert list(position.moves()) == []
        assert position.count() == 0
        for move in subject.tries:
            assert isinstance(position.objection(move), Objection)


def test_positions_hash_and_round_trip_through_one_line_of_text(subject):
    for position in [*subject.positions, *subject.finals]:
        line = str(position)
        again = subject.game.position(subject.rules, line)
        assert again == position
        assert hash(again) == hash(position)
        assert (str(again), again.key()) == (line, position.key())
        assert line.splitlines() == [line] == [" ".join(line.split())]


def test_a_bad_position_is_refused(subject):
    assert [talk for talk in TALK if not refused(subject.game.position, subject.rules, talk)] == []


def test_switches_set_what_they_tell(subject):
    default = next(iter(subject.game.presets))
    assert default == ""
    for switch in subject.game.switches.values():
        assert switch.value(subject.game.presets[default]) == switch.values[0]
        for value in switch.values:
            assert switch.value(switch.apply(subject.rules, value)) == value
