"""Named moments at which a test may ask the process to die, to prove that nothing is lost there."""

import os
import signal
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from typing import Literal, get_args

Moment = Literal[
    "keeping",  # a letter is written, not committed
    "kept",  # committed; nobody has heard 250
    "moving",  # kept and committed; the mailbox does not say so
    "ringing",  # any row is committed, its bell not rung
    "claimed",  # a letter is leased to this reader, and not read
    "read",  # read, nothing of it carried out
    "carried-out",  # all of it written, not committed
    "opened",  # committed; the next of its lane is not rung for
    "taken-up",  # an answer is leased to this sender
    "composed",  # ready, nobody has it
    "handed-over",  # the relay has it, the row does not say so
    "sweeping",  # some lost bells were rung again, some not
]
MOMENTS: tuple[Moment, ...] = get_args(Moment)


def reach(moment: Moment) -> None:
    """Die at once, as if by a power cut, if `DIE_AT` is this moment; at the seventh time if it is `read:7`."""
    asked, _, times = os.environ.get("DIE_AT", "").partition(":")
    if asked == moment and next(_reached[moment]) == int(times or 1) - 1:
        os.kill(os.getpid(), signal.SIGKILL)


_reached: defaultdict[str, Iterator[int]] = defaultdict(count)  # from 0; two threads never draw the same
