"""Return matches, pairs of matches, and the change of sides after the first move."""

from random import Random

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, unwrapped
from tests.players_fixtures import Begin


def resigns(who: Correspondent, number: int) -> None:
    who.writes(f"RESIGN {number}")
    assert who.answers(who.letter, "YES RESIGN").verdict == "ok"


def latest() -> Match:
    return Match.objects.latest("pk")


@pytest.mark.prove
def test_a_return_match_changes_sides_and_needs_a_yes(
    alice: Correspondent, bruno: Correspondent, begin: Begin
) -> None:
    old = begin("loa:scrambled")
    assert alice.writes(f"REMATCH {old.pk}").verdict == Code.NOT_OVER
    resigns(alice, old.pk)
    [result] = [letter for letter in bruno.reads() if letter.kind == "result"]
    assert "RIVINCITA" in result.text
    assert bruno.answers(result, "RIVINCITA").verdict == "ok"
    assert (latest().status, latest().game_name) == (Match.Status.PROPOSED, "loa:scrambled")
    assert latest().players == ("Bruno", "Alice")
    assert f"Bruno asks for a rematch of match {old.pk}" in unwrapped(alice.letter.text)
    assert bruno.writes("RIVINCITA").verdict == Code.OFFER_STANDS
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert latest().status == Match.Status.PLAYING


def test_both_asking_is_an_agreement(alice: Correspondent, bruno: Correspondent, begin: Begin) -> None:
    resigns(alice, begin("insert").pk)
    assert alice.writes("REMATCH").verdict == "ok"
    assert bruno.writes("Rivincita.").verdict == "ok"
    assert (Match.objects.count(), latest().status) == (2, Match.Status.PLAYING)


def test_whoever_refuses_is_not_asked_again(alice: Correspondent, bruno: Correspondent, begin: Begin) -> None:
    resigns(alice, begin("loa").pk)
    bruno.writes("RIFIUTO Alice")
    assert alice.writes("REMATCH").verdict == Code.NOT_NOW


@pytest.mark.prove
def test_a_pair_begins_with_one_yes_and_is_counted_at_its_end(
    alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.writes("CHALLENGE Bruno insert pair first 3d/move").verdict == "ok"
    assert "a second one, with sides swapped" in unwrapped(alice.letter.text)
    assert "due partite in coppia" in unwrapped(bruno.letter.text)
    bruno.answers(bruno.letter, "SÌ")
    one, two = Match.objects.order_by("pk")
    assert (one.players, two.players) == (("Alice", "Bruno"), ("Bruno", "Alice"))
    assert (one.setup, one.status, two.status) == (two.setup, Match.Status.PLAYING, Match.Status.PLAYING)
    assert two.deadline is not None
    assert alice.kinds()[-2:] == ["turn", "turn"]
    letters = bruno.reads()
    assert [letter.kind for letter in letters[-2:]] == ["turn", "turn"]
    assert letters[-1].reply_to != letters[-2].reply_to
    resigns(alice, one.pk)
    assert f"comes with that of match {two.pk}" in unwrapped(alice.letter.text)
    alice.writes(f"DRAW {two.pk}")
    bruno.writes(f"PATTA {two.pk}")
    assert "The pair of matches is over: Bruno 1.5, Alice 0.5." in unwrapped(alice.letter.text)
    assert "La coppia di partite è finita: Bruno 1.5, Alice 0.5." in unwrapped(bruno.letter.text)


@pytest.fixture
def pie(alice: Correspondent, bruno: Correspondent) -> Match:
    """Alice has made the first move."""
    alice.writes("CHALLENGE Bruno loa black pie 3d/move")
    bruno.answers(bruno.letter, "SÌ")
    match = latest()
    assert bruno.writes(f"SCAMBIO {match.pk}").verdict == Code.NO_SWAP  # there is nothing yet to take over
    alice.writes(f"{match.pk} b1-b3")
    alice.reads()
    return match


@pytest.mark.prove
def test_the_second_player_takes_the_first_move_over(
    post: Post, alice: Correspondent, bruno: Correspondent, pie: Match
) -> None:
    assert "puoi scrivere SCAMBIO" in unwrapped(bruno.letter.text)
    post.wait(hours=5)
    assert bruno.answers(bruno.letter, "SCAMBIO").verdict == "ok"
    match = latest()
    assert (match.players, match.ply, match.to_move) == (("Bruno", "Alice"), 1, 1)
    assert match.moving is not None
    assert match.moving.player.name == "Alice"
    assert match.deadline is not None
    assert (match.deadline - post.now).days == 3
    [letter] = alice.reads()
    assert letter.kind == bruno.letter.kind == "swapped"
    assert "Bruno has taken over your first move, b1-b3," in unwrapped(letter.text)
    assert letter.text.startswith("Sides swapped · Your turn")
    assert "SWAP" not in unwrapped(letter.text).split("In words")[-1]  # once is enough
    assert alice.writes(f"SWAP {match.pk}").verdict == Code.NO_SWAP
    assert bruno.writes(f"{match.pk} c1-c3").verdict == Code.NOT_YOUR_TURN
    move = match.current().sample(Random(1))
    assert alice.answers(letter, str(move)).verdict == "ok"
    resigns(alice, match.pk)
    assert "sides were changed" in "".join(bruno.letter.attachments.values())


def test_older_servers_had_it_as_a_move(bruno: Correspondent, pie: Match) -> None:
    assert bruno.writes(f"loa move {pie.pk} swap").verdict == "ok"
    assert latest().players == ("Bruno", "Alice")


def test_whoever_moves_does_not_change_sides_later(
    alice: Correspondent, bruno: Correspondent, pie: Match
) -> None:
    assert alice.writes(f"SWAP {pie.pk}").verdict == Code.NOT_YOUR_TURN
    assert bruno.answers(bruno.letter, "a2-c2").verdict == "ok"
    assert alice.answers(alice.letter, "SWAP").verdict == Code.NO_SWAP
    assert latest().players == ("Alice", "Bruno")


def test_without_the_rule_sides_are_kept(alice: Correspondent, bruno: Correspondent, loa: Match) -> None:
    alice.writes("b1-b3")
    assert "SCAMBIO" not in bruno.letter.text
    assert bruno.answers(bruno.letter, "SCAMBIO").verdict == Code.NO_SWAP
