"""The contract of notation: what is written can be read, and what is read is legal."""

import pytest

from games.protocol import Notation, UnreadableMove
from tests.games.contract.conftest import TALK, refused


def test_moves_round_trip_through_their_canonical_form(subject):
    for move in subject.tries:
        assert subject.game.move(str(move)) == move
        assert len(str(move).split()) == 1


def test_moves_round_trip_through_every_notation(subject, notation):
    for (position, played, _), sampled in zip(subject.turns, subject.sampled, strict=True):
        for move in {played, *sampled}:
            written = subject.game.write(position, move, notation)
            assert subject.game.read(position, written, notation) == move
            assert written == " ".join(written.split()), "a score sheet parts moves by two blanks"


def test_the_canonical_form_can_be_read(subject):
    for position, move, _ in subject.turns:
        assert subject.game.read(position, str(move), Notation()) == move


def test_what_is_read_is_legal_and_what_is_not_is_quoted(subject):
    texts = [str(move) for move in subject.tries]
    for position, legal in zip(subject.positions, subject.legal, strict=True):
        possible = {*legal, None}
        assert [text for text in texts if _reading(subject, position, text) not in possible] == []


def test_talk_is_read_as_nothing_but_a_legal_move(subject):
    for position, legal in zip(subject.positions, subject.legal, strict=True):
        for talk in TALK:
            move = _reading(subject, position, talk)
            assert move is None or move in legal, talk


def test_talk_is_no_canonical_move(subject):
    assert [talk for talk in TALK if not refused(subject.game.move, talk)] == []


def test_conversation_is_unreadable(subject, notation):
    with pytest.raises(UnreadableMove):
        subject.game.read(subject.positions[0], "good morning, Alice", notation)


def _reading(subject, position, text):
    """The move, or None where the error quotes the text."""
    try:
        return subject.game.read(position, text, Notation())
    except ValueError as error:
        if repr(text) not in str(error):
            raise
        return None
