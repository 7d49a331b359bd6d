"""A relay that takes a letter and says nothing: whose fault that is, and how many copies there may be."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import OperationalError

from pbem.matches.models import Match
from pbem.outbox import models, sending
from pbem.outbox.delivery.smtp import ReplyLost, TemporaryFailure
from pbem.outbox.models import RELAY, OutboundMail, SlowDomain
from pbem.outbox.notifications.notify import write_to_address
from pbem.outbox.sending import newest, oldest
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post

Writing = Callable[[str], OutboundMail]
SILENT = ReplyLost("timed out", silent=True)


@pytest.fixture
def write(post: Post) -> Writing:
    def write(address: str) -> OutboundMail:
        section = {"kind": "invitation", "host": "Olga", "note": ""}
        return write_to_address(address, language="en", cause=f"to {address}", section=section, now=post.now)

    return write


def tried(post: Post, *rows: OutboundMail, fails: Exception | None) -> None:
    post.mailboxes.failure = fails
    for row in rows:
        sending.send(row.pk, now=post.now, sender=post.sender)
    post.mailboxes.failure = None


def slow() -> set[str]:
    return set(SlowDomain.objects.values_list("domain", flat=True))


def test_one_domain_is_its_own_fault(post: Post, write: Writing) -> None:
    tried(post, write("a@one.example"), fails=SILENT)
    assert slow() == {"one.example"}


def test_two_domains_are_the_relays(post: Post, write: Writing) -> None:
    rows = [write(f"a@{name}.example") for name in ("one", "two", "three")]
    tried(post, *rows[:2], fails=SILENT)
    assert slow() == {RELAY}, "and neither of them is to blame"
    tried(post, rows[2], fails=SILENT)
    assert OutboundMail.objects.get(pk=rows[2].pk).attempts == 0, "all wait for it"
    post.wait(minutes=1)
    tried(post, rows[2], fails=SILENT)
    assert slow() == {RELAY}
    post.wait(minutes=11)
    tried(post, rows[0], fails=None)
    assert slow() == set()


def test_two_that_fall_silent_at_once_are_the_relays(
    post: Post, write: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process finds out about a third domain while this one is about to blame the relay."""
    rows = [write(f"a@{name}.example") for name in ("one", "two", "three")]
    slow_down, meanwhile = models.slow_down, [rows[2]]

    def interrupted(domain: str, answer: str, now: datetime) -> None:
        if domain == RELAY and meanwhile:
            tried(post, meanwhile.pop(), fails=SILENT)
            post.mailboxes.failure = SILENT
        slow_down(domain, answer, now)

    monkeypatch.setattr(models, "slow_down", interrupted)
    tried(post, *rows[:2], fails=SILENT)
    assert (slow(), meanwhile) == ({RELAY}, [])


def test_a_domain_that_fell_silent_before_others_were_served_is_alone(post: Post, write: Writing) -> None:
    one, two, three = (write(f"a@{name}.example") for name in ("one", "two", "three"))
    tried(post, one, fails=SILENT)
    post.wait(seconds=1)
    tried(post, two, fails=None)
    post.wait(seconds=1)
    tried(post, three, fails=SILENT)
    assert slow() == {"one.example", "three.example"}


def test_a_domain_that_was_silent_is_tried_with_one_letter(post: Post, write: Writing) -> None:
    rows = [write(f"a{number}@one.example") for number in range(3)]
    tried(post, rows[0], fails=TemporaryFailure("hung up", silent=True))
    post.wait(minutes=1)
    OutboundMail.objects.filter(pk=rows[1].pk).update(leased_until=post.now + timedelta(minutes=2))
    assert newest(post.now) is None
    assert oldest(post.now) is None
    tried(post, rows[2], fails=None)
    assert OutboundMail.objects.get(pk=rows[2].pk).status == "waiting"


def test_after_three_replies_were_lost_the_organiser_decides(post: Post, write: Writing) -> None:
    row = write("a@one.example")
    copies = 0
    while OutboundMail.objects.filter(pk=row.pk, status="waiting").exists():
        before = OutboundMail.objects.get(pk=row.pk).attempts
        tried(post, row, fails=SILENT)
        copies += OutboundMail.objects.get(pk=row.pk).attempts - before
        post.wait(minutes=10)
        assert copies <= 3
    row.refresh_from_db()
    assert (copies, row.status, row.verdict, row.is_shunted) == (3, "failed", Code.REPLIES_LOST, True)
    assert post.now - row.created_at > timedelta(hours=3), "the last one had hours to find the relay mended"
    sending.send_again(row, now=post.now)
    tried(post, row, fails=None)
    row.refresh_from_db()
    assert (row.status, row.verdict, row.replies_lost) == ("sent", "", 0)


def locked(*_: object, **__: object) -> None:
    raise OperationalError("database is locked")


def test_faults_of_the_database_are_no_attempts(
    post: Post, write: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = write("a@one.example")
    with monkeypatch.context() as patch:
        patch.setattr(sending, "compose", locked)
        for _ in range(20):
            post.send()
            post.wait(hours=3)
    row.refresh_from_db()
    assert (row.status, row.verdict, row.attempts, row.failures) == ("waiting", Code.TRANSIENT, 0, 0)
    post.send()
    row.refresh_from_db()
    assert (row.status, row.verdict, row.faulty_since) == ("sent", "", None)


def test_a_letter_that_causes_them_itself_is_shunted_after_three_days_and_its_match_waits(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    Match.objects.update(terms={"clock": "3d/move"})
    alice.answers(alice.letter, "b1-b3")  # from here on Bruno has a clock
    post.send()
    OutboundMail.objects.filter(status="sent", kind="turn").update(status="waiting", sent_at=None)
    monkeypatch.setattr(sending, "compose", locked)
    for hours in (0, 71.9, 0.3):
        post.wait(hours=hours)
        post.send()
    turn = OutboundMail.objects.shunted().get(match=loa, player=bruno.player, ply=1)
    assert turn.verdict == Code.POISON
    assert Match.objects.get().stopped == ["shunted"]
    monkeypatch.undo()
    sending.send_again(turn, now=post.now)
    assert Match.objects.get().stopped == ["shunted"]
    sending.send(turn.pk, now=post.now, sender=post.sender)
    assert Match.objects.get().stopped == []


def test_a_letter_that_is_out_is_marked_as_soon_as_the_database_is_back(
    post: Post, write: Writing, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = write("a@one.example")
    with monkeypatch.context() as patch:
        patch.setattr(sending, "mark", locked)
        post.send()
    post.wait(minutes=5)
    sending.DEFERRED.flush()
    post.send()
    row.refresh_from_db()
    assert (row.status, len(post.mailboxes.boxes["a@one.example"])) == ("sent", 1)


def test_letters_of_one_match_to_one_reader_leave_in_order(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    for number in range(3):
        post.keep(alice.pens(f"SAY number {number}"), alice.letter.reply_to, alice.email)
    post.open()
    said = list(OutboundMail.objects.filter(player=bruno.player, status="waiting").order_by("pk"))
    assert len(said) == 3
    for row in reversed(said):
        sending.send(row.pk, now=post.now, sender=post.sender)
    assert ["number 0" in bruno.letters[-3].text, "number 2" in bruno.letter.text] == [True, True]
    assert [letter.message["Message-ID"] for letter in bruno.letters[-3:]] == [row.message_id for row in said]


def test_while_the_first_is_on_its_way_the_next_waits(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    for number in range(2):
        post.keep(alice.pens(f"SAY number {number}"), alice.letter.reply_to, alice.email)
    post.open()
    first, second = OutboundMail.objects.filter(player=bruno.player, status="waiting").order_by("pk")
    OutboundMail.objects.filter(pk=first.pk).update(leased_until=post.now + timedelta(minutes=1))
    OutboundMail.objects.exclude(player=bruno.player).update(status="sent")
    assert not sending.send(second.pk, now=post.now, sender=post.sender)
    assert newest(post.now) is oldest(post.now) is None
