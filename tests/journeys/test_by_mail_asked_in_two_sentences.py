"""A question about the rules with a sentence beside it, in a match's letter; and thanks, which want no answer."""

import pytest

from tests.mail_fixtures import Correspondent, Post, registered

ASKED = [
    "I don't get it. Can a man capture backwards?",
    "Nice move! Do I have to capture?",
    "Sorry, I'm confused. How does a man move?",
    "Scusa, non ho capito. Le pedine mangiano all'indietro?",
    "Bella mossa. Si può catturare all'indietro?",
    "Non capisco. Come si muove la pedina?",
]
TALK = [
    "Are you there? How is your mother?",
    "We had lunch. Can you come on Friday?",
    "Come stai? Ti va una pizza domani?",
]
THANKS = ["Thanks", "thank you so much!", "grazie", "Grazie mille!", "ok, grazie di tutto"]


@pytest.fixture
def carla(post: Post, bruno: Correspondent) -> Correspondent:
    """Who plays Emergo with Bruno."""
    carla = registered(post, "Carla", "en")
    carla.writes("CHALLENGE Bruno emergo first")
    bruno.answers(bruno.letter, "YES")
    carla.reads()
    bruno.reads()
    return carla


@pytest.mark.parametrize("body", ASKED)
def test_the_rules_come_and_the_words_travel(carla: Correspondent, bruno: Correspondent, body: str) -> None:
    assert carla.answers(carla.letter, body).verdict == "ok"
    [answer] = carla.reads()
    assert "EMERGO" in answer.text
    assert "Your message is on its way to Bruno" in answer.text
    [told] = bruno.reads()
    assert f"  | {body}" in told.text


@pytest.mark.parametrize("body", TALK)
def test_talk_brings_no_rules(carla: Correspondent, bruno: Correspondent, body: str) -> None:
    carla.answers(carla.letter, body)
    assert "EMERGO" not in carla.letter.text
    assert f"  | {body}" in bruno.letter.text


@pytest.mark.parametrize("body", [*ASKED, *(body.replace(". ", ".\n") for body in ASKED)])
def test_against_a_robot_the_rules_come(post: Post, body: str) -> None:
    dora = registered(post, "Dora", "en")
    dora.writes("CHALLENGE Robot-1 emergo first")
    dora.reads()
    assert dora.answers(dora.letter, body).verdict == "ok"
    [answer] = dora.reads()
    assert "EMERGO" in answer.text


@pytest.mark.parametrize("body", THANKS)
def test_thanks_to_a_robot_or_to_us_are_taken_in_silence(post: Post, body: str) -> None:
    dora = registered(post, "Dora", "en")
    assert dora.writes(body).verdict == "ok"
    dora.writes("HELP")
    dora.reads()
    assert dora.answers(dora.letter, body).verdict == "ok"
    assert dora.reads() == []
    dora.writes("CHALLENGE Robot-1 emergo first")
    dora.reads()
    assert dora.answers(dora.letter, body).verdict == "ok"
    assert dora.answers(dora.letter, f"{body} Robot-1").verdict == "ok"
    assert dora.reads() == []


def test_thanks_to_a_person_arrive(carla: Correspondent, bruno: Correspondent) -> None:
    carla.answers(carla.letter, "Thank you!")
    assert "  | Thank you!" in bruno.letter.text


@pytest.mark.parametrize("body", ["hello", "thanks, help please", "thanks, but where is my board"])
def test_what_is_no_thanks_alone_is_answered(post: Post, body: str) -> None:
    dora = registered(post, "Dora", "en")
    dora.writes(body)
    assert len(dora.reads()) == 1


THANKS_FOR_HELP = [
    "thanks for the help",
    "Thanks for your kind help!",
    "thank you for helping me",
    "grazie dell'aiuto",
    "Grazie mille per l'aiuto!",
    "vi ringrazio per l'aiuto",
]


@pytest.mark.parametrize("body", THANKS_FOR_HELP)
def test_thanks_for_help_ask_for_none(carla: Correspondent, bruno: Correspondent, body: str) -> None:
    assert carla.writes(body).verdict == "ok"
    assert carla.reads() == []
    assert carla.answers(carla.letter, body).verdict == "ok"
    assert f"| {body}" in bruno.letter.text


@pytest.mark.parametrize("body", ["Help, thanks", "Aiuto, grazie"])
def test_help_with_thanks_is_asked_for(carla: Correspondent, body: str) -> None:
    carla.writes(body)
    assert carla.letter.kind == "help"
