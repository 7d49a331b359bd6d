"""One letter's commands: in order, each in a savepoint, each answered, matches locked in one order."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.move_numbers import MoveNumber
from pbem.inbox.commands.command import Games, Help, Register, Say
from pbem.inbox.commands.match_commands import Accept, Challenge, Draw, Move, Show
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.dispatch import handle_all
from pbem.inbox.models import InboundMail
from pbem.inbox.recipient import PlayRecipient
from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.responder import Responder
from pbem.matches.models import Event, Match
from pbem.matches.services import start
from pbem.outbox.models import OutboundMail
from pbem.refusals import Code
from tests.mail_fixtures import MORNING, Correspondent, Post, play_address

Do = Callable[..., CommandContext]


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    post.send()
    return match


@pytest.fixture
def work(post: Post, match: Match, alice: Correspondent) -> Do:
    """A letter of Alice's to be done: in reply to her turn letter, or to play@."""

    def work(*, reply: bool = True) -> CommandContext:
        to = alice.letter.reply_to if reply else play_address()
        row = post.keep(alice.pens("whatever"), to)
        responder = Responder(row, identified=True, now=MORNING)
        return CommandContext(responder, alice.player, resolve_recipient(to, MORNING))

    return work


def answered(row: InboundMail) -> list[str]:
    """What the sender is told, section by section."""
    return [
        section["kind"]
        for letter in OutboundMail.objects.filter(cause=f"letter:{row.pk}")
        for section in letter.sections
    ]


def test_commands_are_done_in_order(work: Do) -> None:
    context = work()
    assert handle_all(context, [Games(), Move("b1-b3"), Draw(), Help()], chat="") == ["ok"] * 4
    assert answered(context.row) == ["games", "played", "offered", "help"]


def test_a_refusal_stops_nothing_but_itself(work: Do) -> None:
    context = work()
    assert handle_all(context, [Accept(), Move("b1-b4"), Show(match=999), Games()], chat="") == [
        Code.OFFER_GONE,
        Code.ILLEGAL_MOVE,
        Code.NO_SUCH_MATCH,
        "ok",
    ]
    assert answered(context.row) == ["refused", "refused", "refused", "games"]


def test_chat_rides_on_the_move_if_there_is_one(work: Do, match: Match) -> None:
    handle_all(work(), [Move("b1-b3")], chat="Hello")
    assert match.turns.get().message == "Hello"
    assert not match.events.filter(kind=Event.Kind.SAID).exists()


def test_chat_without_a_move_goes_alone(work: Do, match: Match) -> None:
    handle_all(work(), [Draw()], chat="Hello")
    assert match.events.get(kind=Event.Kind.SAID).facts == {"text": "Hello"}


def test_chat_goes_nowhere_when_nothing_could_be_done(work: Do, match: Match) -> None:
    handle_all(work(), [Move("b1-b4")], chat="Ha!")
    assert not match.events.filter(kind=Event.Kind.SAID).exists()


def test_a_letter_to_play_talks_to_nobody(work: Do, match: Match) -> None:
    context = work(reply=False)
    assert not context.says("Hello")
    handle_all(context, [Games()], chat="Hello")
    assert not match.events.filter(kind=Event.Kind.SAID).exists()


def test_say_names_its_match_or_means_the_one_answered(work: Do, match: Match) -> None:
    assert handle_all(work(), [Say("one")], chat="") == ["ok"]
    assert handle_all(work(reply=False), [Say("two", match.pk), Say("three", 999)], chat="") == [
        "ok",
        Code.NO_SUCH_MATCH,
    ]
    assert [event.facts["text"] for event in match.events.filter(kind=Event.Kind.SAID)] == ["one", "two"]


def test_a_move_guarded_by_its_number(work: Do) -> None:
    assert handle_all(work(), [Move("b1-b3", number=MoveNumber(2))], chat="") == [Code.STALE_TURN]
    assert handle_all(work(), [Move("b1-b3", number=MoveNumber(1))], chat="") == ["ok"]


@pytest.mark.parametrize(
    ("command", "code"),
    [(Register(name="Al"), Code.ALREADY_REGISTERED), (Help(topic="halma"), Code.NO_SUCH_GAME)],
)
def test_what_cannot_be_had(work: Do, command: Register | Help, code: str) -> None:
    assert handle_all(work(), [command], chat="") == [code]


def test_whoever_is_not_there_cannot_be_challenged(work: Do) -> None:
    codes = handle_all(
        work(), [Challenge("Nobody", "loa"), Challenge("Alice", "loa"), Challenge("Bruno", "loa:x")], chat=""
    )
    assert codes == [Code.NO_SUCH_PLAYER, Code.AGAINST_YOURSELF, Code.NO_SUCH_GAME]


def test_matches_are_locked_in_one_order_before_the_first_is_changed(
    work: Do, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    second = start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    context = work(reply=False)
    with CaptureQueriesContext(connection) as queries:
        handle_all(context, [Move("b1-b3", second.pk), Move("b1-b3", match.pk)], chat="")
    assert list(context.locked) == sorted([match.pk, second.pk])
    said = [query["sql"] for query in queries]
    locking = next(n for n, sql in enumerate(said) if "matches_match" in sql and "ORDER BY" in sql)
    changing = next(n for n, sql in enumerate(said) if sql.startswith(("UPDATE", "INSERT")))
    assert locking < changing


def test_a_seat_is_the_players_own_or_none(work: Do, charlie: Correspondent, match: Match) -> None:
    row = work().row
    theirs = CommandContext(Responder(row, identified=True, now=MORNING), charlie.player, PlayRecipient())
    assert (
        handle_all(theirs, [Show(match.pk), Move("b1-b3", match.pk), Show()], chat="")
        == [Code.NO_SUCH_MATCH] * 3
    )
