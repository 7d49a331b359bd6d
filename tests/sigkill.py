"""A power cut at any failpoint, inside one process: nothing in the service catches it."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

from pbem.queue import failpoints


class PowerCut(BaseException):
    """Not an Exception, for those are survived."""


@contextmanager
def power_cut_at(name: str) -> Iterator[None]:
    """The block ends the first time this failpoint is reached in it, as a process with DIE_AT ends; "": never."""

    def die(*_: object) -> None:
        raise PowerCut

    own = failpoints.os
    failpoints._reached.clear()
    failpoints.os = SimpleNamespace(environ={"DIE_AT": name}, getpid=own.getpid, kill=die)  # type: ignore[assignment]
    try:
        yield
    except PowerCut:
        pass
    finally:
        failpoints.os = own
