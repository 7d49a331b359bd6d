"""Consumers in memory sleep, and are woken: by a message, and by room for one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from threading import Timer

import pytest
from kombu import Connection, Consumer, Queue
from kombu.message import Message

from pbem.queue.transport import Channel, Transport

LONG = 20.0  # seconds: nobody who is woken sleeps so long
SOON = 0.05
NAME = "some queue"


@pytest.fixture
def connection() -> Iterator[Connection]:
    with closing(connected()) as connection:
        yield connection
        Channel.queues.pop(NAME, None)


@pytest.fixture
def taken(connection: Connection) -> Iterator[list[Message]]:
    """By a consumer that has one message at a time in its hands."""
    taken: list[Message] = []
    with Consumer(connection, [Queue(NAME)], on_message=taken.append, prefetch_count=1):
        yield taken


def connected() -> Connection:
    return Connection("memory://", transport=f"{Transport.__module__}:{Transport.__name__}")


def put(*bodies: str) -> None:
    with connected() as other, other.SimpleQueue(NAME) as queue:
        for body in bodies:
            queue.put(body)


def said(taken: list[Message]) -> list[str]:
    return [message.payload for message in taken]


def test_a_message_wakes_its_consumer(connection: Connection, taken: list[Message]) -> None:
    Timer(SOON, put, ["one"]).start()
    connection.drain_events(timeout=LONG)
    assert said(taken) == ["one"]


@pytest.mark.parametrize("done", ["ack", "reject"])
def test_who_is_done_with_one_gets_the_next(connection: Connection, taken: list[Message], done: str) -> None:
    put("one", "two")
    connection.drain_events(timeout=LONG)
    with pytest.raises(TimeoutError):
        connection.drain_events(timeout=SOON)
    Timer(SOON, getattr(taken[0], done)).start()
    connection.drain_events(timeout=LONG)
    assert said(taken) == ["one", "two"]


def test_what_is_given_back_comes_again(connection: Connection, taken: list[Message]) -> None:
    put("one")
    connection.drain_events(timeout=LONG)
    Timer(SOON, taken[0].requeue).start()
    connection.drain_events(timeout=LONG)
    assert said(taken) == ["one", "one"]


def test_nobody_is_woken_who_has_gone(connection: Connection, taken: list[Message]) -> None:
    with Consumer(connection.clone(), [Queue(NAME)]) as other:
        transport = other.connection.transport
    assert isinstance(transport, Transport)
    transport.arrival.clear()
    put("one")
    assert not transport.arrival.is_set()
    connection.drain_events(timeout=LONG)
    assert said(taken) == ["one"]
