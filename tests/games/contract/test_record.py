"""The contract of records: a game replays from what is written."""

from games.export import from_json, from_text, to_json, to_text
from games.protocol import Side


def test_a_record_replays_to_the_same_end(subject):
    for record in subject.records:
        assert record.outcome() == record.result
        assert [position.to_move for position in record.replay()[:2]] == [Side.FIRST, Side.SECOND]


def test_a_record_round_trips_through_text_and_json(subject):
    for record in subject.records:
        assert from_json(to_json(record)) == record
        assert from_text(to_text(record)) == record


def test_a_score_sheet_round_trips_through_every_notation(subject, notation):
    for record in subject.records:
        assert from_text(to_text(record, notation)) == record
