"""Kombu's transport in memory, for threads of one process: a consumer sleeps until something comes.

Kombu's own looks into its queues again and again. At every 5 ms three consumers took 5 % of a core, waiting for
nothing, and a letter waited 2.5 ms for each of them that it went through.
"""

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

_consumers: defaultdict[str, set[Event]] = defaultdict(set)  # by queue: what wakes them


class QoS(virtual.QoS):
    """Wakes the consumer that may take another message now: threads acknowledge, and it sleeps meanwhile."""

    channel: Any

    def ack(self, delivery_tag: str) -> None:
        super().ack(delivery_tag)
        self.channel.arrival.set()

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        super().reject(delivery_tag, requeue=requeue)
        self.channel.arrival.set()


class Channel(memory.Channel):
    """Wakes the consumers of a queue where something is put."""

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
    """`arrival` is set when there may be something for this connection."""

    Channel = Channel

    def __init__(self, client: Any, **named: Any) -> None:
        super().__init__(client, **named)
        self.arrival = Event()

    def drain_events(self, connection: object, timeout: float | None = None, **_: object) -> None:
        """The next message goes to its consumer; TimeoutError where none comes within so many seconds."""
        until = None if timeout is None else monotonic() + timeout
        queues: Any = self.cycle
        while True:
            self.arrival.clear()  # before looking: what comes after that sets it again
            try:
                queues.get(self._deliver, timeout=timeout)
            except Empty:
                left = None if until is None else until - monotonic()
                if not self.arrival.wait(left):
                    raise TimeoutError from None
            else:
                return


# A Celery consumer that connects again however its connection to the broker ended.

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
