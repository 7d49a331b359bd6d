"""The players' end of the wire, as cheap as it can be: mailboxes that hand letters on, senders that stay connected."""

from __future__ import annotations

import asyncio
import queue
import smtplib
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

Address = tuple[str, int]
END_OF_DATA = b"\r\n.\r\n"


@dataclass(frozen=True)
class Letter:
    """What came, and when, on the clock of `perf_counter`."""

    to: str
    raw: bytes
    at: float


@dataclass(frozen=True)
class Post:
    """A letter to be sent; `leaves` is called when its recipient is accepted and its text goes out."""

    sender: str
    to: str
    raw: bytes
    leaves: Callable[[], None] = lambda: None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def mailboxes(taken: Callable[[Letter], None]) -> Iterator[Address]:
    """An SMTP server for any address that does nothing but hand on; `taken` runs in its thread."""
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(loop.create_server(lambda: _Mailboxes(taken), "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever, name="mailboxes", daemon=True)
    thread.start()
    try:
        yield server.sockets[0].getsockname()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        loop.close()


@contextmanager
def senders(door: Address, count: int) -> Iterator[Callable[[Post], None]]:
    """So many connections that stay open; what is put in goes out on the next free one, all before the block ends."""
    waiting: queue.SimpleQueue[Post | None] = queue.SimpleQueue()
    with ThreadPoolExecutor(count) as threads:
        ends = [threads.submit(_send_all, door, waiting) for _ in range(count)]
        try:
            yield waiting.put
        finally:
            for _ in ends:
                waiting.put(None)
    for end in ends:
        end.result()


def _send_all(door: Address, waiting: queue.SimpleQueue[Post | None]) -> None:
    with smtplib.SMTP(*door, timeout=60) as smtp:
        smtp.ehlo("bench")
        while post := waiting.get():
            for code, answer in (smtp.mail(post.sender), smtp.rcpt(post.to)):
                if code != 250:
                    raise RuntimeError(f"{post.to} was refused: {code} {answer!r}")
            post.leaves()
            code, answer = smtp.data(post.raw)
            if code != 250:
                raise RuntimeError(f"a letter to {post.to} was refused: {code} {answer!r}")


class _Mailboxes(asyncio.Protocol):
    def __init__(self, taken: Callable[[Letter], None]) -> None:
        self._taken = taken
        self._came = bytearray()
        self._to = ""
        self._in_data = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._wire = transport
        self._wire.write(b"220 mailboxes\r\n")

    def data_received(self, data: bytes) -> None:
        """Who sends waits for each answer, so that what ended is always the end of what came."""
        self._came += data
        if not self._came.endswith(END_OF_DATA if self._in_data else b"\r\n"):
            return
        came, self._came = bytes(self._came), bytearray()
        self._wire.write(self._kept(came) if self._in_data else self._answer(came))

    def _kept(self, came: bytes) -> bytes:
        self._in_data = False
        self._taken(Letter(self._to, came, perf_counter()))
        return b"250 kept\r\n"

    def _answer(self, line: bytes) -> bytes:
        verb = line[:4].upper()
        if verb == b"RCPT":
            self._to = line.partition(b"<")[2].partition(b">")[0].decode("ascii")
        if verb == b"QUIT":
            return b"221 bye\r\n"
        self._in_data = verb == b"DATA"
        return b"354 go on\r\n" if self._in_data else b"250 OK\r\n"
