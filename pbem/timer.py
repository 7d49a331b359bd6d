"""What time it is in the midst of a task, which was told when it began."""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic


class Timer:
    """`now` goes on with the time that a task takes, in whole seconds: what took less ended when it began."""

    def __init__(self, began: datetime) -> None:
        self._began, self._start = began, monotonic()

    @property
    def now(self) -> datetime:
        return self._began + timedelta(seconds=int(monotonic() - self._start))
