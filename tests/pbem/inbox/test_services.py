"""Opening letters: queue by queue in order of arrival, three attempts each, one verdict in the end."""

from __future__ import annotations

import logging
from datetime import timedelta
from random import Random

import pytest
from django.db import OperationalError
from django.test import TestCase

from pbem.inbox import services
from pbem.inbox.commands.match_commands import Show
from pbem.inbox.handling.dispatch import HANDLERS
from pbem.inbox.interpretation import InterpretedMessage, interpret
from pbem.inbox.models import MOST_ATTEMPTS, OPEN_MAIL, InboundMail
from pbem.inbox.tasks import sweep
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.outbox.models import OutboundMail
from pbem.queue.models import LEASE
from pbem.refusals import Code
from tests.broker import Enqueued
from tests.mail_fixtures import Correspondent, Post, play_address


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    return match


def verdicts(*rows: InboundMail) -> list[str]:
    return [InboundMail.objects.get(pk=row.pk).verdict for row in rows]


def poisoned(monkeypatch: pytest.MonkeyPatch, *rows: InboundMail) -> None:
    """Reading these letters fails, as a fault of the program would make it."""
    sick = {row.pk for row in rows}

    def read_or_fail(row: InboundMail) -> InterpretedMessage:
        if row.pk in sick:
            raise RecursionError(f"letter {row.pk} is too much")
        return interpret(row)

    monkeypatch.setattr(services, "interpret", read_or_fail)


def test_two_letters_of_a_match_are_opened_in_the_order_of_arrival(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """Whichever task comes first. Bruno's letter only makes sense after Alice's."""
    first = post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email)
    second = post.keep(bruno.pens("PATTA"), bruno.letter.reply_to, bruno.email)
    assert first.queue_key == second.queue_key
    services.open_mail(second.pk, now=post.now)
    assert verdicts(first, second) == ["ok", ""]
    services.open_mail(second.pk, now=post.now)
    assert verdicts(first, second) == ["ok", "ok"]


def test_letters_of_one_sender_to_play_wait_for_each_other(
    post: Post, match: Match, alice: Correspondent
) -> None:
    rows = [post.keep(alice.pens(body), play_address(), alice.email) for body in ("GAMES", "HELP")]
    services.open_mail(rows[1].pk, now=post.now)
    assert verdicts(*rows) == ["ok", ""]


def test_opening_again_changes_nothing(post: Post, match: Match, alice: Correspondent) -> None:
    row = alice.answers(alice.letter, "b1-b3")
    for _ in range(3):
        services.open_mail(row.pk, now=post.now)
    assert Match.objects.get().ply == 1
    assert InboundMail.objects.get(pk=row.pk).attempts == 1


def test_a_leased_letter_is_left_to_its_reader(post: Post, match: Match, alice: Correspondent) -> None:
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to)
    InboundMail.objects.update(leased_until=post.now + LEASE, attempts=1)
    post.open()
    assert verdicts(row) == [""]
    post.wait(seconds=LEASE.total_seconds() + 1)
    post.open()
    assert verdicts(row) == ["ok"]


def test_whoever_fails_late_takes_the_letter_from_nobody(
    post: Post, match: Match, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading took longer than the lease, somebody else is at work on it, and then the reading failed."""
    row, theirs = post.keep(alice.pens("b1-b3"), alice.letter.reply_to), post.now + 3 * LEASE

    def read_too_long(row: InboundMail) -> InterpretedMessage:
        InboundMail.objects.filter(pk=row.pk).update(leased_until=theirs)
        raise RecursionError("too much")

    monkeypatch.setattr(services, "interpret", read_too_long)
    assert services.open_mail(row.pk, now=post.now)
    assert InboundMail.objects.get(pk=row.pk).leased_until == theirs


def test_who_knows_that_nobody_is_at_work_releases_what_is_leased(
    post: Post, match: Match, alice: Correspondent
) -> None:
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to)
    InboundMail.objects.filter(pk=row.pk).update(leased_until=post.now + LEASE)
    services.release_leases()
    post.open()
    assert verdicts(row) == ["ok"]


def test_what_another_opens_while_it_is_read_is_carried_out_once(
    post: Post, match: Match, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading took longer than the lease, and somebody else has opened the letter when it is done."""
    row = post.keep(alice.pens("b1-b3\nSHOW"), alice.letter.reply_to)

    def read_slowly(row: InboundMail) -> InterpretedMessage:
        monkeypatch.setattr(services, "interpret", interpret)
        assert services.open_mail(row.pk, now=post.now + 2 * LEASE)
        assert verdicts(row) == ["ok"]
        return interpret(row)

    monkeypatch.setattr(services, "interpret", read_slowly)
    assert services.open_mail(row.pk, now=post.now)
    post.wait(hours=1)
    post.send()
    assert alice.kinds() == ["turn", "played"]
    assert Match.objects.get().ply == 1
    assert InboundMail.objects.get(pk=row.pk).verdict == "ok"


def test_a_fault_is_tried_again(
    post: Post, match: Match, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to)
    with monkeypatch.context() as patch:
        poisoned(patch, row)
        post.open()
        assert verdicts(row) == [""]
    post.wait(minutes=1)
    post.open()
    assert verdicts(row) == ["ok"]
    assert InboundMail.objects.get(pk=row.pk).attempts == 2


def test_a_poison_letter_is_shunted_and_its_lane_goes_on(
    post: Post,
    match: Match,
    alice: Correspondent,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    poison = post.keep(alice.pens("b1-b3"), alice.letter.reply_to)
    healthy = post.keep(alice.pens("g1-g3"), alice.letter.reply_to)
    poisoned(monkeypatch, poison)
    with caplog.at_level(logging.ERROR):
        for _ in range(MOST_ATTEMPTS):
            post.open()
            assert verdicts(poison, healthy) == ["", ""]
            post.wait(minutes=1)
        post.open()
    assert verdicts(poison, healthy) == [Code.POISON, "ok"]
    assert InboundMail.objects.get(pk=poison.pk).attempts == MOST_ATTEMPTS
    assert Match.objects.get().record().moves == ("g1-g3",)
    assert Code.TRANSIENT in caplog.text
    assert Code.POISON in caplog.text
    post.send()
    assert "fault is ours" in "".join(letter.text for letter in alice.letters)


def locked(*_: object) -> None:
    raise OperationalError("database is locked")


@pytest.mark.prove
def test_faults_of_the_database_are_no_attempts(
    post: Post, match: Match, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email)
    begun = post.now
    with monkeypatch.context() as patch:
        patch.setattr(services, "process", locked)
        while post.now - begun < timedelta(hours=71):
            post.open()
            post.wait(minutes=11)
    row.refresh_from_db()
    assert (row.verdict, row.attempts, row.trouble.partition(" ")[0]) == ("", 0, "OperationalError")
    post.open()
    assert verdicts(row) == ["ok"]
    assert Match.objects.get().live_turns().get().played_at == begun


def test_what_causes_the_fault_itself_is_shunted_after_three_days_and_its_match_waits(
    post: Post, match: Match, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email)
    monkeypatch.setattr(services, "process", locked)
    for hours in (0, 71.9, 0.3):
        post.wait(hours=hours)
        post.open()
    assert verdicts(row) == [Code.POISON]
    assert Match.objects.get().stopped == ["shunted"]
    services.open_again(row)
    post.open()
    assert verdicts(row) == [""], "it has three days again"


def test_a_fault_that_cannot_even_be_written_down_is_no_attempt_either(
    post: Post, match: Match, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email)
    for _ in range(2 * MOST_ATTEMPTS):
        with monkeypatch.context() as patch:
            patch.setattr(services, "process", locked)
            patch.setattr(services, "_no_attempt", locked)
            services.open_mail(row.pk, now=post.now)
            with pytest.raises(OperationalError):
                services.open_mail(row.pk, now=post.now)
        services.DEFERRED.flush()
        post.wait(minutes=3)
    post.wait(minutes=10)
    post.open()
    assert verdicts(row) == ["ok"]


def test_a_pause_begins_with_the_end_of_the_attempt(
    post: Post, match: Match, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to)
    hour = iter([0, 3600.0, 3600.0])
    monkeypatch.setattr("pbem.queue.timer.monotonic", lambda: next(hour))
    poisoned(monkeypatch, row)
    services.open_mail(row.pk, now=post.now)
    row.refresh_from_db()
    assert row.leased_until == post.now + timedelta(hours=1, seconds=10)


def test_a_fault_while_doing_leaves_nothing_half_done(
    post: Post, match: Match, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = post.keep(alice.pens("b1-b3\nSHOW"), alice.letter.reply_to)
    with monkeypatch.context() as patch:
        patch.setitem(HANDLERS, Show, lambda *args: 1 / 0)
        post.open()
    assert verdicts(row) == [""]
    assert Match.objects.get().ply == 0
    post.wait(seconds=11)
    post.open()
    assert verdicts(row) == ["ok"]


def test_a_letter_opened_again_is_answered_again(post: Post, match: Match, alice: Correspondent) -> None:
    row = post.keep(alice.pens("SHOW"), alice.letter.reply_to)
    for _time in range(3):
        post.open()
        post.send()
        services.open_again(row)
    assert alice.kinds() == ["turn", "board", "board", "board"]
    assert len({letter.message["Message-ID"] for letter in alice.letters}) == 4


def test_the_organiser_opens_a_shunted_letter_again(post: Post, match: Match, alice: Correspondent) -> None:
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to)
    InboundMail.objects.update(verdict=Code.POISON, attempts=3, opened_at=post.now)
    services.open_again(row)
    post.open()
    assert verdicts(row) == ["ok"]
    assert Match.objects.get().ply == 1


def test_only_unopened_letters_wait(post: Post, alice: Correspondent) -> None:
    alice.writes("HELP")
    row = post.keep(alice.pens("GAMES"), play_address())
    assert list(services.waiting(now=post.now)) == [row.pk]
    InboundMail.objects.filter(pk=row.pk).update(leased_until=post.now + timedelta(seconds=1))
    assert list(services.waiting(now=post.now)) == []


def crowd(post: Post, alice: Correspondent, many: int) -> list[InboundMail]:
    """Of one sender each, some time ago."""
    return [post.keep(alice.pens("HELP"), play_address(), f"p{number}@example.org") for number in range(many)]


@pytest.fixture
def tasks(enqueued: Enqueued) -> list[int]:
    return enqueued[OPEN_MAIL]


def work(post: Post, tasks: list[int], many: int) -> None:
    """What a worker does with the first tasks of the queue."""
    for _ in range(many):
        pk = tasks.pop(0)
        with TestCase.captureOnCommitCallbacks(execute=True):
            services.open_next(pk, now=post.now)


def test_what_has_just_come_never_waits_behind_a_backlog(
    post: Post, match: Match, alice: Correspondent, tasks: list[int]
) -> None:
    with TestCase.captureOnCommitCallbacks(execute=True):
        old = crowd(post, alice, 20)
    post.wait(seconds=1)
    with TestCase.captureOnCommitCallbacks(execute=True):
        move = post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email)
    post.live()
    work(post, tasks, 2)
    assert verdicts(move) == ["ok"]
    assert sorted(verdicts(*old)) == [""] * 19 + verdicts(old[0]), "and the oldest is not forgotten"
    work(post, tasks, 19)
    assert tasks == []
    assert InboundMail.objects.unopened().count() == 0, "one task for each was enough"


def test_a_sweep_enqueues_no_more_than_was_lost(
    post: Post, match: Match, alice: Correspondent, tasks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with TestCase.captureOnCommitCallbacks(execute=True):
        crowd(post, alice, 6)
    monkeypatch.setattr("django.utils.timezone.now", lambda: post.now)
    sweep()
    assert len(tasks) == 6
    del tasks[2:]  # Redis was killed
    sweep()
    sweep()
    assert len(tasks) == 6


def test_a_lane_whose_first_letter_is_in_hands_is_not_enqueued(
    post: Post, match: Match, alice: Correspondent
) -> None:
    first, _ = (post.keep(alice.pens("HELP"), play_address(), alice.email) for _ in range(2))
    InboundMail.objects.filter(pk=first.pk).update(leased_until=post.now + LEASE)
    assert list(services.waiting(now=post.now)) == []
    assert services.oldest(post.now) is services.newest(post.now) is None


def test_a_task_that_found_its_letter_in_other_hands_is_made_up_for(
    post: Post, match: Match, alice: Correspondent, tasks: list[int]
) -> None:
    rows = [post.keep(alice.pens("HELP"), play_address(), alice.email) for _ in range(2)]
    post.live()
    tasks[:] = [rows[0].pk]  # the second was taken, in vain, while the first was opened
    work(post, tasks, 1)
    assert tasks == [rows[1].pk]


def test_what_is_written_knows_when_that_came_which_it_answers(
    post: Post, match: Match, alice: Correspondent
) -> None:
    came = post.now
    post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email)
    post.wait(hours=1)
    post.open()
    assert set(OutboundMail.objects.filter(status="waiting").values_list("arrived_at", flat=True)) == {came}
