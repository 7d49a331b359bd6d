"""A game that is named nearly, or that nobody here knows, in what somebody proposes."""

import pytest

from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, registered, unwrapped

FRIEND = "anna@example.net"


@pytest.fixture
def owen(post: Post) -> Correspondent:
    return Correspondent(post, "Owen", "owen.price@example.org")


@pytest.fixture
def carla(post: Post) -> Correspondent:
    registered(post, "Anna", "it")
    return registered(post, "Carla", "en")


NEAR = {
    f"I want to play trapdor ches with {FRIEND}": "We read the game that you named as Trapdoor Chess.",
    f"vorrei giocare a scachi trabochetto con {FRIEND}": "letto come Scacchi Trabocchetto.",
}


@pytest.mark.parametrize("said", NEAR)
def test_a_stranger_is_asked_about_the_game_that_is_nearest(owen: Correspondent, said: str) -> None:
    owen.writes(said)
    [question] = owen.reads()
    assert f" {FRIEND} trapdoor\r\n" in question.text
    assert NEAR[said] in unwrapped(question.text)


@pytest.mark.parametrize(
    "said",
    [
        "vorrei giocare a scachi trabochetto con Anna",
        "I'd like to play trapdor ches with Anna",
        "sfida Anna a trabochetto",
    ],
)
def test_so_is_a_player(carla: Correspondent, said: str) -> None:
    assert carla.writes(said).verdict == Code.CONFIRM_NEEDED
    assert "    CHALLENGE Anna trapdoor\r\n" in carla.letter.text


UNKNOWN = {
    "I'd like to play monopoly with {}": "We know no game called monopoly.",
    "vorrei giocare a briscola con {}": "Non conosciamo nessun gioco che si chiami briscola.",
    "vorrei giocare con {} a scopa": "Non conosciamo nessun gioco che si chiami scopa.",
    "I want to play chess with {}": "Chess is not played here.",
}


@pytest.mark.parametrize("said", UNKNOWN)
def test_a_stranger_hears_that_nobody_knows_it(owen: Correspondent, said: str) -> None:
    owen.writes(said.format(FRIEND))
    [told] = owen.reads()
    assert UNKNOWN[said] in unwrapped(told.text)
    assert "trapdoor" in told.text
    owen.answers(told, "YES")
    assert "loa" not in [
        invitation.game_name for player in Player.objects.people() for invitation in player.invitations.all()
    ]


@pytest.mark.parametrize("said", UNKNOWN)
def test_so_does_a_player(post: Post, said: str) -> None:
    registered(post, "Anna", "it")
    carla = registered(post, "Carla", "it" if "Non" in UNKNOWN[said] else "en")
    assert carla.writes(said.format("Anna")).verdict == "ok"
    assert UNKNOWN[said] in unwrapped(carla.letter.text)


def test_no_game_at_all_is_an_example(owen: Correspondent) -> None:
    owen.writes(f"I'd like to play with {FRIEND}")
    assert f"CHALLENGE {FRIEND} loa\r\n" in owen.letter.text


@pytest.mark.parametrize(
    "said",
    [
        "I want to play with Anna again",
        "I would like to play a tournament with Anna",
        "vorrei giocare a casa con Anna",
    ],
)
def test_talk_of_playing_names_none(carla: Correspondent, said: str) -> None:
    carla.writes(said)
    assert carla.letter.kind != "about"


@pytest.mark.parametrize("said", ["I joined a club in 2024", "in 2024 I joined a club", "Pau", "Ciao Pau"])
def test_a_year_and_a_name_are_no_commands(carla: Correspondent, said: str) -> None:
    carla.writes(said)
    assert "JOIN" not in carla.letter.text
    assert "PAUSE" not in carla.letter.text
