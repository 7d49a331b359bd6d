"""The log on standard error: of an outage one line when it begins, and one when it is over.

A database or a broker that is away for half a minute is met by every sweep, beat and letter, each with a traceback of a
hundred lines that says the same. They are counted instead.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

from pbem.queue.faults import what_is_away

QUIET = 60.0  # seconds without: longer than any of our parts waits before it tries again
NAME = "pbem.outage"
# What these say without an exception, by their logger.
SAID = {
    "psycopg.pool": ("database", ("error connecting in",)),
    "celery.worker.consumer.consumer": ("broker", ("cannot connect to", "connection to broker lost")),
}


@dataclass
class Outage:
    began: float
    last: float
    others: int = 0


class Merged(logging.StreamHandler[TextIO]):
    """Each process has its own. `later` calls a function after so many seconds, in another thread."""

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        later: Callable[[float, Callable[[], None]], None] | None = None,
    ) -> None:
        super().__init__(stream)
        self._later = later or _later
        self._away: dict[str, Outage] = {}

    def emit(self, record: logging.LogRecord) -> None:
        what = _what_is_away(record)
        if not what:
            super().emit(record)
        elif outage := self._away.get(what):
            outage.others, outage.last = outage.others + 1, record.created
        else:
            self._away[what] = Outage(record.created, record.created)
            self._say(
                logging.ERROR, f"the {what} is away: {_reason(record)}; all else that comes of it is counted"
            )
            self._later(QUIET, lambda: self._look(what))

    def _look(self, what: str) -> None:
        self.acquire()
        try:
            outage = self._away[what]
            if (rest := outage.last + QUIET - time.time()) > 0:
                self._later(rest, lambda: self._look(what))
                return
            del self._away[what]
            lasted, others = outage.last - outage.began, outage.others
            self._say(
                logging.WARNING,
                f"the {what} is back: it was away for {lasted:.0f} s, {others} lines were left out",
            )
        finally:
            self.release()

    def _say(self, level: int, text: str) -> None:
        self.handle(logging.LogRecord(NAME, level, __file__, 0, text, None, None))


def _what_is_away(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    if error:
        return what_is_away(error)
    what, words = SAID.get(record.name, ("", ()))
    said = record.getMessage().casefold()
    return what if any(word in said for word in words) else ""


def _reason(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    return " ".join(str(error or record.getMessage()).split())[:300]


def _later(seconds: float, call: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
