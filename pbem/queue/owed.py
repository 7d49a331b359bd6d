"""Notes of what came of an attempt, kept in memory while the database is away."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable

from django.db import close_old_connections, connection

from pbem.queue.faults import is_fault

log = logging.getLogger(__name__)


class Owed:
    """What could not be written down while the database was away: this process writes it before it takes up more."""

    def __init__(self) -> None:
        self._notes: deque[Callable[[], object]] = deque()
        self._lock = threading.Lock()

    def write(self, note: Callable[[], object]) -> None:
        """Now, if that can be done."""
        try:
            if not connection.in_atomic_block:
                close_old_connections()
            note()
        except Exception as error:
            if not is_fault(error):
                raise
            log.warning("what came of an attempt is written down later: %s", error)
            self._notes.append(note)

    def settle(self) -> None:
        """Raises what is in the way still."""
        with self._lock:
            while self._notes:
                try:
                    self._notes[0]()
                except Exception as error:
                    if is_fault(error):
                        raise
                    log.exception("what came of an attempt cannot be written down; the next lease tells")
                self._notes.popleft()
