"""A Celery consumer that connects again however its connection to the broker ended."""

from __future__ import annotations

import logging
import warnings

from celery.exceptions import CPendingDeprecationWarning
from celery.worker import consumer

log = logging.getLogger(__name__)
# That tasks are given back when the broker is lost, in some later Celery: with each lost connection, to the operator.
warnings.filterwarnings("ignore", category=CPendingDeprecationWarning, module=__name__)


class Consumer(consumer.Consumer):
    """Celery's own, but for what may go wrong while it tidies up after a lost connection."""

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """kombu 5.7 closes a lost connection twice, the second time without its transport. If Redis dies while a
        task is unacknowledged and the next one is waited for, the second close wants to give the task back, and
        finds nowhere to connect to: an AttributeError, which ends the worker. Its letter is enqueued again by the
        sweep, as after any other death of Redis.
        """
        try:
            super().on_connection_error_after_connected(exc)
        except Exception:
            log.warning("a lost connection to the broker could not be closed", exc_info=True)
            self.connection = None
