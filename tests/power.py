"""A power cut at any named moment, inside one process: nothing in the service catches it."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

from pbem import moments


class PowerCut(BaseException):
    """Not an Exception, for those are survived."""


@contextmanager
def power_cut_at(moment: str) -> Iterator[None]:
    """The block ends the first time this moment is reached in it, as a process with DIE_AT ends; "": never."""

    def die(*_: object) -> None:
        raise PowerCut

    own = moments.os
    moments._reached.clear()
    moments.os = SimpleNamespace(environ={"DIE_AT": moment}, getpid=own.getpid, kill=die)  # type: ignore[assignment]
    try:
        yield
    except PowerCut:
        pass
    finally:
        moments.os = own
