"""Named points at which a test may kill the process, to prove that nothing is lost there."""

import os
import signal
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from typing import Literal, get_args

Failpoint = Literal[
    "keeping",  # a letter is written, not committed
    "kept",  # committed; the client has not received 250
    "moving",  # kept and committed; the mailbox does not say so
    "ringing",  # a row is committed, its task not enqueued
    "claimed",  # a letter is leased to this worker, not read
    "read",  # read, not carried out
    "carried-out",  # carried out, not committed
    "opened",  # committed; the next task is not enqueued
    "born",  # its replies were leased to us in the same commit, not processed
    "one-of-two",  # the relay has one of two letters; no row says so
    "taken-up",  # a reply is leased to this sender
    "composed",  # composed, not handed to the relay
    "handed-over",  # the relay has it, the row does not say so
    "thinking",  # a robot's job is leased to this worker, not begun
    "thought",  # the move is known; no row says so
    "played",  # the move is written, not committed
    "sweeping",  # some lost tasks were enqueued again, some not
]
FAILPOINTS: tuple[Failpoint, ...] = get_args(Failpoint)


def failpoint(name: Failpoint) -> None:
    """Kills the process if `DIE_AT` names this point; `read:7` kills it at the seventh pass."""
    asked, _, times = os.environ.get("DIE_AT", "").partition(":")
    if asked == name and next(_reached[name]) == int(times or 1) - 1:
        os.kill(os.getpid(), signal.SIGKILL)


_reached: defaultdict[str, Iterator[int]] = defaultdict(count)  # from 0; never the same for two threads
