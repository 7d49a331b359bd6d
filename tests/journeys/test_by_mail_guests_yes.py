"""Guests who accept, or do not, in words of their own."""

import pytest

from pbem.matches.models import Match
from pbem.players.models import Player
from tests.post import Correspondent, Post

GUEST = "guest@example.net"


@pytest.fixture
def guest(post: Post) -> Correspondent:
    return Correspondent(post, "Gianna", GUEST)


ACCEPTS = [
    "Accetto volentieri, ma comincia tu perché io non ho mai giocato.",
    "Che bella sorpresa, Bruno! Accetto volentieri, ma comincia tu perché io non ho mai giocato.",
    "si accetto! bruno comincia tu che io non so come si fa",
    "e ancora valida la sfida? se si accetto",
    "e ancora valida la sfida? se si accetto, pero non so giocare",
    "I gladly accept, but you start because I have never played.",
    "is the challenge still open? if so I accept",
]


@pytest.mark.parametrize("said", ACCEPTS)
def test_a_guest_accepts(bruno: Correspondent, guest: Correspondent, said: str) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo")
    assert guest.answers(guest.letter, said).verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING
    assert any("  | " in letter.text for letter in bruno.reads())


@pytest.mark.parametrize(
    "said",
    [
        "Sorry Bruno, no time at the moment",
        "Sorry Bruno, no time at the moment! Maybe after Christmas.",
        "Scusa Bruno, in questo momento non ho tempo",
    ],
)
def test_no_time_is_a_no_with_words(bruno: Correspondent, guest: Correspondent, said: str) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo")
    bruno.reads()
    assert guest.answers(guest.letter, said).verdict == "ok"
    [told] = bruno.reads()
    assert "  | " in told.text


@pytest.mark.parametrize(
    "said", ["is it still valid?", "se sì, chi comincia?", "I would accept, but no time", "non accetto"]
)
def test_nothing_begins_by_less(bruno: Correspondent, guest: Correspondent, said: str) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo")
    guest.answers(guest.letter, said)
    assert not Match.objects.filter(status=Match.Status.PLAYING).exists()
    assert Player.objects.people().count() == 1
