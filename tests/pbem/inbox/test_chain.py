"""The order of the chain, what a plain move does not pass through, and the one verdict of every path."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from types import FrameType
from typing import Any

import pytest

from pbem.inbox import chain, services
from pbem.inbox.chain import BY_SENDER, CHAIN, OF_PLAYERS, Row
from pbem.inbox.interpretation import AUTOMATIC
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match, Seat
from pbem.matches.services import start
from pbem.players.models import new_salt
from pbem.refusals import REFUSALS, Code
from tests.journeys.test_restore_drill import challenge, played
from tests.mail_fixtures import MORNING, Correspondent, Post, play_address, registered
from tests.processes import ROOT

OURS = (f"{ROOT}/pbem/", f"{ROOT}/games/")
MOST_FILES, MOST_FUNCTIONS = 74, 404  # of ours, from the claim of a letter to its verdict


def names(rows: Sequence[Row]) -> list[str]:
    return [claims.__name__ for claims, _ in rows]


def test_the_order_is_the_policy() -> None:
    assert names(CHAIN) == [
        "is_revoked",
        "is_report",
        "is_to(UnsubscribeRecipient)",
        "is_to(DoNotContactRecipient)",
        "is_repeated",
        "is_automatic",
        "is_unsearched",
        "has_no_sender",
        "is_to(LostRecipient)",
        "is_to(ConfirmRecipient)",
        "is_to(InvitationRecipient)",
        "is_to(LetterRecipient)",
        "is_spam",
        "always",
    ]
    assert names(BY_SENDER) == [
        "is_plain",
        "says_goodbye",
        "regrets",
        "is_silenced",
        "signs_up",
        "is_shared",
        "is_noticed",
        "leaves",
        "answers_organiser",
        "always",
    ]
    assert names(OF_PLAYERS) == [
        "is_to_robot",
        "may_move_in_subject",
        "is_unread_of_known",
        "is_unread_of_known",
        "is_unread_of_known",
        "is_unread_of_known",
        "is_for_organiser",
        "is_understood",
        "is_talk",
        "is_held",
        "has_too_many_answers",
        "is_unclear",
        "always",
    ]


def test_a_message_that_no_row_claims_raises() -> None:
    message: Any = None
    with pytest.raises(LookupError):
        chain.run([(lambda _: False, lambda _: "ok")], message)


def test_an_action_that_returns_none_passes_the_message_on() -> None:
    message: Any = None
    always = lambda _: True  # noqa: E731
    assert chain.run([(always, lambda _: None), (always, lambda _: "ok")], message) == "ok"


@contextmanager
def traced() -> Iterator[set[tuple[str, str]]]:
    """The functions of ours that are entered in the block, by their files."""
    entered: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS) and not code.co_name.startswith("<"):
            entered.add((code.co_filename, code.co_qualname))

    sys.setprofile(note)
    try:
        yield entered
    finally:
        sys.setprofile(None)


@pytest.mark.django_db
def test_a_plain_move_goes_straight_to_the_board(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """No classifier, no question that may wait, no stranger's wish is asked about it."""
    alice, bruno = registered(post, "Alice", "en"), registered(post, "Bruno", "it")
    match = challenge(alice, bruno, "SÌ")
    rng = Random(1)
    played(post, match.pk, alice, bruno, rng=rng, turns=2)
    found: list[set[tuple[str, str]]] = []
    opens = services._open

    def watched(*letter: Any) -> None:
        with traced() as entered:
            opens(*letter)
        found.append(entered)

    monkeypatch.setattr(services, "_open", watched)
    played(post, match.pk, alice, bruno, rng=rng, turns=1)
    [entered] = found
    files = {file.removeprefix(f"{ROOT}/") for file, _ in entered}
    for absent in (
        "intents/",
        "newcomers",
        "player_message",
        "goodbye",
        "strangers",
        "unsure_answers",
    ):
        assert not [file for file in files if absent in file], absent
    assert len(files) <= MOST_FILES
    assert len(entered) <= MOST_FUNCTIONS


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    post.send()
    return match


def test_every_kind_of_automatic_mail_has_a_silent_code() -> None:
    assert all(not REFUSALS[code].answered for code in AUTOMATIC.values())


def test_the_row_says_what_was_read(match: Match, alice: Correspondent) -> None:
    row = alice.answers(alice.letter, "b1-b3\nHello")
    assert (row.player, row.match, row.opened_at) == (alice.player, match, MORNING)
    assert row.reading["from"] == ["alice@example.org"]
    assert (row.reading["token"], row.reading["dmarc"], row.reading["decision"]) == (
        "current",
        "pass",
        "APPLY",
    )
    assert (row.reading["commands"], row.reading["chat"]) == (["b1-b3"], "Hello")


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("", Code.EMPTY),
        ("   \n \n", Code.EMPTY),
        ("> b1-b3", Code.QUOTED_ONLY),
        ("What 4 nice days", Code.NO_MOVE_FOUND),
        ("b1-b3\ng1-g3", Code.SEVERAL_MOVES),
        ("x" * 17000, Code.TOO_LONG),
        ("-----BEGIN PGP MESSAGE-----\nabc", Code.ENCRYPTED),
    ],
)
def test_what_cannot_be_understood_is_answered_to_the_player(
    match: Match, alice: Correspondent, body: str, verdict: str
) -> None:
    assert alice.writes(body, to=alice.letter.reply_to).verdict == verdict
    assert alice.letter.kind == "refused"


def test_what_cannot_be_understood_from_somebody_else_is_not(
    match: Match, alice: Correspondent, charlie: Correspondent
) -> None:
    before = len(alice.letters)
    assert charlie.writes("What a nice day", to=alice.letter.reply_to).verdict == Code.NO_MOVE_FOUND
    assert len(alice.letters) == before
    assert charlie.letters == []


def test_a_letter_of_a_thousand_headers_is_not_searched(
    post: Post, match: Match, alice: Correspondent, charlie: Correspondent
) -> None:
    """Only a player who is known to have written it hears of it."""
    flood = b"X-Flood: 1\r\n" * 1_001
    to, before = alice.letter.reply_to, len(alice.letters)

    assert post.deliver(flood + charlie.pens("b1-b3"), to, charlie.email).verdict == Code.TOO_COMPLEX
    assert (len(alice.letters), charlie.letters) == (before, [])
    letter = alice.pens("b1-b3").replace(b"MIME-Version:", flood + b"MIME-Version:")
    assert post.deliver(letter, to, alice.email).verdict == Code.TOO_COMPLEX
    assert "too many headers" in alice.letter.text
    assert Match.objects.get().ply == 0


def test_a_subject_is_enough_but_only_if_it_says_something(match: Match, alice: Correspondent) -> None:
    assert alice.writes("", subject="GAMES").verdict == "ok"
    assert alice.writes("", subject="Hello").verdict == Code.EMPTY


def test_a_mistyped_verb_is_suggested(match: Match, alice: Correspondent) -> None:
    assert alice.writes("CHALENGE Bruno").verdict == Code.NO_MOVE_FOUND
    assert "CHALLENGE who game" in alice.letter.text
    assert "CHALENGE Bruno" in alice.letter.text


def test_an_address_that_died_while_the_letter_waited(post: Post, match: Match, alice: Correspondent) -> None:
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to)
    Seat.objects.update(salt=new_salt())  # without remembering the old one
    post.open()
    row.refresh_from_db()
    assert row.verdict == Code.REVOKED
    assert Match.objects.get().ply == 0


def test_a_letter_to_two_of_our_addresses_is_read_at_the_first(
    post: Post, match: Match, alice: Correspondent
) -> None:
    """The move is played for one copy; the other, to play@, needs no answer."""
    raw = alice.pens("b1-b3")
    rows = [post.deliver(raw, to, alice.email) for to in (alice.letter.reply_to, play_address())]
    assert [row.verdict for row in rows] == ["ok", Code.DUPLICATE]
    assert InboundMail.objects.count() == 2
    assert alice.letter.kind == "played"


def test_another_letter_with_the_same_name_is_asked_about(
    post: Post, match: Match, alice: Correspondent
) -> None:
    """Anyone who has a letter can write anything below its headers."""
    raw = alice.pens("b1-b3")
    assert post.deliver(raw, alice.letter.reply_to, alice.email).verdict == "ok"
    other = raw.replace(b"b1-b3", b"STOP ALL")
    assert post.deliver(other, play_address(), alice.email).verdict == Code.CONFIRM_NEEDED
    assert alice.letter.kind == "confirm"
