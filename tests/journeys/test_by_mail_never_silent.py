"""Nobody meets silence where nothing vouches for senders: each letter of an evening is answered, or asked about."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.post import Correspondent, Post, play_address


@pytest.fixture
def post(db: None, settings: Settings) -> Post:
    """Nobody has named a mail server, and nobody looks."""
    settings.AUTHSERV_IDS = []
    return Post()


def signed_up(who: Correspondent) -> None:
    who.writes(f"REGISTER {who.name}", dmarc="")
    who.answers(who.letter, "YES", dmarc="")
    assert who.kinds() == ["signup", "welcome"]


EVENING = ("HELP", "CHALLENGE Carla zertz", "who is there?", "OPEN", "RATING", "HELP zertz", "GAMES")


def test_a_newcomers_first_evening(bruno: Correspondent, stranger: Correspondent) -> None:
    """All of them new letters to play@, and the one that matters in answer to the welcome."""
    signed_up(stranger)
    welcome = stranger.letter
    came = []
    for line in EVENING:
        stranger.writes(line, dmarc="")
        came += stranger.kinds()
    assert came == ["help", "confirm", "refused", "open", "refused", "help", "confirm"]
    stranger.answers(welcome, "CHALLENGE Bruno zertz", dmarc="")
    assert stranger.kinds() == ["challenged"]
    stranger.answers(welcome, "CHALLENGE Bruno loa", to=play_address(), dmarc="")
    [asked] = stranger.reads()
    assert "CHALLENGE Bruno loa" in asked.text
    stranger.answers(asked, "YES", dmarc="")
    assert stranger.kinds() == ["challenged"]
    assert bruno.kinds() == ["challenge", "challenge"]
    assert Match.objects.count() == 2


def test_what_only_reads_never_takes_the_place_of_a_question(
    alice: Correspondent, bruno: Correspondent
) -> None:
    for _ in range(5):
        alice.writes("HELP", dmarc="")
    alice.reads()
    assert alice.writes("CHALLENGE Bruno zertz", dmarc="").verdict == Code.CONFIRM_NEEDED
    assert alice.kinds() == ["confirm"]


def test_where_the_day_is_used_up_a_question_comes_and_its_yes_gives_the_day_back(
    alice: Correspondent,
) -> None:
    for _ in range(5):
        alice.writes("HELP", dmarc="")
    assert "we ask you first" in " ".join(alice.letter.text.split())
    alice.reads()
    alice.writes("GAMES\nOPEN", dmarc="")
    [asked] = alice.reads()
    assert asked.kind == "confirm"
    assert asked.text.splitlines()[2:4] == ["    GAMES", "    OPEN"]
    assert alice.answers(asked, "YES", dmarc="").verdict == "ok"
    assert alice.kinds() == ["games"]
    for _ in range(4):
        alice.writes("HELP", dmarc="")
    assert alice.kinds() == ["help"] * 4


def test_so_it_is_with_what_nobody_can_read(alice: Correspondent) -> None:
    for _ in range(5):
        alice.writes("HELP", dmarc="")
    alice.reads()
    alice.writes("is anybody there?", dmarc="")
    [asked] = alice.reads()
    assert "    is anybody there?" in asked.text
    assert alice.answers(asked, "YES", dmarc="").verdict == Code.NO_MOVE_FOUND
    assert alice.kinds() == ["refused"]


def test_whose_name_is_used_is_asked_five_times_a_day_and_not_more(alice: Correspondent) -> None:
    for _ in range(20):
        alice.writes("HELP", dmarc="")
    assert alice.kinds() == ["help"] * 5 + ["confirm"] * 5
    assert "last question of today" in " ".join(alice.letter.text.split())
    assert Confirmation.objects.count() == 5
