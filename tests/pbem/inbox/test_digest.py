"""Answers by number: which line is about which match, and what is said to whom."""

from __future__ import annotations

import pytest

from pbem.inbox.digests import Shown, by_match

ZERTZ = Shown(number=1, match=105, ply=12, current=True)
LOA = Shown(number=2, match=107, ply=3, current=True)
GONE = Shown(number=3, match=111, ply=8, current=False)
ALL = (ZERTZ, LOA, GONE)


def is_move(text: str, match: int | None) -> bool:
    return text in {105: ["Nd2,a3", "Wa1,b2"], 107: ["b1-b3"], 111: ["b6"]}.get(match or 0, [])


def read(*lines: str, shown: tuple[Shown, ...] = ALL, language: str = "en") -> list[str]:
    return by_match(lines, shown, is_move, language).lines


@pytest.mark.parametrize(
    "line",
    [
        "1: Nd2,a3",
        "1 Nd2,a3",
        "1. Nd2,a3",
        "1) Nd2,a3",
        "#1 Nd2,a3",
        "[1] Nd2,a3",
        " 1 :Nd2,a3",
        "105: Nd2,a3",
        "105 Nd2,a3",
        "[105] Nd2,a3",
    ],
)
def test_a_number_can_be_written_in_many_ways(line: str) -> None:
    assert read(line) == ["105 Nd2,a3#7."]


def test_a_guard_of_the_player_stays_and_an_old_board_is_never_played_on() -> None:
    assert read("1: Nd2,a3#11") == ["105 Nd2,a3#11"]
    assert read("3: b6", "3: b6#9") == ["111 b6#0", "111 b6#0"]


def test_each_line_is_about_the_number_above_it() -> None:
    said = read(
        "1: Nd2,a3",
        "A fine game!",
        "",
        "Good luck.",
        "2: b1-b3",
        "DRAW",
        "2: Your turn again.",
        "",
        "3: thanks",
    )
    assert said == [
        "105 Nd2,a3#7.",
        "SAY 105: A fine game! Good luck.",
        "107 b1-b3#2...",
        "107 DRAW",
        "SAY 107: Your turn again.",
        "SAY 111: thanks",
    ]


def test_talk_with_numbers_in_it_turns_to_no_other_match() -> None:
    said = read("1: Nd2,a3", "2 more days and I am back.", "2. that is how I see it", "1. b1-b3 was not good")
    assert said == [
        "105 Nd2,a3#7.",
        "SAY 105: 2 more days and I am back. 2. that is how I see it 1. b1-b3 was not good",
    ]


def test_commands_about_nothing_stay_as_they_are() -> None:
    assert read("GAMES", "1: Nd2,a3", "SET THEME dark", "HELP zertz", "1: RESIGN") == [
        "GAMES",
        "105 Nd2,a3#7.",
        "SET THEME dark",
        "HELP zertz",
        "105 RESIGN",
    ]


def test_of_one_match_nobody_need_say_the_number() -> None:
    assert read("Nd2,a3", "Hello!", shown=(ZERTZ,)) == ["105 Nd2,a3#7.", "SAY 105: Hello!"]


def test_what_is_for_nobody_is_not_said_to_anybody() -> None:
    answer = by_match(["Good evening,", "b1-b3", "1: Nd2,a3"], ALL, is_move, "en")
    assert answer.lines == ["105 Nd2,a3#7."]
    assert answer.unsaid == ["Good evening,", "b1-b3"]
    assert answer.lost


def test_a_signature_and_a_last_word_end_it() -> None:
    assert read("1: Nd2,a3", "-- ", "Alice", "2: b1-b3") == ["105 Nd2,a3#7."]
    assert read("1: Nd2,a3", "FINE", "2: b1-b3", language="it") == ["105 Nd2,a3#7."]


def test_long_talk_is_cut_into_lines_that_can_be_read_again() -> None:
    said = read("1: " + "word " * 300)
    assert len(said) > 1
    assert all(len(line) <= 400 and line.startswith("SAY 105: word") for line in said)


def test_a_flood_of_lines_is_read_only_so_far() -> None:
    assert len(read(*["1: Nd2,a3"] * 10_000)) <= 200
