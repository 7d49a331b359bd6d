"""The threads of a process: when one ends, the process ends, and its supervisor restarts it."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

log = logging.getLogger(__name__)
Parts = Sequence[threading.Thread]
GLANCE = 1.0  # seconds between two looks
TIMEOUT = 20.0  # seconds for the others to end cleanly; systemd and Docker allow thirty


def wait(parts: Parts, stop: threading.Event) -> None:
    """Waits for `stop`. Raises SystemExit as soon as one of the threads has ended.

    A new thread in this process would be less safe: the old one may still hold locks.
    """
    with _told():
        while not stop.wait(GLANCE):  # a signal just before a wait does not end it
            if ended := [part.name for part in parts if not part.is_alive()]:
                log.critical("a part of the service has ended, and so does all of it: %s", ", ".join(ended))
                _leave_soon()
                sys.exit(os.EX_SOFTWARE)


@contextmanager
def _told() -> Iterator[None]:
    """Logs what ends a thread, so that it may be mailed, instead of only standard error."""
    before = threading.excepthook
    threading.excepthook = _tell
    try:
        yield
    finally:
        threading.excepthook = before


def _tell(ended: threading.ExceptHookArgs) -> None:
    name = ended.thread.name if ended.thread else "a thread"
    log.critical("%s has ended", name, exc_info=ended.exc_value)


def _leave_soon() -> None:
    """Ends the process after a while, even if another thread hangs."""
    watchdog = threading.Timer(TIMEOUT, os._exit, (os.EX_SOFTWARE,))
    watchdog.daemon = True
    watchdog.start()
