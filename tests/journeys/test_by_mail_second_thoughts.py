"""A guest who has declined and would like to play after all: the player who invited them may invite them anew."""

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post

GUEST = "guest@example.net"
SAID = [
    "On second thought, yes, I would like to play.",
    "I changed my mind, can we play after all?",
    "ci ho ripensato, accetto",
    "Ho cambiato idea! Giochiamo?",
    "Pensandoci bene mi piacerebbe",
]
NOT_SAID = ["I have not changed my mind.", "Non ho cambiato idea", "No thanks, still busy"]


@pytest.fixture
def guest(post: Post) -> Correspondent:
    return Correspondent(post, "Gianna", GUEST)


@pytest.fixture
def declined(bruno: Correspondent, guest: Correspondent) -> Delivery:
    """The invitation to which they said no."""
    bruno.writes(f"SFIDA {GUEST} emergo")
    [invited] = guest.reads()
    guest.answers(invited, "No, grazie")
    bruno.reads()
    return invited


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("anew", [False, True])
def test_who_invited_them_hears_it_and_invites_them_anew(
    bruno: Correspondent, guest: Correspondent, declined: Delivery, said: str, anew: bool
) -> None:
    row = guest.writes(said) if anew else guest.answers(declined, said)
    assert row.verdict == Code.INVITATION_OVER
    assert guest.kinds() == ["reconsidered"]
    [told] = bruno.reads()
    assert f"{GUEST} ci ha ripensato: vuole giocare" in told.subject
    assert f"| {said}" in told.text
    assert not Match.objects.exists()
    assert bruno.answers(told, f"SFIDA {GUEST} emergo").verdict == "ok"
    [again] = guest.reads()
    assert guest.answers(again, "SÌ").verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING


def test_a_bare_yes_says_it_too(bruno: Correspondent, guest: Correspondent, declined: Delivery) -> None:
    assert guest.answers(declined, "SÌ").verdict == Code.INVITATION_OVER
    assert bruno.kinds() == ["after_all"]


def test_they_are_told_once_and_later_words_are_told_lost(
    bruno: Correspondent, guest: Correspondent, declined: Delivery
) -> None:
    guest.answers(declined, SAID[0])
    bruno.reads()
    guest.answers(declined, "Ci ho ripensato, accetto. Allora?")
    assert bruno.reads() == []
    assert "Ci ho ripensato, accetto. Allora?" in guest.letter.text
    assert "Questa volta" in guest.letter.text


@pytest.mark.parametrize("said", SAID)
def test_nobody_says_so_in_their_name(
    bruno: Correspondent, guest: Correspondent, declined: Delivery, said: str
) -> None:
    guest.writes(said, dmarc="none")
    [asked] = guest.reads()
    assert bruno.reads() == []
    for line in (["told_before"], []):
        guest.writes(said, dmarc="none")
        assert guest.kinds() == line
    guest.writes(said, dmarc="fail")
    assert bruno.reads() == []
    guest.answers(asked, "SÌ")
    assert bruno.kinds() == ["after_all"]


@pytest.mark.parametrize("said", NOT_SAID)
def test_less_says_nothing(bruno: Correspondent, guest: Correspondent, declined: Delivery, said: str) -> None:
    guest.writes(said)
    guest.answers(declined, said)
    assert bruno.reads() == []


def test_who_wants_another_match_begins_like_anybody(
    bruno: Correspondent, guest: Correspondent, declined: Delivery
) -> None:
    guest.writes("I changed my mind, I would like to play emergo against the robot")
    assert guest.kinds() == ["signup"]
    assert bruno.reads() == []


@pytest.mark.parametrize("said", ["REGISTER Dora\nYes, I'd like to play", "Yes, I'd like to play Emergo."])
def test_somebody_who_once_declined_may_sign_up(
    bruno: Correspondent, guest: Correspondent, declined: Delivery, said: str
) -> None:
    assert guest.writes(said).verdict in (Code.CONFIRM_NEEDED, Code.UNVERIFIED)
    assert guest.kinds()[0] in ("signup", "invitation")
    assert bruno.reads() == []


@pytest.mark.parametrize(
    "said", ["Certo, invitatelo di nuovo", "Yes please, invite him again", "sì, riproviamo", "YES", "Sì"]
)
def test_a_yes_of_who_invited_them_is_asked_about(
    bruno: Correspondent, guest: Correspondent, declined: Delivery, said: str
) -> None:
    guest.answers(declined, SAID[0])
    guest.reads()
    assert bruno.answers(bruno.letter, said).verdict == Code.CONFIRM_NEEDED
    assert f"    SFIDA {GUEST} emergo\r\n" in bruno.letter.text
    assert guest.reads() == []
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert guest.kinds() == ["invites"]
