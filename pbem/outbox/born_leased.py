"""Letters leased to the one who writes them, who sends them after the commit: no task, no claim, no second look."""

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

_batch: ContextVar[Batch | None] = ContextVar("batch", default=None)


@dataclass
class Batch:
    """What one transaction has written for its own process to send, and what it was made of.

    `cause`: of all of it, as `letter:34`. `is_first`: nothing was ever written for that before this transaction.
    """

    cause: str
    is_first: bool
    since: datetime
    letters: list[OutboundMail] = field(default_factory=list)
    _others: set[tuple[str, str]] = field(default_factory=set)

    def lease(self, letter: OutboundMail, event: Event) -> None:
        """Like `claim`, with the attempt counted; the letter is in no table yet."""
        letter.leased_until, letter.attempts, letter.failures = self.since + LEASE, 1, 1
        # As it would be read again: JSON knows no tuples.
        event.facts = json.loads(json.dumps(event.facts))
        letter.at_hand = {event.pk: event}
        self.letters.append(letter)

    def is_new(self, cause: str, address: str) -> bool:
        """Whether no letter can have been written for this cause: then nobody need look."""
        answers = cause == self.cause or cause.startswith(f"{self.cause}:")
        return self.is_first and answers and (cause, address) not in self._others

    def note(self, letter: OutboundMail) -> None:
        self._others.add((letter.cause, letter.address))

    def own(self, letter: OutboundMail) -> OutboundMail | None:
        """The same letter as we have it, if it is one of ours; nobody has tried it yet."""
        return next((each for each in self.letters if each.pk == letter.pk), None)


def batch() -> Batch | None:
    """Of the transaction under way."""
    return _batch.get()


@contextmanager
def leasing(made: Batch | None) -> Iterator[None]:
    """Whatever can be is born leased inside; nothing if there is none."""
    token = _batch.set(made)
    try:
        yield
    finally:
        _batch.reset(token)
