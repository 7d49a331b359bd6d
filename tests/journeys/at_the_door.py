"""A door to knock at, and what tests of doors write and hear."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from pbem.inbox.transports.smtp_server import ListenerController
from pbem.refusals import REFUSALS

PLAY = "play@pbem.localhost"
ALICE = "alice@players.localhost"
LETTER_OF_ALICE = b"From: alice@players.localhost\r\nMessage-ID: <1@alice>\r\nSubject: hello\r\n\r\nHELP\r\n"


@contextmanager
def opened(protocol: str) -> Iterator[tuple[str, int]]:
    controller = ListenerController("127.0.0.1", 0, protocol)
    controller.start()
    try:
        yield "127.0.0.1", controller.port
    finally:
        asyncio.run_coroutine_threadsafe(_hang_up_seen(), controller.loop).result(10)
        controller.stop()


async def _hang_up_seen() -> None:
    """The server reads that its clients have hung up, or their connections are left open when its loop ends."""
    await asyncio.sleep(0.05)


def said(reply: tuple[int, bytes]) -> str:
    return f"{reply[0]} {reply[1].decode()}"


def smtp_of(code: str) -> str:
    return REFUSALS[code].smtp


class Wire:
    """A connection without any manners: exactly these octets go out, and each reply is one text."""

    def __init__(self, door: tuple[str, int]) -> None:
        self.socket = socket.create_connection(door, timeout=30)
        self._replies = self.socket.makefile("rb")

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._replies.close()
        self.socket.close()

    def send(self, octets: bytes) -> None:
        self.socket.sendall(octets)

    def heard(self) -> str:
        """The next reply, without its line ends; "" when the other side has hung up."""
        lines = []
        while line := self._line():
            lines.append(line.decode().rstrip())
            if line[3:4] != b"-":
                break
        return " / ".join(lines)

    def says(self, line: bytes) -> str:
        self.send(line + b"\r\n")
        return self.heard()

    def begin(self, greeting: bytes = b"EHLO relay.example") -> None:
        """Up to the place where a letter would follow."""
        assert self.heard().startswith("220 ")
        assert self.says(greeting).startswith("250-")
        for line in (b"MAIL FROM:<alice@players.localhost>", b"RCPT TO:<play@pbem.localhost>"):
            assert self.says(line).startswith("250 ")
        assert self.says(b"DATA").startswith("354 ")

    def _line(self) -> bytes:
        try:
            return self._replies.readline()
        except ConnectionError:
            return b""
