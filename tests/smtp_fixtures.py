"""The players' end of the wire, as cheap as it can be: mailboxes that hand letters on, senders that stay connected."""

from __future__ import annotations

import asyncio
import queue
import re
import secrets
import smtplib
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email import message_from_bytes, policy
from time import perf_counter

Address = tuple[str, int]
END_OF_DATA = b"\r\n.\r\n"
PORTS = range(20_000, 32_768)


@dataclass(frozen=True)
class Letter:
    """What came, and when, on the clock of `perf_counter`."""

    to: str
    raw: bytes
    at: float
    sender: str = ""  # of the envelope

    @property
    def kind(self) -> str:
        return self._header(_KIND)

    @property
    def reply_to(self) -> str:
        return self._header(_REPLY_TO)

    @property
    def message_id(self) -> str:
        return self._header(_MESSAGE_ID)

    @property
    def text(self) -> str:
        body = message_from_bytes(self.raw, policy=policy.default).get_body(("plain",))
        return "" if body is None else str(body.get_content())

    @property
    def quoted(self) -> str:
        """As a mail program repeats it below an answer."""
        return "\n".join(f"> {line}".rstrip() for line in self.text.splitlines())

    def _header(self, header: re.Pattern[bytes]) -> str:
        found = header.search(self.raw)
        if found is None:
            raise ValueError(f"a letter without {header.pattern!r}: {self.raw[:2000]!r}")
        return found[1].decode("ascii")


@dataclass(frozen=True)
class Post:
    """A letter to be sent; `leaves` is called when its recipient is accepted and its text goes out."""

    sender: str
    to: str
    raw: bytes
    leaves: Callable[[], None] = lambda: None


_REPLY_TO = re.compile(
    rb"^Reply-To:\s+(?:[^\r\n]*<)?([^\s<>]+)>?\r$", re.MULTILINE
)  # with a name before it, or not
_KIND, _MESSAGE_ID = (
    re.compile(rf"^{name}:\s+(\S+)\r$".encode(), re.MULTILINE) for name in ("X-PBeM-Letter", "Message-ID")
)


_GIVEN = set[int]()


def free_port() -> int:
    """Below those from which systems begin connections: none of these takes it while its server is dead. Each once."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            if port not in _GIVEN:
                _GIVEN.add(port)
                return port


@contextmanager
def mailboxes(connection: Callable[[], Mailboxes]) -> Iterator[Address]:
    """An SMTP server in a thread of its own."""
    loop = asyncio.new_event_loop()
    connections: list[Mailboxes] = []

    def connected() -> Mailboxes:
        connections.append(connection())
        return connections[-1]

    thread = threading.Thread(target=loop.run_forever, name="mailboxes", daemon=True)
    thread.start()  # first of all: in the thread of a test the loop of a browser may be running
    opening = asyncio.run_coroutine_threadsafe(loop.create_server(connected, "127.0.0.1", 0), loop)
    server = opening.result()
    try:
        yield server.sockets[0].getsockname()
    finally:
        asyncio.run_coroutine_threadsafe(_close(server, connections), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _close(server: asyncio.Server, connections: list[Mailboxes]) -> None:
    server.close()
    if accepted := asyncio.all_tasks() - {asyncio.current_task()}:  # and not told yet that they are connected
        await asyncio.wait(accepted, timeout=5)
    for left in connections:
        left.wire.abort()
    await asyncio.sleep(0)


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


class Mailboxes(asyncio.Protocol):
    """One connection to a server for any address that does nothing but hand on what it takes."""

    def __init__(self, taken: Callable[[Letter], None]) -> None:
        self.taken = taken
        self.sender = self.to = ""
        self._came = bytearray()
        self._in_data = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.wire = transport
        self.heard("", b"")

    def data_received(self, data: bytes) -> None:
        """Who sends waits for each answer, so that what ended is always the end of what came."""
        self._came += data
        if not self._came.endswith(END_OF_DATA if self._in_data else b"\r\n"):
            return
        came, self._came = bytes(self._came), bytearray()
        verb = "." if self._in_data else came[:4].decode("ascii").upper()
        self._in_data = False
        if verb == "MAIL":
            self.sender, self.to = _path(came), ""
        if verb == "RCPT":
            self.to = _path(came)
        self.heard(verb, came)

    def heard(self, verb: str, came: bytes) -> None:
        """Answer a command, a letter (`.`), or somebody who has just come (no verb)."""
        if verb == ".":
            self.taken(Letter(self.to, came, perf_counter(), self.sender))
        self._in_data = verb == "DATA"
        self.say({"": b"220 mailboxes", "DATA": b"354 go on", "QUIT": b"221 bye"}.get(verb, b"250 OK"))

    def say(self, words: bytes) -> None:
        self.wire.write(words + b"\r\n")


def _path(line: bytes) -> str:
    return line.partition(b"<")[2].partition(b">")[0].decode("ascii")
