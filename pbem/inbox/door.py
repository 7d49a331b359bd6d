"""The mail door: SMTP or LMTP, where a letter is kept before its sender hears 250."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from pbem.inbox import guards
from pbem.inbox.addressing import resolve
from pbem.inbox.keeping import keep

log = logging.getLogger(__name__)
MOST_RECIPIENTS = 20
T = TypeVar("T")


class Door:
    """The handler of aiosmtpd: who lives here, and keep what comes."""

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 too many recipients"
        try:
            known = await _in_thread(lambda: resolve(address, timezone.now()) is not None)
        except DatabaseError:
            log.exception("T05: the database is away")
            return "451 4.3.0 try again later"
        if not known:
            return "550 5.1.1 no such address"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        raw, sender = envelope.original_content or b"", envelope.mail_from or ""
        replies = [await self._keep(raw, sender, recipient) for recipient in envelope.rcpt_tos]
        if isinstance(server, LMTP):
            return "\r\n".join(replies)  # RFC 2033: one reply for each recipient
        return max(replies)  # one refusal speaks for all; the repeated delivery of the others is recognised

    async def _keep(self, raw: bytes, sender: str, recipient: str) -> str:
        try:
            row = await _in_thread(lambda: keep(raw, sender=sender, recipient=recipient, now=timezone.now()))
        except DatabaseError:
            log.exception("T05: the database is away")
            return "451 4.3.0 try again later"
        return f"250 2.0.0 kept as {row.pk}"


class DoorController(Controller):
    """Listens in a thread of its own."""

    def __init__(self, host: str, port: int, protocol: str) -> None:
        self._protocol = LMTP if protocol == "lmtp" else SMTP
        super().__init__(Door(), hostname=host, port=port, ready_timeout=10)

    def factory(self) -> SMTP:
        return self._protocol(
            self.handler,
            data_size_limit=guards.LETTER,
            enable_SMTPUTF8=True,
            hostname=settings.MAIL_DOMAIN,
            ident="PBeM",
        )


async def _in_thread(work: Callable[[], T]) -> T:
    def fresh() -> T:
        close_old_connections()
        try:
            return work()
        finally:
            close_old_connections()

    return await asyncio.to_thread(fresh)


def door(listen: str, protocol: str) -> Any:
    host, _, port = listen.rpartition(":")
    return DoorController(host.strip("[]"), int(port), protocol)
