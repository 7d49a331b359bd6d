"""The threads that a process is made of: if one of them ends, all of it does, and what started it starts it anew."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

log = logging.getLogger(__name__)
Parts = Sequence[threading.Thread]
GLANCE = 1.0  # seconds between two looks at who lives
PATIENCE = 20.0  # seconds in which the others may end cleanly; systemd and Docker allow thirty


def wait(parts: Parts, stop: threading.Event) -> None:
    """Until `stop` is set. Raises SystemExit as soon as one of them lives no longer.

    To start such a part once more in this process would be less sure: what it held, it may hold still.
    """
    with _told():
        while not stop.wait(GLANCE):  # a signal that comes just before a wait does not end it
            if ended := [part.name for part in parts if not part.is_alive()]:
                log.critical("a part of the service has ended, and so does all of it: %s", ", ".join(ended))
                _leave_soon()
                sys.exit(os.EX_SOFTWARE)


@contextmanager
def _told() -> Iterator[None]:
    """What ends a thread stands in the log, which may be mailed, and not on standard error alone."""
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
    """However the others take it: one that hangs may not keep the process."""
    watchdog = threading.Timer(PATIENCE, os._exit, (os.EX_SOFTWARE,))
    watchdog.daemon = True
    watchdog.start()
