"""What saves a clock counts from its arrival at the door, however late it is opened; what comes too late saves none."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from pytest_django import Settings

from pbem.inbox.models import LONGEST_KEEPING
from pbem.inbox.time_forfeits import flag_overdue
from pbem.matches import tasks
from pbem.matches.clock.outages import beat, coming_back
from pbem.matches.models import Component, Heartbeat, Match
from pbem.outbox.delivery.smtp import DeliveryError
from pbem.outbox.models import OutboundMail
from pbem.players.models import Absence
from pbem.refusals import Code
from tests.mail_fixtures import MORNING, Correspondent, Post, play_address

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
DEADLINE = MORNING + 3 * DAY
THURSDAY_MIDNIGHT = MORNING + 3 * DAY + 13 * HOUR  # the end of that day in Rome


@pytest.fixture(autouse=True)
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    """Lines of Action at three days a move, Alice to move."""
    alice.writes("CHALLENGE Bruno loa first 3d/move")
    bruno.answers(bruno.letter, "SÌ")
    return Match.objects.get()


def flags(post: Post) -> int:
    post.now += LONGEST_KEEPING + timedelta.resolution
    post.live()
    return flag_overdue(now=post.now)


def deadline(match: Match) -> datetime | None:
    match.refresh_from_db()
    return match.deadline


def arrives(post: Post, who: Correspondent, words: str, at: datetime, to: str = "") -> None:
    """And lies unopened for an hour, over the deadline."""
    post.now = at
    post.keep(who.pens(words), to or play_address(), who.email)
    post.now = DEADLINE + HOUR
    assert flags(post) == 0
    post.open()
    post.send()


def test_an_absence(post: Post, alice: Correspondent, match: Match) -> None:
    arrives(post, alice, "AWAY 2 DAYS", DEADLINE - 5 * MINUTE)
    assert deadline(match) == THURSDAY_MIDNIGHT + DAY + 5 * MINUTE
    assert flags(post) == 0


def test_an_absence_that_comes_too_late_saves_nothing(post: Post, alice: Correspondent, match: Match) -> None:
    post.now = DEADLINE + MINUTE
    alice.writes("AWAY 2 DAYS")
    assert flags(post) == 1


@pytest.mark.parametrize("first", ["AWAY 2 DAYS", "SET ZONE Rome", "SET ZONE Tokyo", "SET WEEKEND no"])
def test_nothing_winds_up_a_clock_that_has_run_out(
    post: Post, alice: Correspondent, match: Match, first: str
) -> None:
    """In the minute before the flag."""
    post.now = DEADLINE + MINUTE / 2
    for words in (first, f"MOVE {match.pk} b1-b3"):
        alice.writes(words)
    alice.writes(f"{first}\nMOVE {match.pk} b1-b3")
    assert deadline(match) == DEADLINE
    assert match.ply == 0


def test_the_yes_to_a_pause(post: Post, alice: Correspondent, bruno: Correspondent, match: Match) -> None:
    alice.answers(alice.letter, "PAUSE 3 days")
    arrives(post, bruno, "SÌ", DEADLINE - 20 * MINUTE, to=bruno.letter.reply_to)
    post.wait(days=3)
    post.live()
    tasks.sweep_clocks(now=post.now)
    assert deadline(match) == post.now + 20 * MINUTE


def test_who_moves_late_because_we_were_away_keeps_his_days_of_absence(post: Post, match: Match) -> None:
    """The first thing that we do is to give the lost time back."""
    Heartbeat.objects.all().delete()
    beat(Component.WORKER, now=DEADLINE - HOUR)
    post.now = DEADLINE - 5 * MINUTE
    tasks.sweep_clocks(now=post.now)
    assert deadline(match) == DEADLINE + 55 * MINUTE + coming_back(55 * MINUTE)
    assert not Absence.objects.exists()


def test_nor_is_a_day_spent_while_the_door_is_shut(post: Post, match: Match) -> None:
    beat(Component.DOOR, now=DEADLINE - HOUR)
    post.now = DEADLINE - 5 * MINUTE
    post.live()
    tasks.sweep_clocks(now=post.now)
    assert not Absence.objects.exists()
    beat(Component.DOOR, now=post.now)
    assert deadline(match) == DEADLINE + 55 * MINUTE + coming_back(55 * MINUTE)


@pytest.mark.parametrize("away", [Component.DOOR, Component.MAILBOX])
def test_a_move_that_comes_by_another_way_while_one_is_shut_is_in_time(
    post: Post, alice: Correspondent, match: Match, settings: Settings, away: Component
) -> None:
    """Nobody can know yet for how long it will have been: that is in no ledger before it is back."""
    settings.IMAP_URL = "imaps://pbem:secret@mail.example.org/INBOX"
    beat(away, now=DEADLINE - HOUR)
    post.now = DEADLINE + HOUR
    assert alice.writes(f"MOVE {match.pk} b1-b3").verdict == "ok"
    post.wait(hours=1)
    beat(away, now=post.now)
    match.refresh_from_db()
    [turn] = match.seated[0].clock_turns.all()
    assert turn.lasted == 3 * DAY - HOUR


def test_a_move_that_was_late_before_one_was_shut_is_late(
    post: Post, alice: Correspondent, match: Match
) -> None:
    beat(Component.DOOR, now=DEADLINE + MINUTE)
    post.now = DEADLINE + HOUR
    assert alice.writes(f"MOVE {match.pk} b1-b3").verdict == Code.DEADLINE_PASSED


@pytest.mark.parametrize("brought_by", ["undone", "cascade", "turn"])
def test_a_turn_begins_with_the_letter_that_brings_it(
    post: Post, alice: Correspondent, bruno: Correspondent, match: Match, brought_by: str
) -> None:
    """No relay takes it for five hours: those are not the player's, whatever sort of letter it is."""
    alice.answers(alice.letter, "b1-b3\nSE QUALSIASI ALLORA b3-b1" if brought_by == "cascade" else "b1-b3")
    if brought_by == "undone":
        alice.answers(alice.letter, "UNDO")
    post.wait(hours=2)
    post.mailboxes.failure = DeliveryError("451 4.7.1 Greylisted")
    answer = {"undone": "SÌ", "cascade": "a2-c2", "turn": "a2-c2"}[brought_by]
    post.deliver(bruno.pens(answer), bruno.letter.reply_to, bruno.email)
    began = post.now
    post.wait(hours=5)
    post.mailboxes.failure = None
    OutboundMail.objects.update(next_try_at=post.now)
    post.live()
    post.send()
    mover = bruno if brought_by == "cascade" else alice
    assert mover.letter.kind == brought_by
    assert deadline(match) == began + 5 * HOUR + 3 * DAY


def test_a_door_whose_clock_is_slow_flags_nobody_while_it_keeps_his_letter(post: Post, match: Match) -> None:
    """Its minute before the deadline is ours after it: it alone knows what it still holds in its hands."""
    late = DEADLINE + 10 * MINUTE
    Heartbeat.objects.all().delete()
    beat(Component.WORKER, now=late)
    beat(Component.DOOR, now=DEADLINE + LONGEST_KEEPING)
    assert flag_overdue(now=late) == 0
    beat(Component.DOOR, now=DEADLINE + LONGEST_KEEPING + MINUTE)
    assert flag_overdue(now=late) == 1
