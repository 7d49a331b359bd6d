"""Addresses of servers: HOST:PORT to listen on, the IMAP mailbox, trusted peers, and DNS within limits."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Any, TypeGuard
from urllib.parse import unquote, urlsplit

from django.conf import settings

if TYPE_CHECKING:
    import dns.resolver
    from django.http import HttpRequest


UNKNOWN = "unknown"


class AddressTaken(Exception):
    """The address cannot be bound. The message says where, and what to do."""


def is_trusted(peer: str | None) -> bool:
    """Whether a program of this machine brought the letter, and the service is only on trial."""
    serious = settings.AUTHSERV_IDS or settings.VERIFY_SENDERS or not settings.DEVELOPMENT
    tried = settings.TRUST_LOCAL_SENDERS and not serious
    return tried and peer is not None and ip_address(peer).is_loopback


@contextmanager
def listening(what: str, setting: str, where: str) -> Iterator[tuple[str, int]]:
    """Yields host and port to bind in the block; its OSError becomes AddressTaken."""
    host, _, port = where.rpartition(":")
    try:
        yield host.strip("[]"), int(port)
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (")[0]  # asyncio and socket repeat the address there
        raise AddressTaken(
            f"The {what} cannot listen on {where}: {why}. Is the service running already? "
            f"Set {setting}=HOST:PORT to choose another address."
        ) from error


def address_of(server: str) -> tuple[str, int]:
    """Parses a name server: `ADDRESS`, `ADDRESS:PORT` or, for IPv6, `[ADDRESS]:PORT`. Raises ValueError."""
    host, _colon, port = server.rpartition(":")
    if server.startswith("[") or server.count(":") == 1:
        return host.strip("[]"), int(port)
    return server, 53


# IMAP_URL

_PORTS = {"imaps": 993, "imap+starttls": 143, "imap": 143}
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Account:
    """An IMAP mailbox: `scheme` is imaps, imap+starttls or imap; `folder` is the one with new letters."""

    scheme: str
    host: str
    port: int
    user: str
    password: str = field(repr=False)
    folder: str = "INBOX"

    @classmethod
    def parse(cls, url: str) -> Account:
        """Parses `imaps://USER:PASSWORD@HOST:PORT/FOLDER`. Raises ValueError, without the password."""
        parts = urlsplit(url)
        if parts.scheme not in _PORTS or not (parts.hostname and parts.username and parts.password):
            raise ValueError("it is not imaps://USER:PASSWORD@HOST/FOLDER")
        return cls(
            parts.scheme,
            parts.hostname,
            parts.port or _PORTS[parts.scheme],
            unquote(parts.username),
            unquote(parts.password),
            unquote(parts.path[1:]) or "INBOX",
        )

    @property
    def in_the_clear(self) -> bool:
        """Tells whether the password travels unencrypted."""
        return self.scheme == "imap" and self.host not in LOOPBACK

    def __str__(self) -> str:
        return f"{self.user} at {self.host}:{self.port}, folder {self.folder}"


# DNS, with limits on time and number of questions for one letter

TIMEOUT = 3.0  # seconds for one question
ALL_PATIENCE = 10.0  # seconds for all questions about one letter; RFC 7208, 4.6.4 wants 20 at least for SPF
QUESTIONS = 40

# Takes name, type (TXT, A, AAAA, MX, PTR) and seconds, returns answers as in _SHAPES; empty when the name has
# none. Raises Unanswered.
Ask = Callable[[str, str, float], Sequence["Value"]]
Value = str | tuple[bytes, ...] | tuple[int, str]


class Unanswered(Exception):
    """No name server has answered; a later attempt may succeed."""


@dataclass
class Resolver:
    """The DNS questions about one letter: each asked once, all within the limits."""

    ask: Ask
    patience: float = ALL_PATIENCE  # seconds left to wait, without our own work
    answers: dict[tuple[str, str], Sequence[Value]] = field(default_factory=dict)

    def __call__(self, name: str, kind: str) -> Sequence[Value]:
        """Returns the answers. Raises Unanswered."""
        question = (name.lower().rstrip("."), kind)
        if question not in self.answers:
            if self.patience <= 0 or len(self.answers) >= QUESTIONS:
                raise Unanswered(name)
            begun = time.monotonic()
            try:
                self.answers[question] = self.ask(*question, min(self.patience, TIMEOUT))
            finally:
                self.patience -= time.monotonic() - begun
        return self.answers[question]

    def texts(self, name: str) -> list[bytes]:
        """Returns the TXT records of a name, each joined."""
        return [b"".join(value) for value in self(name, "TXT") if _is_text(value)]


def ask(name: str, kind: str, patience: float) -> Sequence[Value]:
    """Asks DNS_SERVERS, by default those of the machine."""
    import dns.exception  # noqa: PLC0415 - many never ask
    import dns.resolver  # noqa: PLC0415

    try:
        answer = _resolver(tuple(settings.DNS_SERVERS)).resolve(
            name, kind, lifetime=patience, raise_on_no_answer=False, search=False
        )
    except (dns.resolver.NXDOMAIN, dns.resolver.YXDOMAIN, dns.exception.SyntaxError, UnicodeError):
        return ()  # unknown name, or no possible one
    except dns.exception.DNSException as trouble:
        raise Unanswered(f"{name}: {trouble}") from trouble
    return [_SHAPES[kind](record) for record in answer.rrset or ()]


@cache
def _resolver(servers: tuple[str, ...]) -> dns.resolver.Resolver:
    """Returns a resolver; `servers` are IP addresses, with `:PORT` or, for IPv6, in brackets: `[::1]:53`."""
    import dns.nameserver  # noqa: PLC0415 - many never ask
    import dns.resolver  # noqa: PLC0415

    resolver = dns.resolver.Resolver(configure=not servers)
    if servers:
        resolver.nameservers = [
            dns.nameserver.Do53Nameserver(address, port) for address, port in map(address_of, servers)
        ]
    return resolver


def _is_text(value: Value) -> TypeGuard[tuple[bytes, ...]]:
    return isinstance(value, tuple) and all(isinstance(piece, bytes) for piece in value)


_SHAPES: Mapping[str, Callable[[Any], Value]] = {
    "TXT": lambda record: tuple(record.strings),
    "A": lambda record: str(record.address),
    "AAAA": lambda record: str(record.address),
    "MX": lambda record: (int(record.preference), record.exchange.to_text(omit_final_dot=True)),
    "PTR": lambda record: str(record.target.to_text(omit_final_dot=True)),
}


def client_address(request: HttpRequest, proxies: Collection[str]) -> str:
    """Returns the client: behind a proxy of ours, the last address of X-Forwarded-For that is no proxy.

    Anything further left may be forged. A /64 is one customer (RFC 6177); a socket without an address is
    local.
    """
    asked = str(request.META.get("REMOTE_ADDR", ""))
    if asked and asked not in proxies:
        return _customer(asked)
    said = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",")
    hops = [hop.strip() for hop in said if hop.strip() and hop.strip() not in proxies]
    return _customer(hops[-1] if hops else asked)


def _customer(address: str) -> str:
    try:
        known = ip_address(address.strip("[]"))
    except ValueError:
        return UNKNOWN
    if not isinstance(known, IPv6Address):
        return str(known)
    if known.ipv4_mapped:
        return str(known.ipv4_mapped)
    return str(ip_network(f"{known}/64", strict=False))
