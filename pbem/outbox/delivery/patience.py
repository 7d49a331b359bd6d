"""A thread beside each that reads, which speaks with the relay for it: should that be silent, reading goes on."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait

PATIENCE = 3.0  # seconds; a mail server that looks into a letter before it takes it needs less


class _Beside(threading.local):
    """What belongs to one reading thread."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hand-over")
        self._asked: Future[str] | None = None

    def is_free(self) -> bool:
        return self._asked is None or self._asked.done()

    def ask(self, send: Callable[[], str]) -> Future[str]:
        self._asked = self._thread.submit(send)
        wait([self._asked], PATIENCE)
        return self._asked


_beside = _Beside()


def _begin_anew() -> None:
    """In a child process there are none of its parent's threads."""
    global _beside
    _beside = _Beside()


os.register_at_fork(after_in_child=_begin_anew)


def is_free() -> bool:
    """Whether this thread waits for no reply any more."""
    return _beside.is_free()


def ask(send: Callable[[], str]) -> Future[str]:
    """What comes of it: known now, or not yet, and then nothing else can be asked."""
    return _beside.ask(send)
