"""The processor time that one letter may take, by the clock of the thread that reads it.

Steps of which a letter may ask many call `check`. Whatever reads free wording does so in `in_time`: when the time is
over, the letter says no more than what its exact lines say.

What never comes to a check is ended by a signal, which only the main thread of a process hears, in the midst of a match
of `re` too. Where other threads read, they leave free wording to a process of its own (`exact_only`).
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import inf
from time import thread_time
from typing import TypeVar

LETTER = 2.0  # seconds, for all that is read in one letter
WORDING = 1.0  # of them, for what is in nobody's grammar
HARD = 2.0  # for the same, where no check is come to: of the whole process, by its own clock

log = logging.getLogger(__name__)
_T = TypeVar("_T")


class OverBudget(Exception):
    """Raised by `check`, caught by `in_time`."""


class Overdue(BaseException):
    """Raised by the clock, wherever the reader is. Not an Exception: what it passes through is not to catch it."""


class Wording(BaseException):
    """Raised in `exact_only` where free wording is to be read."""


@dataclass
class _Budget:
    ends: float  # by the thread's clock
    wording: float = field(default_factory=lambda: WORDING)  # what is left of it


_letter: ContextVar[_Budget | None] = ContextVar("letter", default=None)
_ends: ContextVar[float] = ContextVar("ends", default=inf)
_exact: ContextVar[bool] = ContextVar("exact", default=False)


@contextmanager
def of_a_letter() -> Iterator[None]:
    """All that is read inside is of one letter."""
    token = _letter.set(_Budget(thread_time() + LETTER))
    try:
        yield
    finally:
        _letter.reset(token)


@contextmanager
def exact_only() -> Iterator[None]:
    """Free wording is not read inside. Raises Wording."""
    token = _exact.set(True)
    try:
        yield
    finally:
        _exact.reset(token)


def in_time(read: Callable[[], _T], otherwise: _T) -> _T:
    """What it reads; `otherwise` where that takes longer than the letter has left. Raises Overdue, Wording."""
    if _exact.get():
        raise Wording
    began, before = thread_time(), _ends.get()
    letter = _letter.get() or _Budget(began + LETTER)
    token = _ends.set(min(before, letter.ends, began + letter.wording))
    try:
        with _ended(HARD) if before == inf else nullcontext():
            return read()
    except OverBudget:
        log.warning("what a letter says in words of its own took too long, and is not understood")
        return otherwise
    finally:
        _ends.reset(token)
        if before == inf:  # within another one it is counted there
            letter.wording -= thread_time() - began


@contextmanager
def _ended(seconds: float) -> Iterator[None]:
    """In the main thread. Until it is heard the signal comes again and again."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _end)
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _end(*_: object) -> None:
    raise Overdue


def check() -> None:
    """Raises OverBudget."""
    if thread_time() > _ends.get():
        raise OverBudget
