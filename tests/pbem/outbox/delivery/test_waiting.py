"""Who waits for whom: pauses, slow domains, a relay that wants none of us, and crowds."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import TestCase
from pytest_django import Settings

from pbem.outbox import sending
from pbem.outbox.delivery.smtp import Refusal, RelayAway, RelayRefuses, ReplyLost, TemporaryFailure
from pbem.outbox.delivery.status_codes import Disposition, slows
from pbem.outbox.models import (
    BACK_OFF,
    JITTER,
    MOST_ATTEMPTS,
    PAUSES,
    RELAY,
    SEND_MAIL,
    OutboundMail,
    SlowDomain,
    go_on,
    pause_after,
    slow_down,
)
from pbem.outbox.notifications.notify import write_to_address
from pbem.outbox.sending import oldest
from pbem.outbox.tasks import sweep
from pbem.queue.models import LEASE
from pbem.refusals import Code
from tests.broker import Enqueued
from tests.mail_fixtures import Post

Status = OutboundMail.Status
Writing = Callable[..., OutboundMail]


@pytest.fixture
def write(post: Post) -> Writing:
    """A letter to an address; about nothing in particular."""

    def write(address: str, number: int = 1) -> OutboundMail:
        section = {"kind": "invitation", "host": "Olga", "note": ""}
        cause = f"test:{number}"
        return write_to_address(address, language="en", cause=cause, section=section, now=post.now)

    return write


def verdicts(*rows: OutboundMail) -> list[tuple[str, str]]:
    known = OutboundMail.objects.in_bulk([row.pk for row in rows])
    return [(known[row.pk].status, known[row.pk].verdict) for row in rows]


def test_the_pauses_are_those_of_the_table() -> None:
    minutes = [1, 5, 15, 60, 240, 240, 240]
    assert [pause.total_seconds() / 60 for pause in BACK_OFF] == minutes[:5]
    for attempts, meant in enumerate(minutes, start=1):
        for _ in range(20):
            assert (
                abs(pause_after(attempts, Disposition.WAITS).total_seconds() / 60 - meant) <= meant * JITTER
            )
    assert pause_after(1, Disposition.WAITS_LONG) >= BACK_OFF[-1] * (1 - JITTER)
    whole = sum((BACK_OFF[min(n, len(BACK_OFF)) - 1] for n in range(1, MOST_ATTEMPTS + 1)), timedelta())
    assert timedelta(days=5) <= whole < timedelta(days=5, hours=4)


def test_letters_refused_together_do_not_come_back_together() -> None:
    assert len({pause_after(2, Disposition.WAITS) for _ in range(50)}) > 40


@pytest.mark.parametrize(
    ("failure", "status", "verdict", "hours"),
    [
        (TemporaryFailure("450 4.2.1 receiving too quickly"), Status.WAITING, Code.SOFT, 0),
        (TemporaryFailure("452 4.2.2 over quota"), Status.WAITING, Code.MAILBOX_FULL, 4),
        (Refusal("552 5.2.2 over quota"), Status.WAITING, Code.MAILBOX_FULL, 4),
        (Refusal("550 5.7.1 block list (S3140)"), Status.WAITING, Code.POLICY, 4),
        (RelayRefuses("535 5.7.8 Authentication credentials invalid"), Status.WAITING, Code.POLICY, 4),
        (ReplyLost("timed out"), Status.WAITING, Code.UNKNOWN_REPLY, 0),
        (Refusal("550 5.1.1 no such user"), Status.FAILED, Code.HARD, None),
        (Refusal("552 5.3.4 too big"), Status.FAILED, Code.LETTER, None),
    ],
)
def test_each_fate_becomes_of_the_letter_what_the_table_says(
    post: Post, write: Writing, failure: Exception, status: str, verdict: str, hours: int | None
) -> None:
    row = write("alice@example.org")
    post.mailboxes.failure = failure
    post.send()
    assert verdicts(row) == [(status, verdict)]
    row.refresh_from_db()
    assert row.answer == str(failure)
    assert row.leased_until is None
    if hours is not None:
        pause = row.next_try_at - post.now
        assert pause >= timedelta(hours=hours) * (1 - JITTER)
        assert pause <= timedelta(hours=hours or 1) * (1 + JITTER)


def test_after_five_days_it_ends_as_expired_but_policy_stays_ours(post: Post, write: Writing) -> None:
    full, blocked = write("alice@example.org", 1), write("bruno@example.it", 2)
    failures = {full.pk: TemporaryFailure("452 4.2.2 full"), blocked.pk: Refusal("550 5.7.1 block list")}
    for pk, failure in failures.items():
        OutboundMail.objects.filter(pk=pk).update(attempts=MOST_ATTEMPTS)
        post.mailboxes.failure = failure
        sending.send(pk, now=post.now, sender=post.sender)
    assert verdicts(full, blocked) == [(Status.FAILED, Code.DELIVERY_EXPIRED), (Status.FAILED, Code.POLICY)]


def test_a_reply_that_was_lost_keeps_the_text_and_the_message_id(post: Post, write: Writing) -> None:
    """Its reader may have it; they may answer it, and get it again."""
    row = write("alice@example.org")
    post.mailboxes.failure = ReplyLost("timed out")
    post.send()
    row.refresh_from_db()
    assert "Olga" in row.text
    post.mailboxes.failure = None
    post.wait(minutes=2)
    post.send()
    [copy] = post.mailboxes.boxes["alice@example.org"]
    assert copy.message["Message-ID"] == row.message_id


def test_a_cause_that_speaks_again_after_an_attempt_writes_another_letter(post: Post, write: Writing) -> None:
    """The one that was tried may have arrived; a mail program drops a second one with its Message-ID."""
    row = write("alice@example.org")
    post.mailboxes.failure = ReplyLost("timed out")
    post.send()
    second = write_to_address(
        "alice@example.org", language="en", cause="test:1", section={"kind": "help"}, now=post.now
    )
    assert second.pk != row.pk
    assert second.message_id != row.message_id


@pytest.mark.parametrize(
    ("reply", "waits"),
    [
        ("421 4.7.0 [TSS04] deferred", True),
        ("421 closing", True),
        ("450 4.7.1 come back in 300 seconds", True),
        ("451 Greylisted", True),
        ("451 4.3.0 out of memory", True),
        ("550 5.7.1 block list", True),
        ("450 4.2.1 this user receives too quickly", False),
        ("452 4.2.2 full", False),
        ("450 4.1.1 user unknown", False),
        ("550 5.1.1 user unknown", False),
        ("552 5.3.4 too big", False),
    ],
)
def test_what_is_said_of_one_mailbox_slows_no_domain(reply: str, waits: bool) -> None:
    assert slows(reply) is waits


def test_a_slow_domain_waits_and_the_others_go_on(post: Post, write: Writing) -> None:
    greylisted, same, other = (
        write(address, number)
        for number, address in enumerate(("alice@slow.example", "bob@slow.example", "bruno@example.it"))
    )
    post.mailboxes.failure = TemporaryFailure("450 4.7.1 greylisted")
    sending.send(greylisted.pk, now=post.now, sender=post.sender)
    post.mailboxes.failure = None
    post.send()
    assert [status for status, _ in verdicts(greylisted, same, other)] == ["waiting", "waiting", "sent"]
    sending.send(same.pk, now=post.now, sender=post.sender)  # a task comes all the same
    same.refresh_from_db()
    assert (same.status, same.attempts, same.failures) == ("waiting", 0, 0), "nothing was tried"
    post.now += PAUSES[0]
    post.send()
    same.refresh_from_db()
    assert same.status == "sent"
    assert not SlowDomain.objects.exists(), "it takes letters again"


@pytest.mark.parametrize(
    "failure", [TemporaryFailure("timed out", silent=True), ReplyLost("timed out", silent=True)]
)
def test_a_domain_that_the_relay_falls_silent_about_keeps_nobody_else_waiting(
    post: Post, write: Writing, failure: Exception
) -> None:
    """Half a minute for each of a thousand letters would be a day for all the others."""
    rows = [write(f"player{number}@silent.example", number) for number in range(3)]
    other = write("bruno@example.it", 9)
    post.mailboxes.failure = failure
    sending.send(rows[0].pk, now=post.now, sender=post.sender)
    assert list(sending.due(now=post.now)) == [other.pk]


def test_a_domain_is_asked_less_and_less_often(post: Post) -> None:
    pauses = []
    for _ in range(len(PAUSES) + 1):
        slow_down("slow.example", "421", post.now)
        slow_down("slow.example", "421", post.now)  # another letter was on its way
        slow = SlowDomain.objects.get()
        pauses.append(slow.until - post.now)
        post.now = slow.until
    assert pauses == [*PAUSES, PAUSES[-1]]
    assert all(short < long * (1 - JITTER) for short, long in zip(PAUSES, BACK_OFF, strict=False))


@pytest.mark.parametrize(
    "failure", [RelayAway("connection refused"), RelayRefuses("535 5.7.8 wrong password")]
)
def test_a_relay_that_does_not_want_us_is_not_asked_for_each_letter(
    post: Post, write: Writing, failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [write(f"somebody@{name}.example", number) for number, name in enumerate("abcdef")]
    post.mailboxes.failure = failure
    post.send()
    assert Counter(OutboundMail.objects.values_list("attempts", flat=True)) == {0: 5, 1: 1}
    assert SlowDomain.objects.get().domain == RELAY
    alarmed = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(alarmed) == isinstance(failure, RelayRefuses)
    post.mailboxes.failure = None
    post.now += PAUSES[0]
    post.send()
    sent = [status for status, _ in verdicts(*rows)].count("sent")
    assert sent == 5
    assert not SlowDomain.objects.exists()


def test_whoever_starts_the_service_has_mended_it(post: Post, write: Writing) -> None:
    write("alice@example.org")
    slow_down(RELAY, "535 5.7.8 wrong password", post.now)
    assert list(sending.due(now=post.now)) == []
    sending.release_leases()
    assert len(list(sending.due(now=post.now))) == 1


def test_the_organiser_need_not_wait(post: Post, write: Writing) -> None:
    row, other = write("alice@slow.example", 1), write("bruno@example.it", 2)
    later = post.now + timedelta(hours=4)
    OutboundMail.objects.update(next_try_at=later)
    slow_down("slow.example", "421", post.now)
    sending.hurry("slow.example", now=post.now)
    assert list(sending.due(now=post.now)) == [row.pk]
    sending.hurry(RELAY, now=post.now)
    assert sorted(sending.due(now=post.now)) == [row.pk, other.pk]


def test_no_more_than_so_many_letters_go_to_a_domain_at_once(
    post: Post, write: Writing, settings: Settings
) -> None:
    settings.LETTERS_AT_ONCE = 2
    rows = [write(f"player{number}@crowd.example", number) for number in range(4)]
    elsewhere = write("bruno@example.it", 9)
    OutboundMail.objects.filter(pk__in=[row.pk for row in rows[:2]]).update(leased_until=post.now + LEASE)
    for row in (*rows, elsewhere):
        sending.send(row.pk, now=post.now, sender=post.sender)
    assert [status for status, _ in verdicts(*rows, elsewhere)] == ["waiting"] * 4 + ["sent"]
    turned_away = OutboundMail.objects.get(pk=rows[2].pk)
    assert (turned_away.attempts, turned_away.leased_until) == (0, None)
    OutboundMail.objects.filter(pk=rows[0].pk).update(leased_until=None)  # it has arrived
    sending.send(rows[2].pk, now=post.now, sender=post.sender)
    assert verdicts(rows[2]) == [("sent", "")]


def test_a_crowd_to_one_domain_never_stands_in_front_of_all_others(post: Post, write: Writing) -> None:
    crowd = [
        write(f"player{number}@crowd.example", number) for number in range(sending.SWEPT_OF_A_DOMAIN + 20)
    ]
    post.wait(minutes=1)
    lonely = write("bruno@example.it", 1_000)
    due = list(sending.due(now=post.now))
    assert lonely.pk in due
    assert due[:-1] == [row.pk for row in crowd[: sending.SWEPT_OF_A_DOMAIN]], "oldest first"


@pytest.fixture
def tasks(post: Post, enqueued: Enqueued, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    monkeypatch.setattr(sending, "default_sender", lambda: post.sender)
    return enqueued[SEND_MAIL]


def work(post: Post, tasks: list[int], many: int) -> None:
    for _ in range(many):
        pk = tasks.pop(0)
        with TestCase.captureOnCommitCallbacks(execute=True):
            sending.send_next(pk, now=post.now)


def test_an_answer_never_waits_behind_a_backlog(post: Post, write: Writing, tasks: list[int]) -> None:
    with TestCase.captureOnCommitCallbacks(execute=True):
        rows = [write(f"player{number}@crowd{number % 3}.example", number) for number in range(20)]
        post.wait(seconds=1)
        answer = write("bruno@example.it", 99)
    work(post, tasks, 2)
    assert verdicts(answer, rows[0]) == [("sent", ""), ("sent", "")]
    work(post, tasks, 19)
    assert (tasks, list(sending.due(now=post.now))) == ([], []), "one task for each was enough"


def test_whose_domain_has_letters_on_their_way_waits_for_one_that_has_none(
    post: Post, write: Writing
) -> None:
    crowd = [write(f"player{number}@crowd.example", number) for number in range(3)]
    post.wait(seconds=1)
    lonely = write("bruno@example.it", 1_000)
    post.wait(seconds=1)
    write("player9@crowd.example", 9)
    OutboundMail.objects.filter(pk=crowd[0].pk).update(leased_until=post.now + LEASE)
    assert oldest(post.now) == lonely.pk
    OutboundMail.objects.filter(pk=lonely.pk).update(status="sent")
    assert oldest(post.now) == crowd[1].pk


def test_a_sweep_enqueues_no_more_than_was_lost(
    post: Post, write: Writing, tasks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        write(f"player{number}@crowd.example", number)
    monkeypatch.setattr("django.utils.timezone.now", lambda: post.now)
    for lost in (5, 0, 2):
        del tasks[:lost]  # Redis was killed
        sweep()
        assert len(tasks) == 5


def test_a_task_that_was_turned_away_is_made_up_for(post: Post, write: Writing, tasks: list[int]) -> None:
    rows = [write(f"player{number}@crowd.example", number) for number in range(2)]
    tasks[:] = [rows[0].pk]
    work(post, tasks, 1)
    assert tasks == list(sending.due(now=post.now)) != []


def test_a_domain_may_be_written_in_any_case(post: Post, write: Writing) -> None:
    write("alice@Example.ORG")
    assert OutboundMail.objects.get().domain == "example.org"
    slow_down("example.org", "421", post.now)
    assert list(sending.due(now=post.now)) == []
    go_on("example.org")
    assert len(list(sending.due(now=post.now))) == 1
