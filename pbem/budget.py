"""Limits the processor time that one letter may take, by the clock of the reading thread.

Repeated steps call `check`. Readers of free wording run in `in_time`: when the time is over, only the exact
lines of the letter count. Steps without a check are ended by a signal, also inside a match of `re`, but only
in the main thread; other threads leave free wording to a separate process (`exact_only`).
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

LETTER = 2.0  # seconds, for reading one letter
WORDING = 1.0  # of these, for free wording
HARD = 2.0  # the same without a check: processor time of the whole process

log = logging.getLogger(__name__)
_T = TypeVar("_T")


class OverBudget(Exception):
    """Raised by `check`, caught by `in_time`."""


class Overdue(BaseException):
    """Raised by the signal at any point. No Exception, so that no handler on the way catches it."""


class Wording(BaseException):
    """Raised in `exact_only` when free wording is to be read."""


@dataclass
class _Budget:
    ends: float  # by the thread's clock
    wording: float = field(default_factory=lambda: WORDING)  # what is left of it


_letter: ContextVar[_Budget | None] = ContextVar("letter", default=None)
_ends: ContextVar[float] = ContextVar("ends", default=inf)
_exact: ContextVar[bool] = ContextVar("exact", default=False)


@contextmanager
def of_a_letter() -> Iterator[None]:
    """Counts all reading inside for one letter."""
    token = _letter.set(_Budget(thread_time() + LETTER))
    try:
        yield
    finally:
        _letter.reset(token)


@contextmanager
def unlimited() -> Iterator[None]:
    """Counts no reading inside. For what is loaded before the first letter."""
    token = _letter.set(_Budget(inf, wording=inf))
    try:
        yield
    finally:
        _letter.reset(token)


@contextmanager
def exact_only() -> Iterator[None]:
    """Forbids free wording inside. Raises Wording."""
    token = _exact.set(True)
    try:
        yield
    finally:
        _exact.reset(token)


def in_time(read: Callable[[], _T], otherwise: _T) -> _T:
    """Returns what `read` returns, or `otherwise` when the letter's time is over. Raises Overdue, Wording."""
    if _exact.get():
        raise Wording
    began, before = thread_time(), _ends.get()
    letter = _letter.get() or _Budget(began + LETTER)
    ends = min(before, letter.ends, began + letter.wording)
    token = _ends.set(ends)
    try:
        with _ended(HARD) if ends < before == inf else nullcontext():
            return read()
    except OverBudget:
        log.warning("what a letter says in words of its own took too long, and is not understood")
        return otherwise
    finally:
        _ends.reset(token)
        if before == inf:  # nested calls are counted by the outermost
            letter.wording -= thread_time() - began


@contextmanager
def _ended(seconds: float) -> Iterator[None]:
    """Raises Overdue in the main thread after so many seconds; the signal repeats until it is heard."""
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
    """Raises OverBudget when the time is over."""
    if thread_time() > _ends.get():
        raise OverBudget
