"""`Please remove me`, while matches go on: three ways, each told with what it does, and nothing is done unasked."""

from __future__ import annotations

from html import unescape
from random import Random
from urllib.parse import unquote

import pytest
from django.utils import timezone

from games.protocol import Side
from pbem.admin.people.erasure import erase
from pbem.inbox.models import PersonalMessage
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post, unwrapped

ENGLISH = [
    "Please remove me",
    "Take me off",
    "please take me off your list",
    "Unsubscribe me please",
    "Please delete my account",
    "Delete my account please",
    "I don't want to play any more, please remove me",
    "How can I delete my account?",
    "How do I unsubscribe?",
    "Please remove me completely, games, address, the lot.",
    "Erase everything you know about me",
    "Please stop sending me emails.",
]
ITALIAN = [
    "Cancellatemi per favore",
    "Toglimi dalla lista",
    "disiscrivimi",
    "Vorrei cancellarmi",
    "Eliminate il mio account",
    "Non voglio più giocare, cancellatemi",
    "Cancellate tutti i miei dati",
]
ANEW_ALONE = "Voglio essere cancellato"  # in answer to a match it is asked whether that is for the opponent
LINES = {
    "en": ["YES RESIGN", "YES STOP", "YES ERASE"],
    "it": ["SÌ ABBANDONO", "SÌ BASTA", "SÌ CANCELLA"],
}


@pytest.fixture(autouse=True)
def matches(post: Post, alice: Correspondent, bruno: Correspondent) -> list[Match]:
    """Two, in which clocks run; Alice is to move in both."""
    timed = Terms(clock="3d/move")
    begun = [
        start(
            first=alice.player,
            second=bruno.player,
            game="loa",
            terms=timed,
            now=post.now,
            rng=Random(number),
        )
        for number in (1, 2)
    ]
    post.live()
    post.send()
    bruno.reads()
    return begun


@pytest.fixture
def turn(alice: Correspondent) -> Delivery:
    return alice.reads()[0]


@pytest.fixture
def asked(alice: Correspondent, turn: Delivery) -> Delivery:
    alice.answers(turn, ENGLISH[0])
    [asked] = alice.reads()
    return asked


def statuses() -> list[str]:
    return list(Match.objects.order_by("pk").values_list("status", flat=True))


def is_untouched(who: Correspondent) -> bool:
    return statuses() == ["playing"] * 2 and who.player.silent_since is None


@pytest.mark.parametrize(
    ("body", "to_match"),
    [(body, to_match) for body in ENGLISH + ITALIAN for to_match in (True, False)] + [(ANEW_ALONE, False)],
)
def test_whoever_asks_to_be_removed_reads_three_ways_and_nothing_is_done(
    alice: Correspondent, bruno: Correspondent, body: str, to_match: bool
) -> None:
    who, language = (alice, "en") if body in ENGLISH else (bruno, "it")
    board = who.letters[0]
    who.reads()
    row = who.answers(board, body) if to_match else who.writes(body)
    assert row.verdict == Code.CONFIRM_NEEDED
    [letter] = who.reads()
    assert letter.kind == "leaving"
    written = map(str.strip, letter.text.splitlines())
    assert [line for line in written if line in LINES[language]] == LINES[language]
    said = unwrapped(letter.text)
    assert ("your 2 matches" if language == "en" else "le tue 2 partite") in said
    assert said.index("[1]") < said.index("[2]")
    assert is_untouched(who)
    assert not PersonalMessage.objects.exists()


def test_they_are_buttons_that_write_the_answer(asked: Delivery) -> None:
    for line in LINES["en"]:
        assert f"body={line.replace(' ', '%20')}" in unescape(asked.html)
    assert asked.reply_to in unquote(asked.html)


def test_the_first_resigns_all_matches_and_stops_all_letters(
    alice: Correspondent, bruno: Correspondent, asked: Delivery
) -> None:
    assert alice.answers(asked, "YES RESIGN").verdict == "ok"
    assert statuses() == ["over"] * 2
    assert set(Match.objects.values_list("winner", flat=True)) == {Side.SECOND}
    assert alice.player.silent_since
    assert bruno.kinds() == ["result", "result"]
    assert not PersonalMessage.objects.exists()
    assert alice.answers(asked, "YES STOP").verdict == Code.EXPIRED


def test_the_second_stops_the_letters_alone(
    alice: Correspondent, bruno: Correspondent, asked: Delivery
) -> None:
    assert alice.answers(asked, "Yes, stop").verdict == "ok"
    assert statuses() == ["playing"] * 2
    assert alice.player.silent_since
    assert "clock_runs" in alice.kinds()
    assert bruno.kinds() == []


def test_the_third_does_as_the_first_and_asks_the_organiser_to_erase_them(
    alice: Correspondent, asked: Delivery
) -> None:
    assert alice.answers(asked, "YES ERASE").verdict == "ok"
    assert statuses() == ["over"] * 2
    assert alice.player.silent_since
    assert "The organiser has your request" in unwrapped(" ".join(letter.text for letter in alice.reads()))
    wish = PersonalMessage.objects.get()
    assert wish.player == alice.player
    assert "YES ERASE" in wish.text
    erase(alice.player, now=timezone.now())


@pytest.mark.parametrize("body", ["NO", "No, thanks", "NO, I stay"])
def test_a_no_changes_nothing(alice: Correspondent, asked: Delivery, body: str) -> None:
    alice.answers(asked, body)
    assert alice.kinds() == ["answered"]
    assert is_untouched(alice)
    assert not PersonalMessage.objects.exists()


@pytest.mark.parametrize(
    "body", ["YES", "YES RESIGN STOP ERASE", "YES RESIGN\nNo, wait, I am not sure.", "ERASE"]
)
def test_whatever_is_none_of_the_three_is_asked_again(
    alice: Correspondent, asked: Delivery, body: str
) -> None:
    alice.answers(asked, body)
    [again] = alice.reads()
    assert again.kind == "leaving"
    assert "none of the three" in unwrapped(again.text)
    assert again.reply_to == asked.reply_to
    assert is_untouched(alice)


def test_in_italian(bruno: Correspondent) -> None:
    bruno.answers(bruno.letters[0], ITALIAN[0])
    assert bruno.answers(bruno.letter, "Sì, abbandono").verdict == "ok"
    assert statuses() == ["over"] * 2
    assert bruno.player.silent_since


def test_a_move_of_the_opponent_meanwhile_changes_nothing(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    """Nor does a match that is over; what has begun since is not resigned."""
    bruno.answers(bruno.letters[0], ITALIAN[0])
    asked = bruno.letter
    post.wait(minutes=5)
    alice.answers(alice.letters[0], "b1-b3")
    start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(3))
    alice.writes("RESIGN 2")
    alice.answers(alice.letter, "YES RESIGN")
    bruno.reads()
    assert bruno.answers(asked, "SÌ ABBANDONO").verdict == "ok"
    assert statuses() == ["over", "over", "playing"]
    assert "refused" not in bruno.kinds()


def test_nobody_removes_them_in_their_name(alice: Correspondent, turn: Delivery) -> None:
    for dmarc in ("none", "fail"):
        alice.writes(ENGLISH[0], dmarc=dmarc)
    assert "leaving" not in alice.kinds()
    assert is_untouched(alice)


def test_the_question_stands_for_72_hours(post: Post, alice: Correspondent, asked: Delivery) -> None:
    post.wait(hours=73)
    assert alice.answers(asked, "YES RESIGN").verdict == Code.CONFIRM_EXPIRED
    assert is_untouched(alice)


def test_whoever_plays_nothing_is_asked_about_letters_alone(charlie: Correspondent) -> None:
    charlie.writes(ENGLISH[0])
    assert "STOP ALL" in charlie.letter.text
    charlie.writes("Delete my account please")
    assert charlie.letter.kind == "to_organiser"


@pytest.mark.parametrize(
    "body",
    [
        "Stop it.",
        "STOP",
        "LETTERS",
        "please stop the reminders",
        "remove me from the tournament",
        "Remove a1 and everything falls",
        "too many emails, please send fewer",
    ],
)
def test_what_asks_for_something_else_is_none(alice: Correspondent, turn: Delivery, body: str) -> None:
    alice.answers(turn, body)
    assert "leaving" not in alice.kinds()
