"""Leases new letters to the process that writes them, which sends them right after the commit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime

from pbem.matches.models import Event
from pbem.outbox.models import OutboundMail
from pbem.queue.models import LEASE

_batch: ContextVar[InlineBatch | None] = ContextVar("batch", default=None)


@dataclass
class InlineBatch:
    """The letters that one transaction has written for its own process to send.

    `cause`: the common cause, as `letter:34`. `is_first`: no letter for it was written before this
    transaction.
    """

    cause: str
    is_first: bool
    since: datetime
    letters: list[OutboundMail] = field(default_factory=list)
    _others: set[tuple[str, str]] = field(default_factory=set)

    def lease(self, letter: OutboundMail, event: Event) -> None:
        """Leases a letter before it is saved, with the attempt counted."""
        letter.leased_until, letter.attempts, letter.failures = self.since + LEASE, 1, 1
        # As read from the database: JSON has no tuples.
        event.facts = json.loads(json.dumps(event.facts))
        letter.preloaded = {event.pk: event}
        self.letters.append(letter)

    def is_new(self, cause: str, address: str) -> bool:
        """Tells whether no letter can have been written for this cause, so that no query is needed."""
        answers = cause == self.cause or cause.startswith(f"{self.cause}:")
        return self.is_first and answers and (cause, address) not in self._others

    def note(self, letter: OutboundMail) -> None:
        self._others.add((letter.cause, letter.address))

    def own(self, letter: OutboundMail) -> OutboundMail | None:
        """Returns our own instance of the letter, not tried yet. None when it is not in the batch."""
        return next((each for each in self.letters if each.pk == letter.pk), None)


def batch() -> InlineBatch | None:
    """Returns the batch of the current transaction. None when there is none."""
    return _batch.get()


@contextmanager
def leasing(made: InlineBatch | None) -> Iterator[None]:
    """Leases new letters to `made` inside the context. Does nothing when it is None."""
    token = _batch.set(made)
    try:
        yield
    finally:
        _batch.reset(token)
