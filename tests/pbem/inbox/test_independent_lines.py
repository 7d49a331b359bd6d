"""What stands beside a line that is refused, or beside YES, is done or arrives, or its sender hears that not."""

from __future__ import annotations

from random import Random

import pytest

from pbem.matches.models import Match
from pbem.matches.services import start
from tests.mail_fixtures import MORNING, Correspondent, Post


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    post.send()
    alice.reads()
    bruno.reads()
    return match


def text(player: Correspondent) -> str:
    return player.letter.text.replace("\r\n", "\n")


def test_a_setting_that_is_refused_drops_no_challenge(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("SET ZONE Qwertyville\nCHALLENGE bruno loa")
    assert "Qwertyville" in text(alice)
    assert "Europe/London" in text(alice)
    assert Match.objects.get().status == Match.Status.PROPOSED


def test_nor_where_a_yes_is_needed_first(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("SET ZONE Qwertyville\nCHALLENGE bruno loa", dmarc="none")
    assert not Match.objects.exists()
    alice.answers(alice.letter, "yes")
    assert Match.objects.get().status == Match.Status.PROPOSED


def test_nor_where_the_setting_is_in_small_letters(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("set zone great malvern\nchallenge bruno loa")
    assert "great malvern" in text(alice)
    assert Match.objects.get().status == Match.Status.PROPOSED
    assert "great malvern" not in text(bruno)


def test_the_words_beside_yes_reach_the_opponent(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "I think I'll go b8-b6")
    assert alice.answers(alice.letter, "Yes\nThe weather in Milan is dreadful today.").verdict == "ok"
    assert "The weather in Milan is dreadful today." in text(bruno)


def test_the_words_beside_yes_that_reach_nobody_are_told_of(alice: Correspondent) -> None:
    alice.writes("my time zone is Europe/Rome")
    alice.answers(alice.letter, "Yes\nThe weather in Milan is dreadful today.")
    assert "The weather in Milan is dreadful today." in text(alice)


def test_so_are_those_beside_no(match: Match, alice: Correspondent) -> None:
    alice.answers(alice.letter, "I think I'll go b8-b6")
    assert (
        alice.answers(alice.letter, "No\nThe weather in Milan is dreadful today, how is yours?").verdict
        == "ok"
    )
    assert "how is yours?" in text(alice)


def test_say_in_small_letters_is_asked_about(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "say thanks")
    assert "SAY thanks" in text(alice)
    assert alice.answers(alice.letter, "yes").verdict == "ok"
    assert "thanks" in text(bruno)


def test_the_corrected_form_of_a_refused_line_is_no_quotation(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "say thanks")
    assert alice.answers(alice.letter, "SAY thanks").verdict == "ok"
    assert "thanks" in text(bruno)
