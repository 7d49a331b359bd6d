"""`Tell him dinner is at seven`: it travels with the invitation, or its writer hears that it did not."""

import pytest

from pbem.matches.models import Invitation
from tests.mail_fixtures import Correspondent, Post

GUEST = "guest@example.net"
SAID = {
    f"I'd like to invite {GUEST} to emergo. Tell him dinner is at seven.": "Tell him dinner is at seven.",
    f"Please invite {GUEST} to a game of emergo and tell Tom that dinner is late": "tell Tom that dinner is late",
    f"Could you invite {GUEST} to emergo? Please let her know I miss her!": "let her know I miss her!",
    f"Vorrei sfidare {GUEST} a emergo, e digli che la cena è alle otto": "digli che la cena è alle otto",
    f"Vorrei invitare {GUEST} a emergo. Ditele che la aspetto!": "Ditele che la aspetto!",
    f"CHALLENGE {GUEST} emergo\ntell him dinner is at seven": "tell him dinner is at seven",
}
LOST = {
    "How do I play with my friend Tom? Tell him dinner is at seven.": "Tell him dinner is at seven.",
    "I'd like to play emergo with the robot. Tell Tom dinner is at seven.": "Tell Tom dinner is at seven.",
    "Vorrei giocare a emergo con il robot, e digli che la cena è alle otto": "digli che la cena è alle otto",
}


@pytest.fixture
def guest(post: Post) -> Correspondent:
    return Correspondent(post, "Gianna", GUEST)


@pytest.fixture
def joan(post: Post) -> Correspondent:
    return Correspondent(post, "Joan", "joan@example.net")


@pytest.mark.parametrize("body", SAID)
def test_they_travel_with_the_invitation_of_a_newcomer(
    joan: Correspondent, guest: Correspondent, body: str
) -> None:
    joan.writes(body)
    assert SAID[body] in joan.letter.text, "they know what goes along"
    assert joan.answers(joan.letter, "YES").verdict == "ok"
    assert f"| {SAID[body]}" in guest.letter.text


@pytest.mark.parametrize("body", SAID)
def test_they_travel_with_that_of_a_player(alice: Correspondent, guest: Correspondent, body: str) -> None:
    alice.writes(body)
    if alice.letter.kind == "confirm":
        assert SAID[body] in alice.letter.text
        alice.answers(alice.letter, "YES")
    assert f"| {SAID[body]}" in guest.letter.text


@pytest.mark.parametrize("body", LOST)
def test_where_there_is_no_invitation_their_writer_hears_it(joan: Correspondent, body: str) -> None:
    joan.writes(body)
    [told] = joan.reads()
    said = " ".join(told.text.split())
    assert "reached nobody" in said or "non sono arrivate a nessuno" in said
    assert LOST[body] in said
    assert not Invitation.objects.exists()


def test_a_challenge_without_such_words_has_none(alice: Correspondent, guest: Correspondent) -> None:
    alice.writes(f"I'd like to invite {GUEST} to emergo.")
    alice.answers(alice.letter, "YES")
    assert "  | " not in guest.letter.text
