"""The mail door: SMTP or LMTP, where a letter is kept before its sender hears 250."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, AnyStr, TypeVar

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone

from pbem.inbox import guards
from pbem.inbox.addressing import resolve
from pbem.inbox.keeping import keep
from pbem.listening import listening
from pbem.refusals import REFUSALS

log = logging.getLogger(__name__)
MOST_RECIPIENTS = 20
BARE_LINE_END = re.compile(rb"\r(?!\n)|(?<!\r)\n")  # a server behind another one may take it for an end
DISK_FULL = ("disk is full", "No space left")  # SQLite, PostgreSQL
NO_SENDER = "<>"  # how aiosmtpd hands over the empty sender of a bounce
T = TypeVar("T")


@contextmanager
def open_door() -> Iterator[None]:
    """Letters are taken inside the block. Raises AddressTaken."""
    with listening("mail door", "DOOR_LISTEN", settings.DOOR_LISTEN) as (host, port):
        controller = DoorController(host, port, settings.DOOR_PROTOCOL)
        controller.start()
    try:
        yield
    finally:
        controller.stop()


@dataclass(frozen=True)
class Handed:
    """A letter with what its session says: envelope sender, address of the other side and its HELO."""

    raw: bytes
    sender: str
    peer: str
    helo: str


class Door:
    """The handler of aiosmtpd: who lives here, and keep what comes."""

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return REFUSALS["T08"].smtp
        if await _in_thread(lambda: resolve(address, timezone.now())) is None:
            return REFUSALS["T01"].smtp
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        raw, sender = envelope.original_content or b"", envelope.mail_from or ""
        peer = session.peer[0] if isinstance(session.peer, tuple) else ""  # a socket file has no address
        letter = Handed(raw, "" if sender == NO_SENDER else sender, str(peer), session.host_name or "")
        replies = [await self._keep(letter, recipient) for recipient in envelope.rcpt_tos]
        if isinstance(server, LMTP):
            return "\r\n".join(replies)  # RFC 2033: one reply for each recipient
        return max(replies)  # one refusal speaks for all; the repeated delivery of the others is recognised

    async def handle_exception(self, error: Exception) -> str:
        """What went wrong is ours, so the sender keeps the letter: aiosmtpd would say 500, and it would bounce."""
        code = "T06" if any(words in str(error) for words in DISK_FULL) else "T05"
        log.error("%s: a letter was not taken", code, exc_info=error)
        return REFUSALS[code].smtp

    async def _keep(self, letter: Handed, recipient: str) -> str:
        if BARE_LINE_END.search(letter.raw):
            return REFUSALS["T07"].smtp
        try:
            row = await _in_thread(lambda: keep(**asdict(letter), recipient=recipient, now=timezone.now()))
        except Exception as error:
            return await self.handle_exception(error)
        return f"250 2.0.0 kept as {row.pk}"


class DoorController(Controller):
    """Listens in a thread of its own. `port` 0 is any free one; after `start` it is the real one."""

    def __init__(self, host: str, port: int, protocol: str) -> None:
        self._protocol = _Lmtp if protocol == "lmtp" else _Smtp
        super().__init__(Door(), hostname=host, port=port, ready_timeout=10)

    def factory(self) -> SMTP:
        return self._protocol(
            self.handler,
            data_size_limit=guards.LETTER,
            enable_SMTPUTF8=True,
            hostname=settings.MAIL_DOMAIN,
            ident="PBeM",
        )

    def start(self) -> None:
        """Raises OSError at once where aiosmtpd, which binds in its thread, would wait for it in vain."""
        family = socket.AF_INET6 if ":" in self.hostname else socket.AF_INET
        self._socket = socket.create_server((self.hostname, self.port), family=family)
        self.port = self._socket.getsockname()[1]
        super().start()

    def _create_server(self) -> Any:
        return self.loop.create_server(self._factory_invoker, sock=self._socket)


class _Ours(SMTP):
    """A letter of any line length up to its size, refused in our words."""

    line_length_limit = guards.LETTER  # many a mail program writes whole paragraphs in a line

    async def push(self, status: AnyStr) -> None:
        """`status` is what aiosmtpd says. In LMTP every recipient is told of a letter that was too large."""
        words = status if isinstance(status, str) else status.decode()
        if not words.startswith(("552 Error", "500 Line too long")):
            await super().push(status)
            return
        recipients = self.envelope.rcpt_tos if self.envelope and isinstance(self, LMTP) else ()
        await super().push("\r\n".join([REFUSALS["T02"].smtp] * max(1, len(recipients))))


class _Smtp(_Ours):
    pass


class _Lmtp(_Ours, LMTP):
    pass


async def _in_thread(work: Callable[[], T]) -> T:
    """Django's database connections belong to threads; none is kept between letters."""

    def fresh() -> T:
        close_old_connections()
        try:
            return work()
        finally:
            close_old_connections()

    return await asyncio.to_thread(fresh)
