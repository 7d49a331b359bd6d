"""Notes, plans and moves to try that are written as people talk: asked about, and kept from the opponent."""

from collections.abc import Callable

import pytest

from pbem.matches.models import ConditionalLine, Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent

Begin = Callable[..., Match]


@pytest.mark.parametrize(
    ("said", "note"),
    [
        ("Note to self: watch the corner at h1", "watch the corner at h1"),
        ("Just for me, not for Bruno: keep the middle", "keep the middle"),
        ("promemoria per me: attenzione alla colonna d", "attenzione alla colonna d"),
        (
            "segnati che voglio tenere il gruppo in basso, solo per i miei occhi",
            "voglio tenere il gruppo in basso",
        ),
    ],
)
def test_a_note_to_oneself_reaches_nobody_else(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, note: str
) -> None:
    begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, f"b1-b3\n{said}").verdict == Code.CONFIRM_NEEDED
    assert [note in letter.text for letter in bruno.reads()] == [False]
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert alice.answers(alice.letter, "NOTES").verdict == "ok"
    assert note in alice.letter.text
    assert bruno.reads() == []


@pytest.mark.parametrize(
    "said",
    [
        "If Bruno plays a2-c2 I'll answer b3-b5",
        "se lui fa a2-c2 allora io rispondo b3-b5",
        "I'll play b3-b5 if he goes a2-c2",
    ],
)
def test_a_plan_below_the_move_is_asked_about_and_played(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, f"b1-b3\n{said}").verdict == Code.CONFIRM_NEEDED
    shown = bruno.letter
    assert "b3-b5" not in shown.text.partition("Answer")[0]
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert ConditionalLine.objects.count() == 1
    assert bruno.answers(shown, "a2-c2").verdict == "ok"
    assert [turn.move for turn in match.live_turns()] == ["b1-b3", "a2-c2", "b3-b5"]


def test_where_moves_would_lead_is_asked_about_and_shown(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = begin("loa")
    bruno.reads()
    question = "Where do I end up if I play b1-b3 and he answers a2-c2?"
    assert alice.answers(alice.letter, question).verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert "b1-b3" in alice.letter.text
    assert match.ply == 0
    assert bruno.reads() == []


@pytest.mark.parametrize(
    "said",
    ["If you play a2-c2 I'll answer b1-b3", "se giochi a2-c2 io rispondo b1-b3", "this win is just for me"],
)
def test_what_is_said_to_the_opponent_is_talk(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    begin("loa")
    bruno.reads()
    assert alice.answers(alice.letter, f"b1-b3\n{said}").verdict == "ok"
    assert said in bruno.letter.text
