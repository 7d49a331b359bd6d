"""Sends what was born leased, as soon as it is committed: the same attempt as any other, with everything at hand."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import Future
from datetime import datetime
from functools import partial

from django.db import close_old_connections, connection

from pbem.outbox.attempt import OWED, composed, heard, not_tried
from pbem.outbox.born_leased import Batch
from pbem.outbox.delivery import patience
from pbem.outbox.delivery.obstacles import roads
from pbem.outbox.delivery.sender import Sender
from pbem.outbox.models import SEND_MAIL, OutboundMail
from pbem.outbox.rendering.compose import Composed
from pbem.outbox.taken import Taken, mark
from pbem.queue import faults
from pbem.queue.enqueue import enqueue_on_commit
from pbem.queue.failpoints import failpoint
from pbem.queue.timer import Timer

log = logging.getLogger(__name__)
Ready = list[tuple[OutboundMail, Composed]]


def can_send() -> bool:
    """Whether this thread can: not while it waits for the relay to say something about an earlier letter."""
    return patience.is_free()


def send_at_once(batch: Batch, sender: Sender, *, now: datetime) -> None:
    """A process that dies in here leaves leased letters: which are taken up again when the lease ends."""
    if not batch.letters:
        return
    failpoint("born")
    timer = Timer(now)
    try:
        OWED.settle()
        free = _free(batch.letters, now)
    except Exception as error:
        if not faults.is_fault(error):
            raise
        log.warning("S01: letters to %s are sent when their lease is over: %s", batch.cause, error)
        return
    _hand_over([(row, letter) for row in free if (letter := _composed(row, timer))], timer, sender)


def _free(letters: Sequence[OutboundMail], now: datetime) -> list[OutboundMail]:
    """Those that can leave now; the others wait in the queue as if nobody had leased them."""
    found, free = roads(letters, now), []
    for row in letters:
        road = found.get(row.pk or 0)
        if road is None:
            continue  # somebody else has it, or its transaction has thought better of it
        if road.is_free:
            row.has_one_reader = not road.is_shared
            if row.match and row.match.turns_at_hand is None:
                row.match.turns_at_hand = {}
            free.append(row)
        else:
            _give_back(row)
    return free


def _composed(row: OutboundMail, timer: Timer) -> Composed | None:
    try:
        letter = composed(row, timer)
    except Exception as error:
        if not faults.is_fault(error):
            raise
        not_tried(row, error, timer.now)
        return None
    if letter:
        failpoint("composed")
    return letter


def _hand_over(ready: Ready, timer: Timer, sender: Sender) -> None:
    """One after the other, and marked together. Where the relay is silent about one, the next ones go to the queue."""
    taken: list[Taken] = []
    for number, (row, letter) in enumerate(ready, start=1):
        reply = patience.ask(partial(sender.send, letter.sender, row.address, letter.raw))
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
        OWED.write(lambda: mark(taken))


def _heard(row: OutboundMail, letter: Composed, timer: Timer, reply: Future[str]) -> Taken | None:
    try:
        return heard(row, letter, timer, reply.result)
    except Exception as error:
        if not faults.is_fault(error):
            raise
        not_tried(row, error, timer.now)
        return None


def _heard_late(row: OutboundMail, letter: Composed, timer: Timer, reply: Future[str]) -> None:
    """In the thread that has waited for it."""
    close_old_connections()
    try:
        if told := _heard(row, letter, timer, reply):
            OWED.write(lambda: mark([told]))
    finally:
        connection.close()


def _give_back(row: OutboundMail) -> None:
    """That was no attempt."""
    row.release(attempts=0, failures=0)
    enqueue_on_commit(SEND_MAIL, row.pk or 0)
