"""An address that nobody can have is refused at once, and nothing is sent there."""

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Invitation
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, unwrapped

IMPOSSIBLE = (
    "tom@friends",
    "tom@friends..example",
    "tom@friends,example",
    ".tom@friends.example",
    "tom.@friends.example",
    "tom@.friends.example",
    "@",
)


def is_refused(who: Correspondent, address: str) -> bool:
    said = f"{address} is not an email address: write one like friend@example.org"
    return said in who.letter.subject and said in unwrapped(who.letter.text)


@pytest.mark.parametrize("address", IMPOSSIBLE)
@pytest.mark.parametrize(
    ("line", "dmarc"),
    [
        ("CHALLENGE {} loa", "pass"),
        ("CHALLENGE {} loa", ""),
        ("ADD ADDRESS {}", "pass"),
        ("SET ADDRESS {}", "pass"),
    ],
)
def test_of_a_player(alice: Correspondent, line: str, dmarc: str, address: str) -> None:
    assert alice.writes(line.format(address), dmarc=dmarc).verdict == Code.BAD_ADDRESS
    assert is_refused(alice, address)
    assert not Confirmation.objects.exists()
    assert set(alice.post.mailboxes.boxes) == {alice.email}


def test_of_a_player_in_a_sentence(alice: Correspondent) -> None:
    assert alice.writes("I'd like to play loa with tom@friends,example").verdict == Code.BAD_ADDRESS
    assert is_refused(alice, "tom@friends")
    assert set(alice.post.mailboxes.boxes) == {alice.email}


@pytest.mark.parametrize("address", IMPOSSIBLE)
def test_of_somebody_who_signs_up(stranger: Correspondent, address: str) -> None:
    stranger.writes(f"REGISTER Dora\nCHALLENGE {address} loa\n\nHello Tom!")
    told = unwrapped(stranger.letter.text)
    assert "asked to play here as Dora" in told
    if address != "@":
        assert f"{address} is not an email address" in told
    stranger.answers(stranger.letter, f"YES\nCHALLENGE {address} loa")
    assert is_refused(stranger, address)
    assert stranger.player
    assert not Invitation.objects.exists()
    assert set(stranger.post.mailboxes.boxes) == {stranger.email}


@pytest.mark.parametrize(
    "written", ["tom@friends.example", "TOM@Friends.Example.", "tommaso.è@münchen.example"]
)
def test_others_are_asked_as_ever(alice: Correspondent, written: str) -> None:
    assert alice.writes(f"ADD ADDRESS {written}").verdict == Code.CONFIRM_NEEDED
    assert Player.objects.people().count() == 1


def test_two_that_stand_together_are_asked_about(alice: Correspondent) -> None:
    assert alice.writes("CHALLENGE tom@friends.example, loa").verdict == Code.CONFIRM_NEEDED
    assert "CHALLENGE tom@friends.example loa" in alice.letter.text
