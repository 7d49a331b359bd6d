"""What comes back: one letter for all commands, boards now and then, rules, lists."""

import re
from collections.abc import Callable

import pytest

from games.registry import find
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent
from tests.players_fixtures import moves

Begin = Callable[..., Match]


def sections(who: Correspondent) -> list[str]:
    """What their newest letter is made of."""
    return [section["kind"] for section in who.player.letters.latest("pk").sections]


def test_two_matches_in_one_letter(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    """One answer for the sender; the opponent gets a letter for each match, so that they can answer each."""
    first, second = begin(), begin("loa")
    assert alice.writes(f"{first.pk} Wd4, a1\n{second.pk} b1-b3").verdict == "ok"
    [answer] = alice.reads()
    assert "Wd4,a1" in answer.text
    assert "b1-b3" in answer.text
    to_bruno = bruno.reads()
    assert [letter.subject for letter in to_bruno] == [str(first), str(second)]
    assert bruno.answers(to_bruno[0], "Be5, a2").verdict == "ok"
    assert bruno.answers(to_bruno[1], "a2-c2").verdict == "ok"


def test_several_commands_are_answered_in_one_letter_in_order(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    row = alice.answers(alice.letter, "GAMES\nWd4, a1\nSHOW\nDRAW")
    assert row.verdict == "ok"
    [answer] = alice.reads()
    assert answer.kind == "games"
    assert sections(alice) == ["games", "played", "board", "offered"]
    assert bruno.kinds() == ["turn"]


def test_a_question_with_a_move_is_answered_in_the_thread_of_the_match(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.answers(bruno.letter, "AIUTO\nMOSTRA")
    assert bruno.letter.subject == str(zertz)
    alice.answers(alice.letter, "HELP\nWd4, a1\nthanks")
    assert alice.letter.subject == str(zertz)
    assert bruno.answers(bruno.letters[-2], "Be5, a2").verdict == Code.STALE_TURN


def test_the_examples_of_a_letter_about_two_matches_name_the_match(
    begin: Begin, alice: Correspondent
) -> None:
    first, second = begin(), begin("loa")
    assert alice.writes(f"SHOW {first.pk}\nSHOW {second.pk}").verdict == "ok"
    both = alice.letter
    assert both.reply_to.startswith("l+")
    examples = re.findall(rf"^    ((?:{first.pk}|{second.pk}) \S.*)$", both.text, re.MULTILINE)
    assert {line.split()[0] for line in examples} == {str(first.pk), str(second.pk)}
    for line in (examples[0], examples[-1]):
        assert alice.answers(both, line).verdict == "ok"


def test_one_slip_does_not_spoil_the_rest(zertz: Match, alice: Correspondent) -> None:
    row = alice.answers(alice.letter, "YES\nWd4, a1")
    assert row.verdict == Code.OFFER_GONE
    assert moves(zertz) == ["Wd4,a1"]
    assert sections(alice) == ["refused", "played"]


def test_a_board_shown_and_a_slip_on_the_same_board(zertz: Match, alice: Correspondent) -> None:
    """The letter shows the board once, and still tells of both."""
    assert alice.answers(alice.letter, "SHOW\nWd4, d3").verdict == Code.ILLEGAL_MOVE
    assert sections(alice) == ["board", "refused"]
    assert alice.letter.html.count("cid:") == 1


def test_show_now_then_and_too_far(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "Wd4, a1")
    bruno.answers(bruno.letter, "Ng7, a2")
    alice.reads()
    alice.answers(alice.letter, "SHOW AT 1.")
    alice.answers(alice.letter, "show")
    before, now = alice.reads()
    assert "[B]" in now.text
    assert "[B]" not in before.text
    assert "The board after 1. Wd4,a1." in before.text
    assert alice.answers(now, "SHOW AT 9").verdict == Code.NO_SUCH_TURN
    assert (
        alice.answers(before, "Gb4, g4").verdict == "ok"
    )  # it shows the past, but answers go to the present


@pytest.mark.parametrize(
    ("body", "kind"), [("GAMES", "games"), ("HELP", "help"), ("HELP zertz", "help"), ("help loa", "help")]
)
def test_questions_are_answered(alice: Correspondent, body: str, kind: str) -> None:
    assert alice.writes(body).verdict == "ok"
    assert alice.kinds() == [kind]


def test_the_rules_come_in_the_language_of_the_reader(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("HELP zertz")
    bruno.writes("AIUTO zertz")
    for who, language in ((alice, "en"), (bruno, "it")):
        words = re.findall(r"\w+", find("zertz")[0].rules_page(language))
        longest = max(words, key=len)
        assert longest in who.letter.text


def test_help_for_a_game_that_is_not_here(alice: Correspondent) -> None:
    assert alice.writes("HELP chess").verdict in (Code.NO_SUCH_GAME, Code.NO_MOVE_FOUND)
