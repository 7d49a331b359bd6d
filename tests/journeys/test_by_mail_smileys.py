"""A yes with a smiley beside it counts, and the greeting below it arrives."""

import pytest

from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent, Post, registered

SAID = ["Yes!!! :-D", "yes :)\ngood luck {name}!", "Sì! 😀\nbuona partita {name} xD"]
NO_YES = ["yes!! but wait :)", "sì :) ma non ora", "hi {name} :)", "ciao {name}!! :)"]


@pytest.fixture
def anna(post: Post) -> Correspondent:
    return registered(post, "Anna", "it")


@pytest.mark.parametrize("case", [str.lower, str.title])
@pytest.mark.parametrize("said", SAID)
def test_it_accepts_a_challenge(alice: Correspondent, anna: Correspondent, said: str, case: type) -> None:
    anna.writes("SFIDA Alice emergo SECONDO")
    answer = said.format(name=case("anna"))
    assert alice.answers(alice.letter, answer).verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING
    assert f"| {answer.splitlines()[-1]}" in anna.letter.text or "anna" not in answer.lower()


@pytest.mark.parametrize("said", SAID)
def test_it_accepts_an_invitation(post: Post, anna: Correspondent, said: str) -> None:
    guest = Correspondent(post, "Gianna", "guest@example.net")
    anna.writes(f"SFIDA {guest.email} emergo")
    answer = said.format(name="anna")
    assert guest.answers(guest.letter, answer).verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING
    assert f"| {answer.splitlines()[-1]}" in anna.letter.text or "anna" not in answer


@pytest.mark.parametrize("said", NO_YES)
def test_less_begins_nothing(post: Post, alice: Correspondent, anna: Correspondent, said: str) -> None:
    guest = Correspondent(post, "Gianna", "guest@example.net")
    anna.writes("SFIDA Alice emergo SECONDO")
    anna.writes(f"SFIDA {guest.email} emergo")
    for reader in (alice, guest):
        reader.answers(reader.letter, said.format(name="anna"))
    assert not Match.objects.filter(status=Match.Status.PLAYING).exists()
