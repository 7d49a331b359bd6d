"""Sends born-leased letters right after their commit.

With the queue in its place a move of `bench alone` costs 20 % more CPU (11 to 25).
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial

from django.conf import settings
from django.db import close_old_connections, connection

from pbem.outbox.delivery.backends import Sender
from pbem.outbox.models import SEND_MAIL, OutboundMail, SlowDomain
from pbem.outbox.notifications.notify import InlineBatch
from pbem.outbox.rendering.compose import Composed
from pbem.outbox.sending import DEFERRED, Accepted, composed, handle_reply, later_after_fault, mark
from pbem.players.models import Address
from pbem.queue import faults
from pbem.queue.enqueue import enqueue_on_commit
from pbem.queue.failpoints import failpoint
from pbem.queue.timer import Timer

# Obstacles


@dataclass(frozen=True)
class DeliveryPath:
    """The way to a reader. `is_free`: no obstacle. `is_shared`: another player has the same mailbox."""

    is_free: bool
    is_shared: bool


def delivery_paths(letters: Sequence[OutboundMail], now: datetime) -> dict[int, DeliveryPath]:
    """Returns the roads of the letters that are still leased to us, by primary key.

    Blocked by a slow or busy domain, a paused address, or an earlier letter about the match.
    """
    # Leases are counted after their commit: of concurrent senders the last sees too many.
    moment = connection.ops.adapt_datetimefield_value(now)
    (lease,) = {letter.leased_until for letter in letters}
    until = connection.ops.adapt_datetimefield_value(lease)
    with connection.cursor() as cursor:
        cursor.execute(_question(len(letters)), [moment, moment, *(each.pk for each in letters), until])
        rows = cursor.fetchall()
    return {
        pk: DeliveryPath(
            not (slow or waits or paused) and in_flight <= settings.LETTERS_AT_ONCE, bool(shared)
        )
        for pk, in_flight, slow, waits, paused, shared in rows
    }


@cache
def _question(count: int) -> str:
    # Raw SQL: the ORM takes ten times as long to build it as the database to answer.
    letters, addresses = OutboundMail._meta.db_table, Address._meta.db_table
    return f"""
        SELECT ours.id,
               (SELECT count(*) FROM {letters} WHERE domain = ours.domain AND leased_until > %s),
               EXISTS (SELECT 1 FROM {SlowDomain._meta.db_table} WHERE domain IN (ours.domain, '')),
               EXISTS (SELECT 1 FROM {letters} AS other
                       WHERE other.match_id = ours.match_id AND other.address = ours.address
                         AND other.status = 'waiting' AND other.next_try_at <= %s AND other.id < ours.id),
               EXISTS (SELECT 1 FROM {addresses}
                       WHERE player_id = ours.player_id AND email = ours.address AND paused_at IS NOT NULL),
               EXISTS (SELECT 1 FROM {addresses}
                       WHERE email = ours.address AND player_id <> ours.player_id AND verified_at IS NOT NULL)
        FROM {letters} AS ours
        WHERE ours.id IN ({", ".join(["%s"] * count)}) AND ours.leased_until = %s
    """


# A thread beside each reading thread speaks with the relay, so that reading continues while it is silent.

TIMEOUT = 3.0  # seconds; enough for mail servers that scan letters before taking them


class _Beside(threading.local):
    """The SMTP thread of one reading thread."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hand-over")
        self._asked: Future[str] | None = None

    def is_free(self) -> bool:
        return self._asked is None or self._asked.done()

    def ask(self, send: Callable[[], str]) -> Future[str]:
        """Starts `send` and waits up to TIMEOUT seconds. Until its reply arrives, no other can start."""
        self._asked = self._thread.submit(send)
        wait([self._asked], TIMEOUT)
        return self._asked


_beside = _Beside()


def _begin_anew() -> None:
    """Replaces the threads in a child process, which has none of its parent's."""
    global _beside
    _beside = _Beside()


os.register_at_fork(after_in_child=_begin_anew)


log = logging.getLogger(__name__)
Ready = list[tuple[OutboundMail, Composed]]


def can_send() -> bool:
    """Tells whether this thread can send: no reply is pending."""
    return _beside.is_free()


def send_at_once(batch: InlineBatch, sender: Sender, *, now: datetime) -> None:
    """Sends the letters of the batch that can leave now; the others go to the queue."""
    if not batch.letters:
        return
    failpoint("born")
    timer = Timer(now)
    try:
        DEFERRED.flush()
        free = _free(batch.letters, now)
    except Exception as error:
        if not faults.is_fault(error):
            raise
        log.warning("S01: letters to %s are sent when their lease is over: %s", batch.cause, error)
        return
    _hand_over([(row, letter) for row in free if (letter := _composed(row, timer))], timer, sender)


def _free(letters: Sequence[OutboundMail], now: datetime) -> list[OutboundMail]:
    """Returns the letters that can leave now, and gives back the others to the queue."""
    found, free = delivery_paths(letters, now), []
    for row in letters:
        road = found.get(row.pk or 0)
        if road is None:
            continue  # leased by another process, or rolled back
        if road.is_free:
            row.has_one_reader = not road.is_shared
            if row.match and row.match.preloaded_turns is None:
                row.match.preloaded_turns = {}
            free.append(row)
        else:
            _give_back(row)
    return free


def _composed(row: OutboundMail, timer: Timer) -> Composed | None:
    with later_after_fault(row, timer):
        if letter := composed(row, timer):
            failpoint("composed")
        return letter
    return None


def _hand_over(ready: Ready, timer: Timer, sender: Sender) -> None:
    """Hands the letters over in order and marks them together."""
    # After a reply that is late, the remaining letters go to the queue.
    taken: list[Accepted] = []
    for number, (row, letter) in enumerate(ready, start=1):
        reply = _beside.ask(partial(sender.send, letter.sender, row.address, letter.raw))
        if not reply.done():
            for other, _ in ready[number:]:
                _give_back(other)
            reply.add_done_callback(partial(_heard_late, row, letter, timer))
            break
        if told := _heard(row, letter, timer, reply):
            taken.append(told)
            if number < len(ready):
                failpoint("one-of-two")
    if taken:
        DEFERRED.write(lambda: mark(taken))


def _heard(row: OutboundMail, letter: Composed, timer: Timer, reply: Future[str]) -> Accepted | None:
    with later_after_fault(row, timer):
        return handle_reply(row, letter, timer, reply.result)
    return None


def _heard_late(row: OutboundMail, letter: Composed, timer: Timer, reply: Future[str]) -> None:
    """Records a late reply, in the SMTP thread."""
    close_old_connections()
    try:
        if told := _heard(row, letter, timer, reply):
            DEFERRED.write(lambda: mark([told]))
    finally:
        connection.close()


def _give_back(row: OutboundMail) -> None:
    """Returns a letter to the queue, without counting an attempt."""
    row.release(attempts=0, failures=0)
    enqueue_on_commit(SEND_MAIL, row.pk or 0)
