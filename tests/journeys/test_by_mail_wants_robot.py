"""Who asks for a robot in words of their own gets one, as strong as they say."""

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent, Post

ASKED = {
    ("alice", "Robot then. Emergo please. Not too strong, I'm just learning."): "Robot-1",
    ("alice", "As Bruno has no time, I'd like to play Emergo against the medium robot."): "Robot-2",
    ("bruno", "Allora il robot. Emergo per favore. Non troppo forte, sto imparando."): "Robot-1",
    ("bruno", "Visto che Alice non ha tempo, vorrei giocare a Emergo contro il robot medio."): "Robot-2",
    ("bruno", "Pazienza! Allora gioco a emergo contro un robot."): "Robot-1",
}


@pytest.mark.parametrize(("who", "said"), ASKED)
def test_a_robot_is_meant_and_nobody_beside_it(
    request: pytest.FixtureRequest, alice: Correspondent, bruno: Correspondent, who: str, said: str
) -> None:
    writer: Correspondent = request.getfixturevalue(who)
    writer.writes(said)
    if not Match.objects.exists():
        assert f"{ASKED[who, said]} " in Confirmation.objects.get().lines[0]
        writer.answers(writer.letter, "YES")
    match = Match.objects.get()
    assert match.game_name == "emergo"
    assert set(match.players) == {writer.name, ASKED[who, said]}


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("bruno", "vorrei giocare a Emergo contro Robot-2"),
    ],
)
def test_a_clear_request_needs_no_yes_where_its_command_needs_none(
    request: pytest.FixtureRequest, who: str, said: str
) -> None:
    writer: Correspondent = request.getfixturevalue(who)
    with writer.post.undone():
        writer.writes(said, dmarc="none")
        assert Match.objects.count() == 0
    assert writer.writes(said).verdict == "ok"
    assert set(Match.objects.get().players) == {writer.name, "Robot-2"}


@pytest.mark.parametrize(
    "said", ["I want to play Emergo against Robot-2, don't I?", "I'd like to play emergo with Bruno"]
)
def test_what_is_less_clear_is_asked_about(alice: Correspondent, bruno: Correspondent, said: str) -> None:
    alice.writes(said)
    assert Match.objects.count() == 0


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("alice", "Can I have another one, lines of action this time?"),
        ("bruno", "Posso averne un'altra, stavolta a lines of action?"),
    ],
)
def test_another_game_after_one_with_a_robot(request: pytest.FixtureRequest, who: str, said: str) -> None:
    writer: Correspondent = request.getfixturevalue(who)
    writer.writes("CHALLENGE Robot-1 emergo first")
    writer.writes(f"RESIGN {Match.objects.get().pk}")
    writer.answers(writer.letter, "YES RESIGN")
    writer.answers(writer.letter, said)
    asked = Confirmation.objects.latest("pk")
    assert asked.lines[0].endswith("Robot-1 loa")
    assert writer.answers(writer.letter, "YES").verdict == "ok"
    assert Match.objects.latest("pk").game_name == "loa"


@pytest.mark.parametrize(
    ("who", "said", "robot"),
    [
        ("alice", "What a pity. I'll play a robot then", "Robot-1"),
        ("alice", "OK, a strong robot instead please", "Robot-3"),
        ("bruno", "Peccato! Allora gioco con un robot", "Robot-1"),
    ],
)
def test_a_robot_in_place_of_whoever_declined_an_invitation(
    request: pytest.FixtureRequest, post: Post, who: str, said: str, robot: str
) -> None:
    writer: Correspondent = request.getfixturevalue(who)
    friend = Correspondent(post, "Sergio", "sergio@example.net")
    writer.writes("CHALLENGE sergio@example.net emergo")
    friend.answers(friend.letter, "NO")
    writer.answers(writer.letter, said)
    assert writer.answers(writer.letter, "YES").verdict == "ok"
    match = Match.objects.get()
    assert (match.game_name, set(match.players)) == ("emergo", {writer.name, robot})


def test_a_robot_in_place_of_a_player_who_declined(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno gemma")
    bruno.answers(bruno.letter, "NO")
    alice.answers(alice.letter, "No harm done. I'd like to play a robot then")
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    match = Match.objects.latest("pk")
    assert (match.game_name, set(match.players)) == ("gemma", {"Alice", "Robot-1"})


@pytest.mark.parametrize("said", ["PLAYERS gemma", "OFFER gemma"])
def test_a_robot_in_place_of_whoever_is_not_found(alice: Correspondent, said: str) -> None:
    alice.writes(said)
    alice.answers(alice.letter, "then a robot")
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert Match.objects.get().game_name == "gemma"


@pytest.mark.parametrize("said", ["No robot for me, thanks", "Never mind!"])
def test_no_robot_is_none(alice: Correspondent, bruno: Correspondent, said: str) -> None:
    alice.writes("CHALLENGE Bruno gemma")
    bruno.answers(bruno.letter, "NO")
    alice.answers(alice.letter, said)
    assert not Confirmation.objects.filter(used_at=None, agreed=False, lines__icontains="Robot").exists()
    assert Match.objects.count() == 1


@pytest.mark.parametrize("said", ["CHALLENGE computer emergo", "emergo vs robot", "emergo contro computer?"])
def test_a_word_for_a_robot_is_the_first_of_ours(alice: Correspondent, said: str) -> None:
    alice.writes(said)
    if not Match.objects.exists():
        alice.answers(alice.letter, "YES")
    assert set(Match.objects.get().players) == {"Alice", "Robot-1"}
