"""Two players of a family with one mailbox: each gets letters of their own, and is told apart by what they answer."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.players.models import Address, Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post

FAMILY = "rossi@example.org"


@dataclass
class Relative(Correspondent):
    """Reads of the common mailbox what is addressed to them."""

    email: str = FAMILY

    @property
    def letters(self) -> list[Delivery]:
        return [letter for letter in super().letters if letter.message["To"] == f"{self.name} <{FAMILY}>"]


@pytest.fixture
def anna(post: Post) -> Relative:
    alone = Correspondent(post, "Anna", FAMILY)
    alone.writes("REGISTER Anna")
    alone.answers(alone.letter, "YES")
    return Relative(post, "Anna")


@pytest.fixture
def ugo(post: Post, anna: Relative) -> Relative:
    anybody = Correspondent(post, "Ugo", FAMILY)
    assert anybody.writes("ISCRIVIMI Ugo").verdict == Code.CONFIRM_NEEDED
    assert "Anna" in anybody.letter.text
    assert anybody.answers(anybody.letter, "SÌ").verdict == "ok"
    return Relative(post, "Ugo", wrote="Il giorno 4 maggio 2026 PBeM ha scritto:")


@pytest.fixture
def match(anna: Relative, ugo: Relative) -> Match:
    welcome = Correspondent(anna.post, "Anna", FAMILY).letters[1]
    assert anna.answers(welcome, "CHALLENGE Ugo loa first").verdict == "ok"
    assert anna.kinds() == ["welcome", "challenged"]
    assert ugo.answers(ugo.letter, "SÌ").verdict == "ok"
    return Match.objects.get()


def test_a_second_player_signs_up_from_a_mailbox_that_has_one(anna: Relative, ugo: Relative) -> None:
    assert set(Address.objects.values_list("player__name", "email")) == {("Anna", FAMILY), ("Ugo", FAMILY)}
    assert ugo.kinds() == ["welcome"]
    assert ugo.player.language == "it"
    assert anna.player.language == "en"


def test_without_a_yes_there_is_no_second_player(post: Post, anna: Relative) -> None:
    """Somebody who forges the address gets nothing, and the mailbox is asked once in a week."""
    mailbox = Correspondent(post, "Anna", FAMILY)
    mailbox.reads()
    for name in ("Ugo", "Mallory"):
        mailbox.writes(f"REGISTER {name}", dmarc="fail")
    assert mailbox.kinds() == ["signup"]
    assert Player.objects.people().count() == 1


@pytest.mark.prove
def test_they_play_each_other_to_the_end(match: Match, anna: Relative, ugo: Relative) -> None:
    """Every event brings two letters to one mailbox, with two Message-IDs and two reply addresses."""
    for who, move in ((anna, "b1-h1"), (ugo, "a2-c2"), (anna, "h1-b1"), (ugo, "c2-a2")):
        assert who.answers(who.letter, move).verdict == "ok"
    assert ugo.answers(ugo.letter, "PATTA").verdict == "ok"
    assert anna.answers(anna.letter, "YES DRAW").verdict == "ok"
    match.refresh_from_db()
    assert (match.ply, match.reason) == (4, "agreed")
    assert anna.letter.kind == ugo.letter.kind == "result"
    common = anna.letters + ugo.letters
    assert len({letter.message["Message-ID"] for letter in common}) == len(common)
    assert "For Anna" in anna.letter.text
    assert "Per Ugo" in ugo.letter.text
    assert "Per Ugo" in ugo.letter.html


def test_the_token_says_whose_move_it_is(match: Match, anna: Relative, ugo: Relative) -> None:
    """The same From, but the seat of the one who is not to move."""
    assert ugo.answers(ugo.letter, "b1-b3").verdict == Code.NOT_YOUR_TURN
    assert anna.answers(anna.letter, "b1-b3").verdict == "ok"


def test_a_new_letter_that_could_be_of_either_changes_nothing_and_asks_both(
    match: Match, anna: Relative, ugo: Relative
) -> None:
    anna.reads()
    ugo.reads()
    for body in (f"RESIGN {match.pk}", "GAMES", "CHALLENGE Anna zertz"):
        assert anna.writes(body).verdict == Code.SHARED_MAILBOX
        assert (anna.kinds(), ugo.kinds()) == (["refused"], ["refused"])
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
    assert Match.objects.count() == 1


def test_the_answer_to_that_question_says_who_wrote(match: Match, anna: Relative, ugo: Relative) -> None:
    anna.writes("GAMES")
    assert ugo.answers(ugo.letter, "PARTITE").verdict == "ok"
    assert "Le tue partite" in ugo.letter.subject
    assert InboundMail.objects.latest("pk").player == ugo.player


@pytest.mark.prove
def test_a_match_that_only_one_of_them_plays_says_who_wrote(
    match: Match, anna: Relative, ugo: Relative, bruno: Correspondent
) -> None:
    bruno.writes("SFIDA Ugo loa PRIMO")
    ugo.answers(ugo.letter, "SÌ")
    bruno.answers(bruno.letter, "b1-b3")
    other = Match.objects.latest("pk")
    assert ugo.writes(f"{other.pk} a2-c2").verdict == "ok"
    assert InboundMail.objects.latest("pk").player == ugo.player
    other.refresh_from_db()
    assert other.ply == 2


def test_one_of_them_falls_silent_and_the_other_does_not(match: Match, anna: Relative, ugo: Relative) -> None:
    goodbye = str(ugo.letter.message["List-Unsubscribe"]).partition("mailto:")[2].partition("?")[0]
    ugo.writes("unsubscribe", to=goodbye)
    ugo.reads()
    anna.answers(anna.letter, "b1-b3")
    assert anna.kinds()[-1] == "played"
    assert ugo.kinds() == []
