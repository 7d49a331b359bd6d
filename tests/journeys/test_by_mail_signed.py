"""What stands beside a move or command arrives once and in order; a signature reaches nobody, and is no command."""

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, registered

Begin = Callable[..., Match]


def heard(bruno: Correspondent) -> list[str]:
    lines = [line for letter in bruno.reads() for line in letter.text.splitlines()]
    return [line.removeprefix("  | ") for line in lines if line.startswith("  | ")]


@pytest.mark.parametrize(
    "signature",
    ["Alice", "-- Alice", "alice", "Ciao,\nAlice", "Ciao, Alice", "Best regards\nAlice", "Ali", "Hi Bruno,"],
)
def test_a_signature_below_a_move_reaches_nobody(
    begin: Begin, alice: Correspondent, bruno: Correspondent, signature: str
) -> None:
    match = begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, f"b1-b3\n\n{signature}").verdict == "ok"
    assert [turn.move for turn in match.live_turns()] == ["b1-b3"]
    assert heard(bruno) == []


@pytest.mark.parametrize("signature", ["Alice", "Ciao,\nAlice", "-- Alice"])
def test_a_signature_alone_is_no_message(
    begin: Begin, alice: Correspondent, bruno: Correspondent, signature: str
) -> None:
    begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, signature).verdict == Code.NO_MOVE_FOUND
    assert bruno.reads() == []


@pytest.mark.parametrize("name", ["Joan", "Nora", "Paul"])
def test_a_name_that_is_nearly_a_verb_is_no_command(
    post: Post, begin: Begin, alice: Correspondent, bruno: Correspondent, name: str
) -> None:
    begin("loa")
    bruno.reads()
    sender = {"From": f"{name} Smith <alice@example.org>"}
    assert alice.answers(alice.letter, f"Nice weather we have here\n\n{name}", headers=sender).verdict == "ok"
    assert "Nice weather we have here" in heard(bruno)


def test_an_exclamation_is_no_signature(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, "b1-b3\nCheck").verdict == "ok"
    assert heard(bruno) == ["Check"]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("b1-b3 and good luck Ben!", ["and good luck Ben!"]),
        ("b1-b3, hope you are well", ["hope you are well"]),
        ("b1-b3 e buona fortuna", ["buona fortuna"]),
        (
            "Hello!\nb1-b3, lovely weather here by the way\nSee you on Sunday",
            ["Hello!", "lovely weather here by the way", "See you on Sunday"],
        ),
    ],
)
def test_what_is_said_in_the_sentence_of_a_move_arrives_once_in_its_order(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, words: list[str]
) -> None:
    match = begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, "YES\n" + "\n".join(words)).verdict == "ok"
    assert [turn.move for turn in match.live_turns()] == ["b1-b3"]
    assert heard(bruno) == words


@pytest.mark.parametrize(
    ("said", "words"),
    [("resign, good game Ben", "good game Ben"), ("I give up, this is hopeless", "this is hopeless")],
)
def test_what_is_said_in_the_sentence_of_a_command_arrives(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, words: str
) -> None:
    begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    assert words in alice.letter.text
    assert alice.answers(alice.letter, "YES RESIGN").verdict == "ok"
    assert heard(bruno) == [words]


@pytest.mark.parametrize(
    "said", ["resign this and challenge Carla to emergo", "abbandono questa e sfido Carla a emergo"]
)
def test_both_halves_of_a_request_are_asked_about_and_done(
    post: Post, begin: Begin, alice: Correspondent, said: str
) -> None:
    match = begin("loa")
    carla = registered(post, "Carla", "en")
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, "YES RESIGN").verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    assert Match.objects.of(carla.player).count() == 1


def test_a_move_and_a_draw_in_one_line_are_both_done(begin: Begin, alice: Correspondent) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, "b1-b3 and offer a draw").verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    match.refresh_from_db()
    assert (match.ply, match.draw_offered_by) == (1, 0)


CLOSINGS = [
    "Kind regards, Tom",
    "Kind regards,\nAlice\nAlice Smith",
    "Best wishes\n\nTom\nTom",
    "Yours sincerely",
    "Thanks,\nAlice",
    "Many thanks and best wishes,\nAlice\n\nAlice",
    "Cordiali saluti",
    "Distinti saluti,\nTommaso Bianchi",
    "Un caro saluto\nTommaso\n\nTommaso",
    "Un abbraccio, Tommaso",
    "Grazie,\nAlice",
    "A presto,\nAlice\nAlice",
]


@pytest.mark.parametrize("closing", CLOSINGS)
def test_a_closing_is_no_chat_and_is_not_reported(
    begin: Begin, alice: Correspondent, bruno: Correspondent, closing: str
) -> None:
    begin("loa")
    turn = alice.letter
    bruno.reads()
    assert alice.answers(turn, f"b1-a1\n\n{closing}").verdict == Code.ILLEGAL_MOVE
    assert "»" not in alice.letter.text
    assert alice.answers(turn, f"b1-b3\n\nYour move, Bruno!\n\n{closing}").verdict == "ok"
    assert heard(bruno) == ["Your move, Bruno!"]


def test_closings_beside_a_question_and_its_yes_are_not_said(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin("loa")
    bruno.reads()
    asked = alice.answers(alice.letter, "b1-b3, hope you are well\n\nKind regards, Tom")
    assert asked.verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, "YES\n\nKind regards, Tom").verdict == "ok"
    assert heard(bruno) == ["hope you are well"]


@pytest.mark.parametrize("command", ["DRAW", "Draw", "Patta"])
def test_a_command_below_a_closing_is_no_name(begin: Begin, alice: Correspondent, command: str) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, f"b1-b3\nCordiali saluti\n{command}").verdict == "ok"
    match.refresh_from_db()
    assert match.draw_offered_by == 0


@pytest.mark.parametrize(
    "words", ["Regards to your sister", "Saluti a tua moglie", "Cheers!", "Best wishes for Sunday"]
)
def test_what_says_more_than_a_closing_is_said(
    begin: Begin, alice: Correspondent, bruno: Correspondent, words: str
) -> None:
    begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, f"b1-b3\n{words}").verdict == "ok"
    assert heard(bruno) == [words]
