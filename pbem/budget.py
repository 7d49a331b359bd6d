"""The processor time that one letter may take, by the clock of the thread that reads it.

Steps of which a letter may ask many call `check`. Whatever reads free wording does so in `in_time`: when the time is
over, the letter says no more than what its exact lines say.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import inf
from time import thread_time
from typing import TypeVar

LETTER = 2.0  # seconds, for all that is read in one letter
WORDING = 1.0  # of them, for what is in nobody's grammar

log = logging.getLogger(__name__)
_T = TypeVar("_T")


class OverBudget(Exception):
    """Raised by `check`, caught by `in_time`."""


@dataclass
class _Budget:
    ends: float  # by the thread's clock
    wording: float = field(default_factory=lambda: WORDING)  # what is left of it


_letter: ContextVar[_Budget | None] = ContextVar("letter", default=None)
_ends: ContextVar[float] = ContextVar("ends", default=inf)


@contextmanager
def of_a_letter() -> Iterator[None]:
    """All that is read inside is of one letter."""
    token = _letter.set(_Budget(thread_time() + LETTER))
    try:
        yield
    finally:
        _letter.reset(token)


def in_time(read: Callable[[], _T], otherwise: _T) -> _T:
    """What it reads; `otherwise` where that takes longer than the letter has left."""
    began, before = thread_time(), _ends.get()
    letter = _letter.get() or _Budget(began + LETTER)
    token = _ends.set(min(before, letter.ends, began + letter.wording))
    try:
        return read()
    except OverBudget:
        log.warning("what a letter says in words of its own took too long, and is not understood")
        return otherwise
    finally:
        _ends.reset(token)
        if before == inf:  # within another one it is counted there
            letter.wording -= thread_time() - began


def check() -> None:
    """Raises OverBudget."""
    if thread_time() > _ends.get():
        raise OverBudget
