"""Who wants a person to play with is proposed an offer to all, and no robot."""

import pytest

from pbem.inbox.models import Confirmation
from tests.mail_fixtures import Correspondent, Post

SAID = [
    "cerco un avversario umano (non un computer) per Emergo",
    "Non voglio un computer! Cerco una persona per giocare a Emergo",
    "vorrei offrire una partita di Emergo a chi ha voglia di giocare",
    "I'm looking for a human opponent (not a computer) for Emergo",
    "I don't want a computer! I'm looking for a person to play Emergo with",
    "I'd like to offer a game of Emergo to anybody who feels like playing",
]


@pytest.mark.parametrize("said", SAID)
def test_a_stranger(post: Post, said: str) -> None:
    gianna = Correspondent(post, "Gianna", "gianna@example.net")
    gianna.writes(said)
    assert Confirmation.objects.get().lines[-1].split()[0] in ("OFFRO", "OFFER")


@pytest.mark.parametrize("said", SAID)
def test_a_player(bruno: Correspondent, said: str) -> None:
    bruno.writes(said)
    assert Confirmation.objects.get().lines[-1].split()[0] in ("OFFRO", "OFFER")


@pytest.mark.parametrize(
    "said",
    [
        "Come si fa per cominciare?",
        "Buongiorno, come si fa per cominciare? Grazie",
        "Come faccio a iniziare?",
        "Hello, how does one get started? Thank you",
    ],
)
def test_who_asks_how_to_begin_is_answered(post: Post, said: str) -> None:
    gianna = Correspondent(post, "Gianna", "gianna@example.net")
    gianna.writes(said)
    assert gianna.kinds() == ["invitation"]
