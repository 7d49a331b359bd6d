"""What players read when the organiser acts: a move entered, clocks stopped, another player, letters of their own."""

from datetime import timedelta
from random import Random

import pytest
from pytest_django import Settings

from pbem.competitions.tournaments import begin_list, open_tournament
from pbem.matches.arbitration import enter_move, replace
from pbem.matches.clock.stops import extend, resume, stop
from pbem.matches.models import Event, Match, Tournament, Turn
from pbem.matches.offers import roll_back
from pbem.matches.services import resign, start
from pbem.matches.terms import Terms
from pbem.outbox.notifications.announcements import announce, write, write_to_stranger
from pbem.outbox.sending import resend
from pbem.players.models import Player
from pbem.refusals import Code, Refused
from tests.mail_fixtures import Correspondent, Delivery, Post, registered


@pytest.fixture
def timed(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    """Ten days each, Alice to move; both have their letter."""
    match = start(
        first=alice.player,
        second=bruno.player,
        game="loa",
        terms=Terms(clock="10d+1d<=10d"),
        now=post.now,
        rng=Random(1),
    )
    post.send()
    alice.reads()
    bruno.reads()
    return match


def text(letter: Delivery) -> str:
    return letter.text.replace("\r\n", "\n")


def reloaded(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def test_a_move_that_the_organiser_enters_is_marked_and_both_are_told_why(
    post: Post, timed: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    made_at = post.now + timedelta(days=2)
    post.wait(days=3)
    turn = enter_move(timed, "b1-b3", reason="She told me by telephone.", made_at=made_at, now=post.now)
    post.send()
    assert (turn.entered, turn.played_at) == (True, made_at)
    [hers], [his] = alice.reads(), bruno.reads()
    assert "The organiser has entered a move for you; it is on its way to Bruno." in text(hers)
    assert "The organiser writes:\n\n  | She told me by telephone." in text(hers)
    assert "L'organizzatore ha inserito una mossa per Alice." in text(his)
    assert "L'organizzatore scrive:" in text(his)
    assert timed.seated[0].bank_left == timedelta(days=9)  # two days were charged, not three
    assert bruno.answers(his, "a2-c2").verdict == "ok"
    assert [turn.entered for turn in timed.live_turns()] == [True, False]


def test_whoever_wants_no_receipts_hears_of_an_entered_move(
    post: Post, timed: Match, alice: Correspondent
) -> None:
    Player.objects.filter(name="Alice").update(receipts=False)
    enter_move(reloaded(timed), "b1-b3", reason="By telephone.", now=post.now)
    post.send()
    assert alice.kinds() == ["entered"]


def test_an_entered_move_that_is_rolled_back_before_its_letters_leave_is_told_to_nobody(
    post: Post, timed: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    enter_move(reloaded(timed), "b1-b3", reason="By telephone.", now=post.now)
    roll_back(reloaded(timed), 0, now=post.now, side=None, reason="That was another match.")
    post.send()
    assert (alice.kinds(), bruno.kinds()) == (["undone"], ["undone"])
    assert "entered" not in text(alice.letter)


def test_what_no_player_could_play_the_organiser_cannot_enter(post: Post, timed: Match) -> None:
    with pytest.raises(Refused, match="illegal_move"):
        enter_move(timed, "b1-b8", reason="By telephone.", now=post.now)
    resign(timed.seated[0], now=post.now)
    with pytest.raises(Refused, match="match_over"):
        enter_move(timed, "b1-b3", reason="By telephone.", now=post.now)
    assert not Turn.objects.exists()


def test_the_organiser_stops_the_clocks_and_lets_them_go_on(
    post: Post, timed: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    post.wait(days=1)
    stop(timed, reason="The relay is being repaired.", now=post.now)
    post.send()
    assert reloaded(timed).deadline is None
    assert "The organiser has stopped the clocks of this match." in text(alice.letter)
    assert "| The relay is being repaired." in text(alice.letter)
    assert "L'organizzatore ha fermato gli orologi di questa partita." in text(bruno.letter)
    with pytest.raises(Refused, match="stopped_already"):
        stop(timed, reason="Again.", now=post.now)
    post.wait(days=5)
    resume(timed, reason="It works.", now=post.now)
    post.send()
    assert reloaded(timed).deadline == post.now + timedelta(days=9)
    assert "The clocks of this match go on" in text(alice.letter)
    assert "Gli orologi di questa partita ripartono" in text(bruno.letter)
    with pytest.raises(Refused, match="not_stopped"):
        resume(timed, reason="Again.", now=post.now)


def test_another_player_takes_a_place_and_goes_on(
    post: Post, timed: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    dora = registered(post, "Dora", "en")
    before = {"alice": alice.letter, "bruno": bruno.letter}
    post.wait(days=4)
    replace(timed.seated[0], dora.player, reason="Alice is ill.", now=post.now)
    post.send()
    assert "You take the place of Alice in this match against Bruno" in text(dora.letter)
    assert "Ora Dora gioca questa partita al posto di Alice." in text(bruno.letter)
    assert "Dora now plays match" in text(alice.letter)
    assert alice.letter.reply_to.startswith("l+")
    for who in (alice, bruno, dora):
        assert "| Alice is ill." in text(who.letter)
    assert charlie.reads() == []
    assert reloaded(timed).deadline == post.now + timedelta(days=6)
    assert alice.answers(before["alice"], "b1-b3").verdict == Code.REVOKED
    assert dora.answers(dora.letter, "b1-b3").verdict == "ok"
    assert bruno.answers(before["bruno"], "a2-c2").verdict == Code.REVOKED
    assert bruno.answers(bruno.letter, "a2-c2").verdict == "ok"
    assert reloaded(timed).players == ("Dora", "Bruno")


def test_what_still_waits_for_whoever_leaves_stays_here(
    post: Post, timed: Match, alice: Correspondent
) -> None:
    stop(timed, reason="The relay is away.", now=post.now)
    replace(timed.seated[0], registered(post, "Dora", "en").player, reason="", now=post.now)
    post.send()
    assert alice.kinds() == ["parted"]


def test_a_place_is_taken_once_by_somebody_else_who_gets_letters(
    post: Post, timed: Match, bruno: Correspondent, charlie: Correspondent
) -> None:
    with pytest.raises(Refused, match="against_yourself"):
        replace(timed.seated[0], bruno.player, reason="", now=post.now)
    Player.objects.filter(name="Charlie").update(suspended_at=post.now)
    with pytest.raises(Refused, match="gets_no_letters"):
        replace(timed.seated[0], charlie.player, reason="", now=post.now)
    assert not Event.objects.filter(kind=Event.Kind.REPLACED).exists()


def test_what_was_offered_leaves_with_its_player(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "DRAW")
    replace(reloaded(loa).seated[0], registered(post, "Dora", "en").player, reason="", now=post.now)
    post.send()
    assert reloaded(loa).draw_offered_by is None
    assert bruno.answers(bruno.letter, "SÌ").verdict == Code.OFFER_GONE


def test_the_last_letter_is_written_once_more(
    post: Post, loa: Match, bruno: Correspondent, alice: Correspondent
) -> None:
    alice.answers(alice.letter, "b1-b3")
    [first] = bruno.reads()
    resend(reloaded(loa).seated[1], now=post.now)
    post.send()
    [again] = bruno.reads()
    assert again.text == first.text
    assert again.message["Message-ID"] != first.message["Message-ID"]
    assert bruno.answers(again, "a2-c2").verdict == "ok"


def test_the_organiser_writes_to_a_player_and_to_a_stranger(
    post: Post, loa: Match, bruno: Correspondent, stranger: Correspondent, settings: Settings
) -> None:
    settings.ORGANISER_EMAIL = "olga@example.org"
    write(bruno.player, "La partita è sua.\n\nOlga", match=loa, now=post.now)
    write_to_stranger(stranger.email, "Write REGISTER and a name.", language="en", now=post.now)
    post.send()
    assert "L'organizzatore ti scrive a proposito della partita" in text(bruno.letter)
    assert "La partita è sua.\n\nOlga\n" in text(bruno.letter)
    assert bruno.letter.reply_to.startswith("l+")
    assert stranger.letter.reply_to == "olga@example.org"
    assert bruno.letter.subject == str(loa)
    assert "The organiser writes to you:\n\nWrite REGISTER and a name." in text(stranger.letter)


@pytest.fixture
def cup(post: Post, alice: Correspondent, bruno: Correspondent) -> Tournament:
    registered(post, "Dora", "en")
    tournament = open_tournament("Autumn cup", game="loa", now=post.now)
    matches = begin_list(
        tournament, "Alice,Bruno\nDora,Alice\nBruno,Dora", number=1, now=post.now, rng=Random(1)
    )
    resign(matches[0].seated[1], now=post.now)
    post.send()
    alice.reads()
    bruno.reads()
    return tournament


def test_everybody_in_a_tournament_gets_one_letter_in_his_language(
    post: Post, cup: Tournament, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    announce(cup, {"en": "The second round begins on Monday.", "it": " "}, now=post.now)
    announce(cup, {"en": "Well played.", "it": "Ben giocato."}, standings=True, now=post.now)
    post.send()
    first, second = alice.reads()
    assert (first.subject, second.subject) == ("Autumn cup", "Autumn cup: the table of today")
    assert "The organiser of Autumn cup writes:\n\nThe second round begins on Monday." in text(first)
    assert "Well played." in text(second)
    assert "  1. Alice  x 1 ·     1  (0)\n" in text(second)
    his_first, his = bruno.reads()
    assert "L'organizzatore di Autumn cup scrive:\n\nThe second round" in text(his_first)
    assert "Ben giocato." in text(his)
    assert "Autumn cup: la classifica di oggi" in his.subject
    assert not {"bruno@example.org", "dora@example.org"} & set(text(second).split())
    assert "example.org" not in second.message.as_string().replace("alice@example.org", "")
    assert charlie.reads() == []


def test_whoever_takes_a_place_in_a_tournament_takes_part(post: Post, cup: Tournament) -> None:
    emil = registered(post, "Emil", "it")
    match = cup.matches.filter(status=Match.Status.PLAYING).order_by("pk")[0]
    replace(match.seated[0], emil.player, reason="Dora moved away.", now=post.now)
    assert [player.name for player in cup.players()] == ["Alice", "Bruno", "Dora", "Emil"]


def test_the_organiser_gives_time_to_one_of_them(
    post: Post, timed: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    until = timed.deadline
    assert until
    extend(timed.seated[0], timedelta(days=2), reason="The power was out.", now=post.now)
    post.send()
    assert reloaded(timed).deadline == until + timedelta(days=2)
    assert "The organiser gives you 2 days." in text(alice.letter)
    assert "L'organizzatore concede 2 giorni ad Alice." in text(bruno.letter)
    assert "| The power was out." in text(bruno.letter)
    untimed = start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
    with pytest.raises(Refused, match="no_clock"):
        extend(untimed.seated[0], timedelta(days=2), reason="", now=post.now)


def test_the_first_letter_names_the_tournament_and_what_was_agreed(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    terms = Terms(clock="3d/move", absence=False)
    tournament = open_tournament("Autumn cup", game="loa", terms=terms, now=post.now)
    begin_list(tournament, "Alice,Bruno", number=1, now=post.now, rng=Random(1))
    post.send()
    words = " ".join(text(alice.letter).split())
    assert "begins: Lines of Action, classic set-up. It belongs to Autumn cup." in words
    assert "3 days per move. Running out of time loses. Clocks run on while" in words
    assert "Fa parte di Autumn cup." in " ".join(text(bruno.letter).split())
