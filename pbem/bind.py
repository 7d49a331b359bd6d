"""Reads HOST:PORT, and says in one sentence who may be there already when nobody can listen on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class AddressTaken(Exception):
    """Nobody can listen there now. The message says where and what to do."""


@contextmanager
def listening(what: str, setting: str, where: str) -> Iterator[tuple[str, int]]:
    """Host and port, to bind in the block: its OSError becomes AddressTaken."""
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
    """Of a name server: `ADDRESS`, `ADDRESS:PORT` or, for IPv6, `[ADDRESS]:PORT`. Raises ValueError."""
    host, _colon, port = server.rpartition(":")
    if server.startswith("[") or server.count(":") == 1:
        return host.strip("[]"), int(port)
    return server, 53
