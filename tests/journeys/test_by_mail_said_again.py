"""Words that our letters ask for again, or quote: typed once more, they reach the opponent; quoted, nobody."""

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent
from tests.programs import WAYS, Way

Begin = Callable[..., Match]
TALK = (
    "That ring was the one I wanted, and I shall now have to look for another way to the corner, Bruno.\n"
    "By the way: shall we meet on Sunday? My sister brings her board."
)
WORDS = TALK.split()


def called(way: Way) -> str:
    program, style, html = way
    return f"{program.name} {style} {'html' if html else 'plain'}"


def heard(bruno: Correspondent) -> str:
    """What of the talk the opponent was told, in one line."""
    lines = [line for letter in bruno.reads() for line in letter.text.splitlines()]
    return " ".join(" ".join(line.removeprefix("  |") for line in lines if line.startswith("  |")).split())


def refused(alice: Correspondent) -> None:
    """An illegal move, with talk."""
    assert alice.answers(alice.letter, f"Wd4, d3\n\n{TALK}").verdict == Code.ILLEGAL_MOVE
    assert "» That ring was the one" in alice.letter.text


@pytest.mark.parametrize("quote", [True, False])
def test_the_same_talk_with_the_next_move(
    zertz: Match, alice: Correspondent, bruno: Correspondent, quote: bool
) -> None:
    refused(alice)
    letter = alice.letter
    if quote:
        alice.answers(letter, f"Wd4, a1\n\n{TALK}")
    else:
        alice.writes(
            f"Wd4, a1\n\n{TALK}",
            to=letter.reply_to,
            headers={"In-Reply-To": str(letter.message["Message-ID"])},
        )
    assert heard(bruno) == " ".join(WORDS)


@pytest.mark.parametrize("mark", ["  » ", "» ", "  | ", "| ", "  ", ""])
def test_the_lines_of_our_letter_copied_as_they_stand(
    zertz: Match, alice: Correspondent, bruno: Correspondent, mark: str
) -> None:
    refused(alice)
    copied = [line[4:] for line in alice.letter.text.splitlines() if line.startswith("  » ")]
    assert len(copied) > 2
    alice.answers(alice.letter, "\n".join(["Wd4, a1", *(f"{mark}{line}" for line in copied)]))
    assert heard(bruno) == " ".join(WORDS)


@pytest.mark.parametrize("above", [True, False])
def test_typed_between_the_lines_that_ask_for_it(
    zertz: Match, alice: Correspondent, bruno: Correspondent, above: bool
) -> None:
    refused(alice)
    quoted = [f"> {line}".rstrip() for line in alice.letter.text.splitlines()]
    at = next(number for number, line in enumerate(quoted) if "»" in line) - 1
    typed = ["", *TALK.split("\n"), ""] if above else [TALK.split("\n")[0]]
    alice.writes("\n".join(["Wd4, a1", "", *quoted[:at], *typed, *quoted[at:]]), to=alice.letter.reply_to)
    assert heard(bruno) == (" ".join(WORDS) if above else TALK.split("\n")[0])


def test_two_lines_of_the_opponent_repeated(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "Wd4, a1\n\nWho laughs last\nlaughs best, they say.")
    assert "  | laughs best, they say." in bruno.letter.text
    bruno.answers(bruno.letter, "We5, a2\n\nWho laughs last\nlaughs best, they say.\nAha!")
    assert heard(alice).endswith("Who laughs last laughs best, they say. Aha!")


@pytest.mark.prove
def test_no_program_sends_the_words_of_the_opponent_back(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, f"Wd4, a1\n\n{TALK}")
    alice.reads()
    for way in WAYS:
        with bruno.post.undone():
            assert bruno.answers_with(way, bruno.letter, "We5, a2\n\nAha!").verdict == "ok", called(way)
            assert heard(alice) == "Aha!", called(way)


@pytest.mark.prove
def test_whatever_program_it_is_sent_again_with(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    refused(alice)
    bruno.reads()
    for way in WAYS:
        with alice.post.undone():
            assert alice.answers_with(way, alice.letter, f"Wd4, a1\n\n{TALK}").verdict == "ok", called(way)
            assert heard(bruno) == " ".join(WORDS), called(way)


LONG = "My new phone number is 335 1234567, do call me before the weekend if you can"


@pytest.mark.parametrize("way", WAYS, ids=called)
def test_words_that_a_refusal_quotes_are_ours_no_longer_when_written_anew(
    begin: Begin, alice: Correspondent, bruno: Correspondent, way: Way
) -> None:
    begin("loa")
    assert alice.answers(alice.letter, LONG).verdict == Code.NO_MOVE_FOUND
    assert "We read: My new phone number is" in alice.letter.text
    bruno.reads()
    assert alice.answers_with(way, alice.letter, f"b1-b3\n\n{LONG}").verdict == "ok"
    assert heard(bruno) == LONG


def test_the_same_words_alone_are_no_quotation(begin: Begin, alice: Correspondent) -> None:
    begin("loa")
    for _ in range(2):
        assert alice.answers(alice.letter, LONG).verdict == Code.NO_MOVE_FOUND


def test_words_that_a_question_shows_may_be_written_anew(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin("loa")
    assert (
        alice.answers(alice.letter, "b1-b3 and let us meet on Sunday at the club").verdict
        == Code.CONFIRM_NEEDED
    )
    bruno.reads()
    assert alice.answers(alice.letter, "b1-b3\nand let us meet on Sunday at the club").verdict == "ok"
    assert heard(bruno) == "and let us meet on Sunday at the club"
