"""Names in small letters: those of players, where somebody is meant."""

import pytest

from pbem.inbox.models import Confirmation
from pbem.inbox.understanding.slots.names import small_names, with_capitals
from tests.mail_fixtures import Correspondent


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("ask bruno if he'd like a game of zertz", "ask Bruno if he'd like a game of zertz"),
        ("sfida bruno a loa", "sfida Bruno a loa"),
        ("a game with bruno, please", "a game with Bruno, please"),
        ("a game with brunhilde, please", "a game with brunhilde, please"),
        ("my address is with bruno@example.org", "my address is with bruno@example.org"),
        ("BRUNO and I", "BRUNO and I"),
        ("bruno", "bruno"),
    ],
)
def test_behind_a_word_for_somebody(said: str, written: str) -> None:
    assert list(with_capitals([said], {"bruno": "Bruno"})) == [written]
    assert ("bruno" in small_names([said])) == (said != written)


def test_so_that_they_are_challenged(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("would you ask bruno whether he fancies a bit of zertz with me")
    assert Confirmation.objects.get(used_at=None).lines == ["CHALLENGE Bruno zertz"]
