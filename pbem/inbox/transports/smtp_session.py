"""SMTP and LMTP sessions, within limits of time, memory and errors."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from tempfile import SpooledTemporaryFile
from typing import IO, Any, AnyStr

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, TLSSetupException, syntax
from django.conf import settings

from pbem.inbox.transports.store import code_of
from pbem.mail.parsing.parts import LETTER
from pbem.refusals import REFUSALS, Code

IDLE_TIMEOUT, SHORT_IDLE_TIMEOUT = (
    300.0,
    30.0,
)  # seconds for a command (RFC 5321, 4.5.3.2.7), and when places are short
LARGE_MESSAGES = 2  # large letters in memory at once; each needs several times its size


@dataclass
class ConnectionLimiter:
    """Counts sessions by peer: at most `most` in all, `most_of_one` of a peer (0 means no limit)."""

    most: int
    most_of_one: int
    peers: Counter[str] = field(default_factory=Counter)
    large_messages: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(LARGE_MESSAGES))

    def enter(self, peer: str) -> bool:
        """Takes a place for a session of `peer`. False when there is none; else `leave` must follow."""
        if self.peers.total() >= self.most or (self.most_of_one and self.peers[peer] >= self.most_of_one):
            return False
        self.peers[peer] += 1
        return True

    def leave(self, peer: str) -> None:
        self.peers[peer] -= 1
        if not self.peers[peer]:
            del self.peers[peer]

    @property
    def patience(self) -> float:
        """The idle timeout in seconds, shorter once half of the places are taken."""
        return SHORT_IDLE_TIMEOUT if 2 * self.peers.total() > self.most else IDLE_TIMEOUT


# The previous hop, as our own mail server tells it before each letter (Postfix's XFORWARD_README)

UNKNOWN = ("[UNAVAILABLE]", "[TEMPUNAVAIL]")
OFFER = "XFORWARD ADDR HELO"


@dataclass(frozen=True)
class XforwardInfo:
    """The IP address and HELO of the previous hop. Empty when not known, as for a local letter."""

    peer: str = ""
    helo: str = ""


def read_origin(told: str, before: XforwardInfo) -> XforwardInfo | None:
    """Returns `before` updated with the XFORWARD attributes in `told`. None when `told` is malformed."""
    pairs = [word.partition("=") for word in told.split()]
    if not pairs or not all(name and equals for name, equals, _ in pairs):
        return None
    known = {name.upper(): "" if value in UNKNOWN else _plain(value) for name, _, value in pairs}
    return replace(
        before,
        peer=re.sub(r"(?i)^ipv6:", "", known.get("ADDR", before.peer)),
        helo=known.get("HELO", before.helo),
    )


def _plain(xtext: str) -> str:
    """Decodes xtext (RFC 3461, 4): `+2B` is a plus sign."""
    return re.sub(r"\+([0-9A-F]{2})", lambda found: chr(int(found[1], 16)), xtext)


SESSION = 1800.0  # seconds; the mail server may connect again
DATA = 600.0  # seconds for one letter
PIECE = 64 * 1024  # octets of a letter in memory while it arrives; the rest is spooled to disk
FARTHEST = 2 * LETTER  # octets after which the session of a too large letter is closed
MOST_LINES = 400_000  # of a letter; 10 MiB in base64 has 140,000
MOST_ERRORS = 20  # in a session, as in Postfix
MOST_REPLIES = 150  # without a letter in between

# aiosmtpd's replies by prefix, and ours, which never echo the peer's input.
_REWORDED = (
    ("552 Error", REFUSALS[Code.TOO_LARGE].smtp),
    ("500 Error: command", "500 5.5.1 No such command"),
    ("500 ", "500 5.5.2 Bad syntax"),
    ("502 5.5.1 Too many", "421 4.7.0 Too many errors"),
    ("502 Could not VRFY", "252 2.5.0 Send it and see"),
    ("252 ", "252 2.5.0 Send it and see"),
)
_ERROR = {
    "SMTP": re.compile(rb"5"),
    "LMTP": re.compile(rb"50"),
}  # LMTP: our own server may ask for unknown recipients
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"  # RFC 5321, 4.1.2
_PLAIN = re.compile(
    rf"<(?P<address>{_ATOM}(?:\.{_ATOM})*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)>(?: +(?P<rest>\S.*)?)?"
)


class SmtpSession(SMTP):
    """A session that accepts lines of any length up to the letter size."""

    line_length_limit = PIECE
    protocol = "SMTP"

    def __init__(self, *args: Any, crowd: ConnectionLimiter, **options: Any) -> None:
        super().__init__(*args, **options)
        self.command_size_limits = defaultdict(lambda: self.command_size_limit)  # aiosmtpd shares one
        self._crowd = crowd
        self._inside = ""  # the peer that was let in
        self._errors = self._replied = 0

    # -- connection ------------------------------------------------------------------------------------

    def connection_made(self, transport: Any) -> None:
        if self._original_transport is None:  # else the same session, after STARTTLS
            peer = transport.get_extra_info("peername")
            name = str(peer[0]) if isinstance(peer, tuple) else "socket"
            if not self._crowd.enter(name):
                transport.write(b"421 4.7.0 Too many connections; try again later\r\n")
                transport.close()
                return
            self._inside = name
            self._end_of_session = self.loop.call_later(SESSION, self._timeout_cb)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self._inside:
            self._crowd.leave(self._inside)
            self._inside = ""
            self._end_of_session.cancel()
            super().connection_lost(error)

    def _reset_timeout(self, duration: float | None = None) -> None:
        super()._reset_timeout(duration or self._crowd.patience)

    def _timeout_cb(self) -> None:
        if self.transport is not None:
            self._say_goodbye(b"421 4.4.2 Too slow; try again later\r\n")

    def _say_goodbye(self, words: bytes) -> None:
        """Closes the connection; aborts it when the peer does not read."""
        transport: Any = self.transport
        if transport.is_closing():
            return
        transport.write(words)
        (transport.abort if transport.get_write_buffer_size() else transport.close)()

    @syntax("STARTTLS")
    async def smtp_STARTTLS(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Ignores a failed handshake."""
        with suppress(TLSSetupException):
            await super().smtp_STARTTLS(arg)
        assert self.session is not None
        if self._original_transport is not None and self.session.ssl is None:
            self.connection_lost(None)  # asyncio does not report a timeout of the handshake; frees the place

    # -- commands --------------------------------------------------------------------------------------

    async def push(self, status: AnyStr) -> None:
        if self.transport is None or self.transport.is_closing():
            return
        words = status if isinstance(status, str) else status.decode()
        words = next((ours for theirs, ours in _REWORDED if words.startswith(theirs)), words)
        self._replied += 1
        self._errors += bool(_ERROR[self.protocol].match(words.encode()))
        tired = self.protocol == "SMTP" and self._replied > MOST_REPLIES
        if self._errors > MOST_ERRORS or tired:
            self._say_goodbye(b"421 4.7.0 Too many errors; goodbye\r\n")
            return
        await super().push(words)

    @syntax("VRFY <address>")
    async def smtp_VRFY(self, arg: str) -> None:  # noqa: N802
        await self.push("252 2.5.0 Send it and see")

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Parses a plain address directly; treats undocumented errors of the standard library's parser as
        syntax errors."""
        if plain := _PLAIN.fullmatch(arg or ""):
            return plain["address"], plain["rest"] or ""
        try:
            address, rest = super()._getaddr(arg)
        except (RecursionError, ValueError, LookupError, AttributeError, TypeError):
            return None, None
        return address, rest

    # -- letters ---------------------------------------------------------------------------------------

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        """Receives a letter into a spool file."""
        # aiosmtpd's version keeps copies in memory and refuses long lines.
        if await self.check_helo_needed():
            return
        assert self.envelope is not None
        if not self.envelope.rcpt_tos or arg:
            await self.push("501 5.5.4 Syntax: DATA" if arg else "503 5.5.1 Need RCPT first")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        self._reset_timeout(DATA)
        with SpooledTemporaryFile(PIECE, dir=str(settings.VAR)) as spool:
            refused = await self._receive(spool)
            async with self._crowd.large_messages if spool.tell() > PIECE else nullcontext():
                replies = await self._replies(refused or self._take(spool))
        self._set_post_data_state()  # type: ignore[no-untyped-call]
        self._replied = 0
        await self.push(replies)

    async def _receive(self, spool: IO[bytes]) -> str:
        """Spools the letter without dot-stuffing (RFC 5321, 4.5.2); returns the code of a refusal, or ""."""
        refused, size, lines, at_line_start = "", 0, 0, True
        while size < FARTHEST and lines < MOST_LINES:
            piece = await self._piece()
            if at_line_start and piece == b".\r\n":
                return refused
            text = piece[1:] if at_line_start and piece.startswith(b".") else piece
            at_line_start = piece.endswith(b"\r\n")
            size, lines = size + len(text), lines + 1
            refused = refused or (Code.TOO_LARGE if size > LETTER else _written(spool, text))
        endless = Code.TOO_LARGE if size >= FARTHEST else Code.TOO_COMPLEX
        self._say_goodbye(f"{REFUSALS[endless].smtp}\r\n".encode())
        return endless

    def _take(self, spool: IO[bytes]) -> str:
        """Copies the spool into the envelope; returns the code of a disk error, or ""."""
        assert self.envelope is not None
        try:
            spool.seek(0)
            self.envelope.content = self.envelope.original_content = spool.read()
        except OSError as trouble:
            return code_of(trouble)
        return ""

    async def _piece(self) -> bytes:
        """Reads a line, or a buffer of a long one. Only CR LF ends a line."""
        try:
            return await self._reader.readuntil(b"\r\n")
        except asyncio.LimitOverrunError as longer:
            return await self._reader.read(longer.consumed)

    async def _replies(self, refused: str) -> str:
        if not refused:
            return str(await self._call_handler_hook("DATA"))
        assert self.envelope is not None
        each = len(self.envelope.rcpt_tos) if isinstance(self, LMTP) else 1  # RFC 2033, 4.2
        return "\r\n".join([REFUSALS[refused].smtp] * each)


class Smtp(SmtpSession):
    """A session with any peer: every error counts."""


class Lmtp(SmtpSession, LMTP):
    """A session with our own mail server only (RFC 2033, 5), without a limit on replies."""

    protocol = "LMTP"
    origin: XforwardInfo | None = None  # of the current letter, when our mail server tells it

    @syntax("XFORWARD attribute=value...")
    async def smtp_XFORWARD(self, arg: str) -> None:  # noqa: N802
        origin = read_origin(arg or "", self.origin or XforwardInfo())
        self.origin = origin or self.origin
        await self.push("250 2.0.0 OK" if origin else "501 5.5.4 Syntax: XFORWARD attribute=value...")

    def _set_post_data_state(self) -> None:
        """Forgets the origin after each letter and RSET."""
        super()._set_post_data_state()  # type: ignore[no-untyped-call]
        self.origin = None


def _written(spool: IO[bytes], text: bytes) -> str:
    """Writes to the spool; returns the code of a disk error, or ""."""
    try:
        spool.write(text)
    except OSError as trouble:
        return code_of(trouble)
    return ""
