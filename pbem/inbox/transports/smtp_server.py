"""The SMTP listener (also LMTP): it keeps a letter before it responds 250."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, TypeVar

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import close_old_connections, connection
from django.utils import timezone

from pbem.inbox.models import InboundMail
from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.transports.heartbeat import HeartbeatThread
from pbem.inbox.transports.smtp_session import OFFER, ConnectionLimiter, Lmtp, Smtp, XforwardInfo
from pbem.inbox.transports.store import code_of, disk_is_low, objection_on_the_wire, store_message
from pbem.mail.parsing import parts
from pbem.matches.models import Component
from pbem.network import listening
from pbem.parts import Parts
from pbem.refusals import REFUSALS, Code, Refused

log = logging.getLogger(__name__)
MOST_RECIPIENTS = 20
HUNG = 10.0  # seconds without a response from the event loop thread
NO_SENDER = "<>"  # aiosmtpd's form of the empty sender of a bounce
T = TypeVar("T")


@contextmanager
def open_listener() -> Iterator[Parts]:
    """Accepts letters while the block runs. Raises AddressTaken."""
    with listening("mail door", "SMTP_LISTEN", settings.SMTP_LISTEN) as (host, port):
        controller = ListenerController(host, port, settings.SMTP_PROTOCOL)
        controller.start()
    try:
        with controller.handler.heart.beating(controller.answers) as heart:
            yield controller.thread, *heart
    finally:
        if controller.thread.is_alive():
            controller.stop()


@dataclass(frozen=True)
class ReceivedMessage:
    """A letter with its envelope sender, and the IP address and HELO of the peer that sent it."""

    raw: bytes
    sender: str
    peer: str
    helo: str


class SmtpListener:
    """The aiosmtpd handler: accepts recipients and keeps letters."""

    def __init__(self) -> None:
        self.heart = HeartbeatThread(Component.DOOR)

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, name: str, offers: list[str]
    ) -> list[str]:
        """Drops AUTH from aiosmtpd's extensions and adds PIPELINING (RFC 2920), in LMTP also XFORWARD."""
        session.host_name = name
        kept = [offer for offer in offers if not offer.startswith("250-AUTH")]
        ours = ["250-PIPELINING", *([f"250-{OFFER}"] if isinstance(server, Lmtp) else [])]
        return [*kept[:-1], *ours, kept[-1]]

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if disk_is_low():
            return REFUSALS[Code.DISK_LOW].smtp
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return REFUSALS[Code.TOO_MANY_RECIPIENTS].smtp
        if await _in_thread(lambda: resolve_recipient(address, timezone.now())) is None:
            return REFUSALS[Code.NO_SUCH_ADDRESS].smtp
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        raw, sender = envelope.original_content or b"", envelope.mail_from or ""
        origin = (server.origin if isinstance(server, Lmtp) else None) or _caller(session)
        letter = ReceivedMessage(raw, "" if sender == NO_SENDER else sender, origin.peer, origin.helo)
        if objection := await self._objection(raw):
            replies = [objection] * len(envelope.rcpt_tos)
        else:
            replies = [await self._keep(letter, recipient) for recipient in envelope.rcpt_tos]
        if isinstance(server, LMTP):
            return "\r\n".join(replies)  # RFC 2033: one reply for each recipient
        return max(replies)  # one refusal covers all; the repeated delivery of the others is recognised

    async def handle_exception(self, error: Exception) -> str:
        """Responds with a temporary error of our own. aiosmtpd's 500 would bounce the letter."""
        code = code_of(error)
        log.error("%s: a letter was not taken", code, exc_info=error)
        return REFUSALS[code].smtp

    async def _objection(self, raw: bytes) -> str:
        try:
            code = await _in_thread(lambda: objection_on_the_wire(raw))
        except Exception as error:
            return await self.handle_exception(error)
        return REFUSALS[code].smtp if code else ""

    async def _keep(self, letter: ReceivedMessage, recipient: str) -> str:
        def keep_it(now: datetime) -> InboundMail:
            self.heart.beat(now)
            return store_message(**asdict(letter), recipient=recipient, now=now, may_refuse=True)

        try:
            row = await _in_thread(lambda: keep_it(timezone.now()))
        except Refused as refused:
            return REFUSALS[refused.code].smtp
        except Exception as error:
            return await self.handle_exception(error)
        return f"250 2.0.0 kept as {row.pk}"


class ListenerController(Controller):
    """Runs the server in a thread. `port` 0 means any free port; after `start` it is the real one."""

    def __init__(self, host: str, port: int, protocol: str) -> None:
        self._conversation = Lmtp if protocol == "lmtp" else Smtp
        # In LMTP the only peer is our own mail server.
        most_of_one = 0 if protocol == "lmtp" else settings.SMTP_CONNECTIONS_PER_PEER
        self._crowd = ConnectionLimiter(settings.SMTP_CONNECTIONS, most_of_one)
        self._certificate: ssl.SSLContext | None = None
        super().__init__(SmtpListener(), hostname=host, port=port, ready_timeout=10)

    def factory(self) -> SMTP:
        return self._conversation(
            self.handler,
            crowd=self._crowd,
            data_size_limit=parts.LETTER,
            enable_SMTPUTF8=True,
            hostname=settings.MAIL_DOMAIN,
            ident="PBeM",
            tls_context=self._renewed(),
            auth_exclude_mechanism=["LOGIN", "PLAIN"],
        )

    def _renewed(self) -> ssl.SSLContext | None:
        """Returns the current certificate, or the previous one while the new files are unusable."""
        try:
            self._certificate = certificate()
        except OSError as trouble:  # ssl.SSLError is one
            log.error("SMTP_CERTIFICATE cannot be used: %s", trouble)
        return self._certificate

    def start(self) -> None:
        """Binds the socket and starts the thread. Raises OSError at once when the address cannot be bound."""
        settings.VAR.mkdir(parents=True, exist_ok=True)  # letters are spooled there
        family = socket.AF_INET6 if ":" in self.hostname else socket.AF_INET
        self._socket = socket.create_server((self.hostname, self.port), family=family)
        self.port = self._socket.getsockname()[1]
        if connection.vendor == "sqlite":
            # SQLite has one writer, and each connection rereads what another has written.
            self.loop.set_default_executor(ThreadPoolExecutor(1, thread_name_prefix="door"))
        super().start()
        self.thread.name = "mail door"

    @property
    def thread(self) -> threading.Thread:
        assert self._thread is not None, "it has not started"
        return self._thread

    def answers(self) -> bool:
        """Whether the event loop responds within HUNG seconds."""
        answered = threading.Event()
        self.loop.call_soon_threadsafe(answered.set)
        return answered.wait(HUNG)

    def _create_server(self) -> Any:
        return self.loop.create_server(self._factory_invoker, sock=self._socket)


def certificate() -> ssl.SSLContext | None:
    """Loads the STARTTLS certificate; a renewal needs no restart. None when none is configured."""
    if not settings.SMTP_CERTIFICATE:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(settings.SMTP_CERTIFICATE, settings.SMTP_CERTIFICATE_KEY or None)
    return context


def _caller(session: Session) -> XforwardInfo:
    peer = session.peer[0] if isinstance(session.peer, tuple) else ""  # a socket file has no address
    return XforwardInfo(str(peer), session.host_name or "")


async def _in_thread(work: Callable[[], T]) -> T:
    """Runs `work` in a thread with a fresh database connection, as Django's belong to threads."""

    def fresh() -> T:
        close_old_connections()
        try:
            return work()
        finally:
            close_old_connections()

    return await asyncio.to_thread(fresh)
