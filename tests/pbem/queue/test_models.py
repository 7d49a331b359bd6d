"""What both queues do with a letter: claimed by one, given back with what came of it, set aside, begun anew."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.inbox.models import InboundMail
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import write_to_address
from pbem.queue.models import LEASE, QueuedMail
from pbem.refusals import Code
from tests.mail_fixtures import MORNING, Post, play_address

Rows = type[InboundMail] | type[OutboundMail]
LATER = MORNING + LEASE
TROUBLE = "ValueError in pbem/outbox/rendering/compose.py:41 compose"


@pytest.fixture(params=[InboundMail, OutboundMail])
def rows(request: pytest.FixtureRequest, post: Post) -> Rows:
    """The table, with one letter that waits."""
    another(request.param, "dora", post)
    return request.param


def another(rows: Rows, name: str, post: Post) -> None:
    address = f"{name}@example.org"
    if rows is InboundMail:
        post.keep(f"From: {address}\r\n\r\nHELP\r\n".encode(), play_address())
    else:
        section = {"kind": "invitation", "host": "Olga", "note": ""}
        write_to_address(address, language="en", cause="test", section=section, now=MORNING)


def claimed(rows: Rows) -> QueuedMail:
    assert rows.objects.unleased(MORNING).claim(MORNING) == LATER
    return rows.objects.get()


def test_of_two_one_has_the_letter_until_the_lease_ends(rows: Rows) -> None:
    row = claimed(rows)
    assert (row.attempts, row.leased_until, row.is_free(MORNING)) == (1, LATER, False)
    assert rows.objects.unleased(MORNING).claim(MORNING) is None
    assert list(rows.objects.leased(MORNING)) == [row]
    assert row.is_free(LATER)
    assert rows.objects.unleased(LATER).claim(LATER) == LATER + LEASE
    assert rows.objects.get().attempts == 2


def test_what_is_done_to_a_letter_is_done_to_no_other(rows: Rows, post: Post) -> None:
    another(rows, "emil", post)
    for row in rows.objects.all():
        assert rows.objects.filter(pk=row.pk).claim(MORNING) == LATER
    one, other = rows.objects.order_by("pk")
    before = rows.objects.filter(pk=other.pk).values().get()
    assert one.shunt("S02", TROUBLE)
    assert rows.objects.filter(pk=other.pk).values().get() == before
    assert other.shunt("S02", TROUBLE)
    one.requeue()
    assert [row.is_shunted for row in rows.objects.order_by("pk")] == [False, True]


def test_it_is_not_tried_before_its_time(rows: Rows) -> None:
    at = MORNING + timedelta(hours=1)
    assert claimed(rows).retry(at, trouble=TROUBLE)
    row = rows.objects.get()
    assert (getattr(row, row.next_try), row.trouble) == (at, TROUBLE)
    assert row.is_free(at)


def test_whoever_has_lost_the_lease_says_nothing_but_that_it_is_done(rows: Rows) -> None:
    late = claimed(rows)
    rows.objects.unleased(LATER).claim(LATER)
    assert not late.release(verdict=Code.TRANSIENT)
    assert not late.retry(LATER)
    assert not late.shunt("S02", TROUBLE)
    row = rows.objects.get()
    assert (row.leased_until, row.verdict, row.trouble) == (LATER + LEASE, "", "")
    late.complete(verdict=Code.RENDER_FAILED)
    row = rows.objects.get()
    assert (row.leased_until, row.verdict) == (None, Code.RENDER_FAILED)


def test_what_is_shunted_waits_for_the_organiser(rows: Rows) -> None:
    assert claimed(rows).shunt("S02", TROUBLE)
    [row] = rows.objects.shunted()
    assert (row.is_shunted, row.verdict, row.trouble, row.leased_until) == (True, Code.POISON, TROUBLE, None)
    row.drop("poison", MORNING)
    assert not rows.objects.shunted()
    assert not row.is_shunted
    row.requeue()
    row = rows.objects.get()
    assert (row.verdict, row.attempts, row.trouble, row.dropped_at, row.dropped_why) == ("", 0, "", None, "")


@pytest.mark.parametrize(("hours", "given_up"), [(71.9, False), (72, True)])
def test_faults_do_not_excuse_it_for_ever(rows: Rows, hours: float, given_up: bool) -> None:
    row = rows.objects.get()
    assert not row.is_given_up(MORNING)
    row.faulty_since = MORNING
    assert row.is_given_up(MORNING + timedelta(hours=hours)) is given_up
