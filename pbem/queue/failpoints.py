"""Named points at which a test may ask the process to die, to prove that nothing is lost there."""

import os
import signal
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from typing import Literal, get_args

Failpoint = Literal[
    "keeping",  # a letter is written, not committed
    "kept",  # committed; nobody has heard 250
    "moving",  # kept and committed; the mailbox does not say so
    "ringing",  # any row is committed, its task not enqueued
    "claimed",  # a letter is leased to this reader, and not read
    "read",  # read, nothing of it carried out
    "carried-out",  # all of it written, not committed
    "opened",  # committed; the next of its queue is not enqueued
    "born",  # its answers were leased to us in the same commit, and nobody has looked at them
    "one-of-two",  # the relay has one of them, and not the other; no row says so
    "taken-up",  # an answer is leased to this sender
    "composed",  # ready, nobody has it
    "handed-over",  # the relay has it, the row does not say so
    "thinking",  # a think, or what else a robot looks into, is leased to this worker, and nobody thinks yet
    "thought",  # the move is known, and no row says so
    "played",  # written, with its row, not committed
    "sweeping",  # some lost tasks were enqueued again, some not
]
FAILPOINTS: tuple[Failpoint, ...] = get_args(Failpoint)


def failpoint(name: Failpoint) -> None:
    """Die at once, as if by a power cut, if `DIE_AT` is this name; at the seventh time if it is `read:7`."""
    asked, _, times = os.environ.get("DIE_AT", "").partition(":")
    if asked == name and next(_reached[name]) == int(times or 1) - 1:
        os.kill(os.getpid(), signal.SIGKILL)


_reached: defaultdict[str, Iterator[int]] = defaultdict(count)  # from 0; two threads never draw the same
