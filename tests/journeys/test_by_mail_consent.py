"""Nothing is taken for a YES that is none: who is asked about an email which anybody may have written, and how they
answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.inbox.models import Confirmation, PersonalMessage
from pbem.matches.models import Match
from pbem.matches.services import offer_draw
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post

Begin = Callable[..., Match]
# Each of them did what was asked about when a YES was looked for in a sentence.
TAKEN_FOR_YES = (
    "Yes, someone hacked me",
    "OK. Not mine.",
    "Yeah right",
    "Sì, come no",
    "ok thanks",
    "Yes, I am Alice",
    "Yes let's play on",
    "Who is this?\n\n-- \nAlice\nYES",
    "You write: YES. I don't get it.",
    "Yes!\nIt was not me",
)
FORGED = ("RESIGN", "SET ADDRESS mallory@evil.example", "SET NAME Loser", "STOP all", "SET ROBOT yes")


def forged(alice: Correspondent, mallory: Correspondent, body: str) -> None:
    """An email in her name, which nobody vouches for."""
    alice.reads()
    mallory.writes(body, dmarc="none", headers={"From": f"Alice <{alice.email}>"})


@pytest.fixture
def mallory(post: Post) -> Correspondent:
    return Correspondent(post, "Mallory", "mallory@evil.example")


def state(match: Match) -> tuple[object, ...]:
    match.refresh_from_db()
    players = Player.objects.order_by("pk").values_list("name", "program", "silent_since", "addresses__email")
    return (match.status, match.draw_offered_by, match.ply, *players)


@pytest.mark.parametrize("body", FORGED)
def test_no_natural_answer_to_a_forged_email_does_it(
    begin: Begin, post: Post, alice: Correspondent, mallory: Correspondent, body: str
) -> None:
    match = begin("loa")
    before = state(match)
    line = f"{body} {match.pk}" if body == "RESIGN" else body
    for said in (*TAKEN_FOR_YES, "YES"):
        with post.undone():
            forged(alice, mallory, line)
            [question] = alice.reads()
            alice.answers(question, said)
            assert state(match) == before, said


def test_the_question_says_who_is_said_to_have_written_and_quotes_it(
    begin: Begin, alice: Correspondent, mallory: Correspondent
) -> None:
    match = begin("loa")
    forged(alice, mallory, f"RESIGN {match.pk}\n\nI have had enough of this.")
    text = alice.letter.text
    assert text.startswith("An email in your name says:")
    assert "I have had enough of this." in text
    assert "alice@example.org, Monday 4 May 2026" in " ".join(text.split())
    assert "answer just YES RESIGN" in " ".join(text.split())
    assert alice.answers(alice.letter, "yes resign").verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER


def test_in_italian(begin: Begin, bruno: Correspondent, mallory: Correspondent) -> None:
    match = begin("loa")
    mallory.writes(f"ABBANDONO {match.pk}", dmarc="none", headers={"From": f"Bruno <{bruno.email}>"})
    text = " ".join(bruno.letter.text.split())
    assert text.startswith("Un'email a nome tuo dice:")
    assert "rispondi soltanto SÌ ABBANDONO" in text
    assert "body=SI%20ABBANDONO" in bruno.letter.html, "which no mail program spoils"
    assert bruno.answers(bruno.letter, "Si, abbandono").verdict == "ok"


def test_below_a_yes_to_it_nothing_else_may_stand_but_a_signature(
    begin: Begin, post: Post, alice: Correspondent, mallory: Correspondent
) -> None:
    match = begin("loa")
    said = {
        "YES RESIGN\n\nGood game, Bruno!": False,
        "YES RESIGN\n\nAlice Rossi\nVia Garibaldi 12, 20121 Milano\nTel. +39 02 1234567": True,
    }
    for body, resigns in said.items():
        with post.undone():
            forged(alice, mallory, f"RESIGN {match.pk}")
            alice.answers(alice.letter, body)
            match.refresh_from_db()
            assert (match.status == Match.Status.OVER) is resigns, body


def test_the_block_that_stands_below_all_her_emails_is_a_signature(
    begin: Begin, alice: Correspondent, mallory: Correspondent
) -> None:
    match = begin("loa")
    block = "Lower Marsh\nwhere the tea is strong"
    alice.answers(alice.letter, f"b1-b3\n\n{block}")
    forged(alice, mallory, f"RESIGN {match.pk}")
    assert alice.answers(alice.letter, f"YES RESIGN\n\n{block}").verdict == "ok"


def test_free_wording_that_nobody_vouches_for_is_never_interpreted(
    begin: Begin, alice: Correspondent, mallory: Correspondent
) -> None:
    begin("loa")
    forged(alice, mallory, "I think I should resign my match against Bruno, please do that for me")
    assert not Confirmation.objects.exists()
    assert all(letter.kind != "confirm" for letter in alice.reads())


def test_the_words_of_a_forged_email_travel_nowhere_with_a_no(
    begin: Begin, alice: Correspondent, bruno: Correspondent, mallory: Correspondent
) -> None:
    match = begin("loa")
    bruno.reads()
    forged(alice, mallory, f"RESIGN {match.pk}\n\nYou are a cheat, Bruno.")
    alice.answers(alice.letter, "NO")
    assert bruno.reads() == []
    assert not PersonalMessage.objects.exists()


def test_an_unclear_answer_is_asked_again_shorter_and_the_next_one_hears_that_nothing_was_done(
    begin: Begin, alice: Correspondent
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "RESIGN")
    question = alice.letter
    assert alice.answers(question, "Hm.").verdict == Code.NO_MOVE_FOUND
    again = " ".join(alice.letter.text.split())
    assert "? To do it, answer just YES RESIGN." in again
    assert alice.answers(alice.letter, "Well...").verdict == Code.NO_MOVE_FOUND
    assert "Nothing was done. To do it, answer just YES RESIGN." in " ".join(alice.letter.text.split())
    assert Confirmation.objects.get().unclear == 2
    assert alice.answers(alice.letter, "YES RESIGN").verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER


def test_a_draw_is_accepted_by_its_name(
    begin: Begin, post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    match = begin("loa")
    for said, drawn in {
        "YES": False,
        "Yes! What a game": False,
        "ok thanks": False,
        "sure, a draw is fine": False,
        "YES DRAW": True,
        "Sì, patta": True,
        "DRAW": True,
    }.items():
        with post.undone():
            offer_draw(Match.objects.get().seats.get(player=bruno.player), now=post.now)
            post.send()
            alice.answers(alice.letter, said)
            match.refresh_from_db()
            assert (match.status == Match.Status.OVER) is drawn, said
            if said == "YES":
                assert "YES DRAW" in alice.letter.text


def test_small_talk_allows_no_takeback(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "b1-b3")
    alice.answers(alice.letters[0], "UNDO")
    for said in ("yes, it's cold here too", "ok thanks", "Yes let's play on"):
        bruno.answers(bruno.letter, said)
        match.refresh_from_db()
        assert match.ply == 1, said
    assert bruno.answers(bruno.letter, "Yes.").verdict in ("ok", Code.CONFIRM_NEEDED)


def test_a_yes_in_the_subject_is_none(begin: Begin, alice: Correspondent) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "RESIGN")
    alice.writes("I have read your letter.", subject="YES RESIGN", to=alice.letter.reply_to)
    alice.writes("", subject=f"YES {match.pk}")
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING


def test_a_late_yes_to_what_an_opponent_offered_does_nothing_else(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    first = begin("loa")
    second = begin("loa")
    [board] = [each for each in alice.letters if f"[{second.pk}]" in each.subject][-1:]
    alice.answers(board, "b1-b3")
    bruno.answers(bruno.letter, "a2-c2\nPATTA")
    offered = alice.letter
    alice.writes(f"RESIGN {first.pk}")
    alice.writes("daily letters would be enough for me, one email a day please")
    asked = alice.letter
    alice.answers(offered, "d1-d3")
    alice.answers(offered, "YES")
    alice.answers(offered, "YES RESIGN")
    for match in (first, second):
        match.refresh_from_db()
        assert match.status == Match.Status.PLAYING
    assert not Confirmation.objects.filter(agreed=True).exists()
    assert alice.answers(asked, "YES").verdict == "ok"


def test_a_named_yes_to_another_letter_of_the_match_answers_the_question(
    begin: Begin, alice: Correspondent
) -> None:
    match = begin("loa")
    board = alice.letter
    alice.answers(board, "RESIGN")
    assert alice.answers(board, "YES").verdict == Code.CONFIRM_NEEDED
    assert alice.answers(board, "YES RESIGN").verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
