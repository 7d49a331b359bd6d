"""Kombu's in-memory transport for threads of one process, without polling, and a consumer that reconnects."""

from __future__ import annotations

import logging
import warnings
from collections import defaultdict
from queue import Empty
from threading import Event
from time import monotonic
from typing import Any

from celery.exceptions import CPendingDeprecationWarning
from celery.worker import consumer
from kombu.transport import memory, virtual

_consumers: defaultdict[str, set[Event]] = defaultdict(set)  # events to set, by queue


class QoS(virtual.QoS):
    """Wakes the consumer after an acknowledgement: it may take another message."""

    channel: Any

    def ack(self, delivery_tag: str) -> None:
        super().ack(delivery_tag)
        self.channel.arrival.set()

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        super().reject(delivery_tag, requeue=requeue)
        self.channel.arrival.set()


class Channel(memory.Channel):
    """Wakes a queue's consumers when a message is put."""

    QoS = QoS

    def __init__(self, connection: Any, **named: Any) -> None:
        super().__init__(connection, **named)
        self.arrival: Event = connection.arrival

    def basic_consume(self, queue: str, *arguments: Any, **named: Any) -> str:
        _consumers[queue].add(self.arrival)
        return super().basic_consume(queue, *arguments, **named)

    def basic_cancel(self, consumer_tag: str) -> None:
        queue = self._tag_to_queue.get(consumer_tag, "")
        super().basic_cancel(consumer_tag)
        _consumers[queue].discard(self.arrival)

    def _put(self, queue: str, message: object, **named: Any) -> None:
        super()._put(queue, message, **named)
        for arrival in tuple(_consumers[queue]):
            arrival.set()


class Transport(memory.Transport):
    """An in-memory transport; `arrival` is set when a message may be waiting for this connection."""

    Channel = Channel

    def __init__(self, client: Any, **named: Any) -> None:
        super().__init__(client, **named)
        self.arrival = Event()

    def drain_events(self, connection: object, timeout: float | None = None, **_: object) -> None:
        """Delivers the next message. Raises TimeoutError after `timeout` seconds without one."""
        until = None if timeout is None else monotonic() + timeout
        queues: Any = self.cycle
        while True:
            self.arrival.clear()  # before the look: a later message sets it again
            try:
                queues.get(self._deliver, timeout=timeout)
            except Empty:
                left = None if until is None else until - monotonic()
                if not self.arrival.wait(left):
                    raise TimeoutError from None
            else:
                return


# Celery consumer

log = logging.getLogger(__name__)
# Celery would log with each lost connection that a later version gives tasks back.
warnings.filterwarnings("ignore", category=CPendingDeprecationWarning, module=__name__)


class Consumer(consumer.Consumer):
    """Celery's consumer, which survives errors while it closes a lost connection."""

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Closes the lost connection; logs errors, so that the worker reconnects."""
        # kombu 5.7 closes a lost connection twice, the second time without its transport. If Redis dies while
        # a task is unacknowledged, the second close raises AttributeError, which ends the worker. The sweep
        # enqueues the letter again.
        try:
            super().on_connection_error_after_connected(exc)
        except Exception:
            log.warning("a lost connection to the broker could not be closed", exc_info=True)
            self.connection = None
