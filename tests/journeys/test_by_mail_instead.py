"""A question of ours that is answered with something else, which is done or asked about as in a new email."""

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent
from tests.players_fixtures import Begin


@pytest.fixture(params=["pass", "none"])
def dmarc(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def asked() -> list[str]:
    return list(Confirmation.objects.latest("pk").lines)


def test_a_command_in_answer_to_a_question_is_done(
    alice: Correspondent, bruno: Correspondent, dmarc: str
) -> None:
    bruno.writes("OFFRO insert")
    for line in ("JOIN 1", "no. JOIN 1"):
        with alice.post.undone():
            alice.writes("I'd like to play zertz with someone")
            question = alice.letter
            number = bruno.player.seeks.get().pk
            assert alice.answers(question, line.replace("1", str(number)), dmarc=dmarc).verdict == "ok"
            assert Match.objects.get().players in (("Alice", "Bruno"), ("Bruno", "Alice"))
            assert alice.answers(question, "YES").verdict == Code.EXPIRED
            assert alice.player.seeks.count() == 0


INSTEAD = {
    ("alice", "No, I meant against a robot."): "CHALLENGE Robot-1 zertz",
    ("alice", "No, I want to play zertz against the medium robot."): "CHALLENGE Robot-2 zertz",
    ("bruno", "No, voglio giocare a zertz con il robot"): "SFIDA Robot-1 zertz",
    ("bruno", "No, volevo giocare contro il computer."): "SFIDA Robot-1 zertz",
}


@pytest.mark.parametrize(("who", "said"), INSTEAD)
def test_a_plain_request_behind_a_no_is_asked_about(
    request: pytest.FixtureRequest, who: str, said: str, dmarc: str
) -> None:
    writer: Correspondent = request.getfixturevalue(who)
    writer.writes(
        "I'd like to play zertz with someone" if who == "alice" else "vorrei giocare a zertz con qualcuno"
    )
    assert asked() in (["OFFER zertz"], ["OFFRO zertz"])
    first = writer.letter
    writer.answers(first, said, dmarc=dmarc)
    if not Match.objects.exists():
        assert asked() == [INSTEAD[who, said]]
        assert writer.answers(writer.letter, "YES", dmarc=dmarc).verdict == "ok"
    assert Match.objects.count() == 1
    assert writer.answers(first, "YES", dmarc=dmarc).verdict == Code.EXPIRED
    assert writer.player.seeks.count() == 0


def test_a_no_and_who_plays_here(bruno: Correspondent, alice: Correspondent) -> None:
    bruno.writes("vorrei giocare a zertz con qualcuno")
    bruno.answers(bruno.letter, "no. volevo sapere se c'è qualcuno che gioca")
    assert bruno.letter.kind in ("players", "open"), asked()


def test_a_no_alone_and_a_no_with_reasons_stay_one(alice: Correspondent) -> None:
    for said in ("No", "No, thanks.", "No, I changed my mind", "no, not now"):
        alice.writes("I'd like to play zertz with someone")
        assert alice.answers(alice.letter, said).verdict == "ok"
        assert Confirmation.objects.latest("pk").agreed is False
    assert Match.objects.count() == 0


@pytest.mark.parametrize("said", ["mi arrendo", "no / voglio arrendermi", "No.\nVoglio arrendermi"])
def test_resigning_in_answer_to_a_question_about_a_move(
    alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    bruno.writes("SFIDA alice loa SECONDO")
    alice.answers(alice.letter, "YES")
    alice.answers(alice.letter, "b8-b6")
    bruno.answers(bruno.letter, "penso di giocare a2-c2")
    assert asked() == ["a2-c2"]
    bruno.answers(bruno.letter, said)
    assert asked() in (["RESIGN"], ["mi arrendo"], ["ABBANDONO"])


def test_nobody_else_wishes_instead_of_the_player(alice: Correspondent, bruno: Correspondent) -> None:
    bruno.writes("OFFRO insert")
    alice.writes("I'd like to play zertz with someone")
    question, number = alice.letter, bruno.player.seeks.get().pk
    mallory = Correspondent(alice.post, "Mallory", "mallory@example.com")
    for sent, dmarc in ((mallory, "pass"), (alice, "fail")):
        sent.answers(question, f"No. JOIN {number}", dmarc=dmarc)
        sent.answers(question, "No, I want to play zertz against a robot", dmarc=dmarc)
    assert Match.objects.count() == 0


def test_a_move_in_answer_to_an_answered_question_is_played(begin: Begin, alice: Correspondent) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "DRAW?")
    question = alice.letter
    alice.answers(question, "YES")
    assert alice.answers(question, "b1-b3").verdict == "ok"
    assert [turn.move for turn in match.live_turns()] == ["b1-b3"]


def test_one_for_an_older_board_is_refused_with_that_of_now(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "My move is b1-b3.")
    question = alice.letter
    alice.answers(question, "YES")
    bruno.answers(bruno.letter, "a2-c2")
    assert alice.answers(question, "c1-c3").verdict != "ok"
    assert match.live_turns().count() == 2
    assert "1. b1-b3 a2-c2" in alice.letter.text, "the board of now"
    assert "already answered" not in alice.letter.text


def test_after_the_match_the_move_is_said_not_to_be_played(begin: Begin, alice: Correspondent) -> None:
    begin("loa")
    alice.answers(alice.letter, "RESIGN")
    question = alice.letter
    alice.answers(question, "YES RESIGN")
    alice.answers(question, "b1-b3")
    assert "was not played" in " ".join(alice.letter.text.split())


@pytest.mark.parametrize("question", ["RESIGN", "then b1-b3"])
@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("No, offer a draw instead", ""),
        ("No, a draw instead", ""),
        ("No, I'd prefer a draw", ""),
        ("no but offer a draw", ""),
        ("No I'd like a draw", ""),
        ("No, preferisco proporre patta", ""),
        ("No, meglio la patta", ""),
        ("No, proponi patta invece", ""),
        ("no ma propongo patta", ""),
        ("no piuttosto patta", ""),
        ("No, I'd rather play c1-c3", "c1-c3"),
        ("No, c1-c3 instead", "c1-c3"),
        ("No, invece gioco c1-c3", "c1-c3"),
    ],
)
def test_what_is_wanted_instead_is_asked_about_and_the_question_closed(
    begin: Begin, alice: Correspondent, question: str, said: str, move: str
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, question)
    first = alice.letter
    assert alice.answers(first, said).verdict == Code.CONFIRM_NEEDED
    assert Confirmation.objects.earliest("pk").agreed is False
    assert alice.answers(first, "YES").verdict == Code.EXPIRED
    match.refresh_from_db()
    assert (match.draw_offered_by, match.status) == (None, Match.Status.PLAYING)
    second = next(letter for letter in reversed(alice.letters) if letter.kind == "confirm")
    alice.answers(second, "YES")
    match.refresh_from_db()
    assert (match.draw_offered_by is not None) == (not move)
    assert [turn.move for turn in match.live_turns()] == [move][: bool(move)]


@pytest.mark.parametrize("said", ["Yes, please start.", "Yes, both please. Thank you."])
def test_a_yes_that_says_more_is_asked_again(alice: Correspondent, said: str) -> None:
    alice.writes("My neighbour told me about zertz, is there a robot who would play it with me for a start?")
    assert asked() == ["CHALLENGE Robot-1 zertz"]
    assert alice.answers(alice.letter, said).verdict == Code.NO_MOVE_FOUND
    assert not Match.objects.exists()
    assert alice.answers(alice.letter, "Yes, please. Thank you.").verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING


def test_a_yes_and_another_wish_do_not_deny_a_resignation(begin: Begin, alice: Correspondent) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "RESIGN")
    question = alice.letter
    alice.answers(question, "yes im sure. can i have another go at it after that? same game")
    assert asked() == ["RESIGN"]
    alice.answers(question, "YES RESIGN")
    match.refresh_from_db()
    assert match.status == Match.Status.OVER


def test_the_courtesy_with_the_yes_is_said_to_us(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin("loa")
    alice.answers(alice.letter, "I'd like to put my man from b1 on b3, I hope you are well")
    alice.answers(alice.letter, "Yes please, thank you.")
    told = [line for line in bruno.letter.text.splitlines() if line.startswith("  |")]
    assert "hope you are well" in " ".join(told)
    assert len(told) == 1


@pytest.mark.parametrize(
    ("said", "told", "yes"),
    [
        ("Pietro, hai previsto tutto. Mi arrendo, hai vinto tu, complimenti!", "complimenti", "YES RESIGN"),
        ("Oh no, I pressed the wrong key! Could I take my last move back please?", "wrong key", "YES"),
    ],
)
def test_words_beside_a_wish_that_the_opponent_hears_of_go_along(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, told: str, yes: str
) -> None:
    begin("loa")
    alice.answers(alice.letter, "b1-b3")
    alice.answers(alice.letter, said)
    assert alice.answers(alice.letter, yes).verdict == "ok"
    assert told in bruno.letter.text


def test_a_move_and_a_plan_answer_the_question_about_a_move(begin: Begin, alice: Correspondent) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "I'd like to put my man from b1 on b3, I hope you are well")
    assert alice.answers(alice.letter, "Then like this:\nd1-f3\nIF h4-f4 THEN b8-b6").verdict == "ok"
    assert [turn.move for turn in match.turns.all()] == ["d1-f3"]
    assert any(seat.lines.exists() for seat in match.seated)
