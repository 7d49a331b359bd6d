"""Nobody meets silence where nothing vouches for senders: each letter of an evening is answered, or asked about."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_django import Settings

from pbem.inbox.models import Confirmation, InboundMail
from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.matches.models import Match, Seek
from pbem.refusals import Code
from tests.mail_fixtures import AUTHSERV_ID, Correspondent, Delivery, Post, play_address
from tests.players_fixtures import moves

Begin = Callable[..., Match]


@pytest.fixture
def post(db: None, settings: Settings) -> Post:
    """Nobody has named a mail server, and nobody looks."""
    settings.AUTHSERV_IDS = []
    return Post()


@pytest.fixture
def vouched(post: Post, settings: Settings) -> None:
    """But here somebody has."""
    settings.AUTHSERV_IDS = [AUTHSERV_ID]


def agrees(who: Correspondent, asked: InboundMail) -> None:
    """Where it had to be asked."""
    if asked.verdict == Code.CONFIRM_NEEDED:
        who.answers(who.letter, "YES")


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
    assert came == ["help", "confirm", "refused", "open", "rating", "help", "confirm"], (
        "free wording is not read"
    )
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
    alice.writes("moon so high", dmarc="")
    [asked] = alice.reads()
    assert "    moon so high" in asked.text
    assert alice.answers(asked, "YES", dmarc="").verdict == Code.NO_MOVE_FOUND
    assert alice.kinds() == ["refused"]


def test_whose_name_is_used_is_asked_five_times_a_day_and_not_more(alice: Correspondent) -> None:
    for _ in range(20):
        alice.writes("HELP", dmarc="")
    assert alice.kinds() == ["help"] * 5 + ["confirm"] * 5
    assert "today's last question" in " ".join(alice.letter.text.split())
    assert Confirmation.objects.count() == 5


# -- words ----------------------------------------------------------------------------------------------


def words(letter: Delivery) -> str:
    return " ".join(letter.text.split())


@pytest.mark.parametrize("dmarc", ["pass", "none"])
def test_words_with_a_challenge_go_along_with_it(
    vouched: None, alice: Correspondent, bruno: Correspondent, dmarc: str
) -> None:
    agrees(alice, alice.writes("Hello,\n\nCHALLENGE Bruno loa\n\nFancy a game?", dmarc=dmarc))
    [challenge] = bruno.reads()
    assert challenge.kind == "challenge"
    assert "  | Fancy a game?" in challenge.text
    assert "Fancy a game?" in alice.letter.text
    agrees(bruno, bruno.answers(challenge, "SÌ\n\nVolentieri!", dmarc=dmarc))
    assert "  | Volentieri!" in alice.letter.text


def test_so_they_do_with_an_offer_that_is_taken_and_a_command_about_one_match(
    vouched: None, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.writes("OFFRO loa")
    alice.writes(f"JOIN {Seek.objects.get().pk}\n\nGood luck to both of us!")
    assert "  | Good luck to both of us!" in bruno.letter.text
    alice.writes(f"DRAW {Match.objects.get().pk}\n\nThis is going nowhere.")
    assert "  | This is going nowhere." in bruno.letter.text


UNSAID = {
    "CHALLENGE Nessuno loa\n\nFancy a game?": "line corrected",
    "GAMES\n\nIs Bruno here today?": "we do not know who they are for",
    "SHOW 999\n\nFancy a game?": "line corrected",
}


def test_words_that_reach_nobody_are_told_to_their_writer(
    vouched: None, alice: Correspondent, stranger: Correspondent
) -> None:
    for body, said in UNSAID.items():
        alice.writes(body)
        assert said in words(alice.letter), body
        assert f"  » {body.splitlines()[-1]}" in alice.letter.text
    assert stranger.letters == []
    for body in ("Hello,\n\nGAMES\n\nThank you very much,\nAlice", "HELP\n\nAlice Smith\nLondon"):
        alice.writes(body)
        assert "Nobody has read these words" not in words(alice.letter), body


def test_words_to_whoever_wants_none_are_told_too(
    vouched: None, alice: Correspondent, bruno: Correspondent
) -> None:
    """And nobody writes to all the world by challenges."""
    for _ in range(CAPS["strangers"].most):
        take_place("strangers", f"player:{alice.player.pk}", alice.post.now)
    alice.writes("CHALLENGE Bruno loa\n\nFancy a game?")
    assert "  » Fancy a game?" in alice.letter.text
    assert bruno.kinds() == ["challenge"]
    assert "Fancy" not in bruno.letter.text


# -- moves ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dmarc", ["pass", "none"])
def test_a_move_in_answer_to_whatever_a_match_s_letter_brought_is_played(
    vouched: None, begin: Begin, alice: Correspondent, dmarc: str
) -> None:
    """The rules, a list, a preference: they keep the seat's reply address."""
    for asks, move in (("HELP loa", "b1-b3"), ("GAMES", "b1-b3"), ("SET THEME dark\nHELP", "b1-b3")):
        loa = begin("loa")
        begin("zertz")
        turn = next(letter for letter in alice.letters if f"[{loa.pk}]" in letter.subject)
        agrees(alice, alice.answers(turn, asks, dmarc=dmarc))
        assert alice.letter.reply_to == turn.reply_to
        assert alice.answers(alice.letter, move, dmarc=dmarc).verdict == "ok", asks
        assert moves(loa) == [move]


def test_after_the_move_the_rules_letter_is_an_older_letter_as_well(
    vouched: None, begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    loa = begin("loa")
    alice.answers(alice.letter, "HELP loa")
    rules = alice.letter
    alice.answers(rules, "b1-b3")
    bruno.answers(bruno.letter, "a2-c2")
    assert alice.answers(rules, "c1-c3").verdict == Code.STALE_TURN
    assert len(moves(loa)) == 2


@pytest.mark.parametrize("dmarc", ["pass", "none"])
def test_a_move_that_fits_one_match_is_played_there_as_far_as_its_letter_is_believed(
    vouched: None, begin: Begin, alice: Correspondent, bruno: Correspondent, dmarc: str
) -> None:
    """In answer to the welcome, to a letter with several boards, to the letter of the other match; or as a new one."""
    loa, zertz = begin("loa"), begin("zertz")
    alice.writes(f"SHOW {loa.pk}\nSHOW {zertz.pk}")
    both = alice.letter
    row = alice.answers(both, "b1-b3\n\nHave fun!", dmarc=dmarc)
    assert (row.verdict == "ok") == (dmarc == "pass")
    agrees(alice, row)
    assert (moves(loa), moves(zertz)) == (["b1-b3"], [])
    assert "  | Have fun!" in bruno.letter.text
    alice.post.wait(minutes=1)
    of_loa = next(letter for letter in reversed(bruno.letters) if f"[{loa.pk}]" in letter.subject)
    bruno.answers(of_loa, "a2-c2")
    row = alice.writes("Wd4, a1", dmarc=dmarc)
    assert row.verdict == Code.CONFIRM_NEEDED, "whoever writes there may have been asked by anybody"
    agrees(alice, row)
    assert (len(moves(loa)), moves(zertz)) == (2, ["Wd4,a1"])
    assert alice.answers(both, "c1-c3").verdict == Code.STALE_TURN, "it shows the board before Bruno's move"
    assert alice.answers(both, "Gb4, g4").verdict == Code.STALE_TURN, "and that before her own"
    assert (len(moves(loa)), len(moves(zertz))) == (2, 1)


@pytest.mark.parametrize("to", ["", "play"])
def test_a_move_that_fits_several_is_asked_about_and_nothing_is_lost(
    vouched: None, begin: Begin, alice: Correspondent, bruno: Correspondent, to: str
) -> None:
    first, second = begin("loa"), begin("loa")
    bruno.reads()
    alice.writes("GAMES")
    games = alice.letter
    row = alice.answers(games, "b1-b3\n\nHave fun!", to=play_address() if to else "")
    assert row.verdict == Code.WHICH_MATCH
    assert f"{first.pk} b1-b3 · {second.pk} b1-b3" in words(alice.letter)
    assert "  » Have fun!" in alice.letter.text
    assert bruno.kinds() == []
    alice.answers(alice.letter, f"{second.pk} b1-b3\n  » Have fun!")
    assert (moves(first), moves(second)) == ([], ["b1-b3"])
    assert "  | Have fun!" in bruno.letter.text


def test_talk_in_answer_to_a_letter_about_no_match_is_no_move(
    vouched: None, begin: Begin, alice: Correspondent
) -> None:
    matches = [begin("loa"), begin("zertz")]
    alice.writes("GAMES")
    for line in ("I like b1-b3, do you?", "b1-b3?", "e4 e5", "12", "a1..."):
        alice.answers(alice.letter, line)
    assert [moves(match) for match in matches] == [[], []]


# -- YES ------------------------------------------------------------------------------------------------


def test_yes_to_another_letter_of_the_thread_answers_the_question(
    vouched: None, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    turn = alice.letter
    alice.answers(turn, "RESIGN")
    assert alice.answers(turn, "Yes, resign").verdict == "ok"
    assert alice.kinds() == ["confirm", "result"]
    loa.refresh_from_db()
    assert loa.winner == 1


def test_no_does_too(vouched: None, loa: Match, alice: Correspondent) -> None:
    turn = alice.letter
    alice.answers(turn, "RESIGN")
    question = alice.letter
    assert alice.answers(turn, "No").verdict == "ok"
    assert alice.answers(question, "YES").verdict == Code.EXPIRED
    assert Match.objects.get().status == Match.Status.PLAYING


@pytest.mark.parametrize("forged", [True, False])
def test_where_nobody_stands_by_both_the_question_comes_again(
    vouched: None, loa: Match, alice: Correspondent, forged: bool
) -> None:
    """Else an opponent would forge a RESIGN, and then say: shall we play again?"""
    turn = alice.letter
    if forged:
        alice.writes(f"RESIGN {loa.pk}", dmarc="none")
    else:
        alice.answers(turn, "RESIGN", dmarc="none")
    assert alice.answers(turn, "YES", dmarc="pass" if forged else "none").verdict == Code.CONFIRM_NEEDED
    assert Match.objects.get().status == Match.Status.PLAYING
    first, again = alice.reads()
    assert again.reply_to == first.reply_to
    assert ("in your name says" if forged else "question waiting") in words(again)
    assert alice.answers(again, "YES RESIGN", dmarc="none").verdict == "ok"
    assert Match.objects.get().status == Match.Status.OVER


@pytest.mark.parametrize("dmarc", ["pass", "none"])
def test_yes_to_any_letter_answers_the_only_thing_that_is_asked(
    vouched: None, begin: Begin, alice: Correspondent, bruno: Correspondent, dmarc: str
) -> None:
    """As far as the letter is believed; in answer to a letter about another match it is asked about."""
    other = begin("zertz")
    turn = alice.letter
    alice.writes("HELP")
    help_ = alice.letter
    for letter in (help_, turn):
        bruno.writes("SFIDA Alice loa")
        challenge = Match.objects.latest("pk")
        row = alice.answers(letter, "YES", dmarc=dmarc)
        assert (row.verdict == "ok") == (dmarc == "pass" and letter is help_)
        if row.verdict == Code.CONFIRM_NEEDED:
            assert f"    YES {challenge.pk}" in alice.letter.text
        agrees(alice, row)
        challenge.refresh_from_db()
        assert challenge.status == Match.Status.PLAYING
    other.refresh_from_db()
    assert other.status == Match.Status.PLAYING


def test_where_several_wait_they_are_listed(
    vouched: None, begin: Begin, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    loa = begin("loa")
    alice.writes("b1-b3")
    agrees(alice, InboundMail.objects.latest("pk"))
    bruno.writes(f"PATTA {loa.pk}")
    charlie.writes("CHALLENGE Alice zertz")
    alice.writes("HELP")
    assert alice.answers(alice.letter, "yes").verdict == Code.WHICH_QUESTION
    said = words(alice.letter)
    assert f"Bruno offers a draw in your match of Lines of Action: YES {loa.pk}" in said
    assert f"Charlie challenges you to a match of Zèrtz: YES {loa.pk + 1}" in said
    assert alice.answers(alice.letter, f"YES {loa.pk + 1}").verdict == "ok"
    assert loa.status == Match.Status.PLAYING
    assert alice.answers(alice.letter, "NO").verdict in ("ok", Code.CONFIRM_NEEDED)


def test_no_still_takes_back_what_was_offered_in_the_only_match(
    vouched: None, loa: Match, alice: Correspondent
) -> None:
    alice.answers(alice.letter, "DRAW")
    agrees(alice, alice.writes("NO"))
    assert Match.objects.get().draw_offered_by is None


def test_yes_to_a_message_is_said_to_whoever_wrote_it(
    vouched: None, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.writes(f"PATTA {loa.pk}\nSCRIVO A Alice: ti piace il formaggio?")
    message = next(letter for letter in alice.letters if letter.kind == "relayed")
    assert alice.answers(message, "YES").verdict == "ok"
    assert "  | YES" in bruno.letter.text
    assert Match.objects.get().status == Match.Status.PLAYING
