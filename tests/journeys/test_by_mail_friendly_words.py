"""A yes or no with words beside it, in answer to letters that ask: it counts, and the words arrive."""

from collections.abc import Callable

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.post import Correspondent

Begin = Callable[..., Match]
PLAIN = ("accetto con molto piacere", "Alright mate, I'm in")  # nothing is said beside the answer


def offered(begin: Begin, alice: Correspondent, bruno: Correspondent) -> Match:
    """Alice has offered a draw with her move."""
    match = begin("loa")
    assert alice.answers(alice.letter, "b1-b3\nDRAW").verdict == "ok"
    return match


@pytest.mark.parametrize(
    "said",
    [
        "Yes, and hi Alice!",
        "SI. E non barare!",
        "accetto con molto piacere",
        "Alright mate, I'm in",
        "Volentieri, ma stavolta vinco io!",
    ],
)
def test_a_draw_is_agreed_with_friendly_words_which_arrive(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = offered(begin, alice, bruno)
    assert bruno.answers(bruno.letter, said).verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    assert said in PLAIN or f"  | {said}" in alice.letter.text


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
        "yes but first tell me how you are",
        "yes?",
        "yes if you promise a takeback",
        "sì ma prima dimmi come stai",
        "Brilliant!",
        "Excellent!",
        "Gioca",
        "Go on",
        "Let's play!",
        "Che partita!",
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
        ("Sì, mi arrendo", ""),
        ("Yes, I give up", ""),
        ("sì mi ritiro", ""),
        ("yes I resign", ""),
        ("sì, e complimenti a Bruno", "sì, e complimenti a Bruno"),
        ("Yes. And say hi to your wife!", "Yes. And say hi to your wife!"),
    ],
)
def test_to_resign_is_confirmed_in_other_words(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, along: str
) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, "RESIGN").verdict == Code.CONFIRM_NEEDED
    bruno.reads()
    assert alice.answers(alice.letter, said).verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    assert (f"  | {said}" in bruno.letter.text) == bool(along)
    assert along in bruno.letter.text


def test_a_yes_that_says_another_thing_resigns_nothing(begin: Begin, alice: Correspondent) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "RESIGN")
    question = alice.letter
    assert alice.answers(question, "Yes, show me the board").verdict == "ok"
    assert alice.answers(question, "Yes, but not yet").verdict == Code.NO_MOVE_FOUND
    assert Confirmation.objects.get().used_at is None
    assert alice.answers(question, "Sì, facciamo patta").verdict == Code.CONFIRM_NEEDED
    match.refresh_from_db()
    assert (match.status, match.draw_offered_by) == (Match.Status.PLAYING, None)
    assert "DRAW" in alice.letter.text, "asked about in the place of the other"


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
