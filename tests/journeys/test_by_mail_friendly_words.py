"""A yes with words below it, and a no with words beside it, in answer to letters that ask: both count, and the words
arrive."""

from collections.abc import Callable

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent

Begin = Callable[..., Match]


def offered(begin: Begin, alice: Correspondent, bruno: Correspondent) -> Match:
    """Alice has offered a draw with her move."""
    match = begin("loa")
    assert alice.answers(alice.letter, "b1-b3\nDRAW").verdict == "ok"
    return match


@pytest.mark.parametrize("yes", ["YES DRAW", "Sì, patta", "PATTA", "Draw: yes"])
def test_a_draw_is_agreed_with_friendly_words_below_which_arrive(
    begin: Begin, alice: Correspondent, bruno: Correspondent, yes: str
) -> None:
    match = offered(begin, alice, bruno)
    assert bruno.answers(bruno.letter, f"{yes}\nBella partita, ci sentiamo domenica").verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    assert "  | Bella partita, ci sentiamo domenica" in alice.letter.text


@pytest.mark.parametrize("said", ["no thanks, play on!", "No grazie, gioca!", "Nemmeno per sogno, vinco io!"])
def test_a_draw_is_declined_with_friendly_words(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = offered(begin, alice, bruno)
    assert bruno.answers(bruno.letter, said).verdict == "ok"
    match.refresh_from_db()
    assert (match.status, match.draw_offered_by) == (Match.Status.PLAYING, None)


@pytest.mark.parametrize(
    "said",
    [
        "yes",
        "yes?",
        "Yes, and hi Alice!",
        "accetto con molto piacere",
        "Volentieri, ma stavolta vinco io!",
        "yes draw if you promise a takeback",
        "sì ma prima dimmi come stai",
        "Brilliant!",
        "Go on",
    ],
)
def test_what_is_no_plain_yes_ends_no_match(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = offered(begin, alice, bruno)
    alice.reads()
    bruno.reads()
    row = bruno.answers(bruno.letter, said)
    match.refresh_from_db()
    assert (match.status, match.draw_offered_by) == (Match.Status.PLAYING, 0)
    assert row.verdict in (Code.NO_MOVE_FOUND, Code.CONFIRM_NEEDED)
    assert bruno.reads(), "its writer hears that it was no answer"
    assert alice.reads() == []


@pytest.mark.parametrize(
    ("said", "along"),
    [
        ("Sì, abbandono", ""),
        ("Hi! Yes please, resign.", ""),
        ("RESIGN", ""),
        ("YES RESIGN\nComplimenti a Bruno", "  | Complimenti a Bruno"),
        ("Resign: yes\n\nSay hi to your wife!", "  | Say hi to your wife!"),
    ],
)
def test_to_resign_is_confirmed_by_yes_and_its_word(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, along: str
) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, "RESIGN").verdict == Code.CONFIRM_NEEDED
    bruno.reads()
    assert alice.answers(alice.letter, said).verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    assert ("Alice scrive" in bruno.letter.text) == bool(along)
    assert along in bruno.letter.text


@pytest.mark.parametrize("said", ["YES", "Sì, mi arrendo", "yes I resign", "Yes. And say hi to your wife!"])
def test_to_resign_in_other_words_resigns_nothing_yet(begin: Begin, alice: Correspondent, said: str) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "RESIGN")
    assert alice.answers(alice.letter, said).verdict in (Code.NO_MOVE_FOUND, Code.CONFIRM_NEEDED)
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING
    assert "YES RESIGN" in alice.letter.text
    assert alice.answers(alice.letter, "YES RESIGN").verdict == "ok"


def test_a_yes_that_says_another_thing_resigns_nothing(begin: Begin, alice: Correspondent) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "RESIGN")
    question = alice.letter
    assert alice.answers(question, "Yes, show me the board").verdict == "ok"
    assert alice.answers(question, "Yes, but not yet").verdict == Code.NO_MOVE_FOUND
    assert alice.answers(question, "Sì, facciamo patta").verdict == Code.NO_MOVE_FOUND
    assert Confirmation.objects.get().used_at is None
    match.refresh_from_db()
    assert (match.status, match.draw_offered_by) == (Match.Status.PLAYING, None)


@pytest.mark.parametrize(
    "said",
    [
        "Basta così, mi ritiro, non ho tempo.",
        "Mi arrendo, non ho più voglia",
        "I give up, no time",
        "No, I resign.",
    ],
)
def test_to_resign_with_a_reason_is_asked_about(begin: Begin, alice: Correspondent, said: str) -> None:
    begin("loa")
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    assert "Resign match" in alice.letter.text


@pytest.mark.parametrize("said", ["Should I resign? No, not yet.", "mi arrendo? No, non ancora."])
def test_who_does_not_resign_is_not_asked(begin: Begin, alice: Correspondent, said: str) -> None:
    begin("loa")
    alice.answers(alice.letter, said)
    assert "Resign match" not in alice.letter.text


def test_of_a_confirmed_line_nobody_is_told_that_their_words_were_not_read(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin("loa")
    alice.answers(alice.letter, "lovely that it worked! My move is b1-b3.")
    Confirmation.objects.update(lines=["b1-b3", "a line of an older grammar"])
    alice.answers(alice.letter, "YES")
    assert "lovely that it worked!" in bruno.letter.text
    assert "has not read these words" not in alice.letter.text
