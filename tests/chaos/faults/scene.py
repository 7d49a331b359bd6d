"""What a fault may lay hands on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from random import Random

from tests.chaos.evidence import Undone
from tests.chaos.house import House
from tests.chaos.relay import Relay
from tests.chaos.rows import Tables
from tests.chaos.sink import Sink
from tests.smtp_fixtures import Letter

MOST_FROM_ONE = 1_000_000  # letters of a pen; another's begin after that


@dataclass(frozen=True)
class Scene:
    """It may last: the story goes on meanwhile.

    `letters` and `seed` of the story. `quiet`: what must be true besides, until all is quiet. `stack` is unwound when
    the house is closed, `ends` is set when all is quiet.
    """

    house: House
    relay: Relay
    sink: Sink
    tables: Tables
    letters: int
    seed: int
    rng: Random
    stack: ExitStack
    say: Callable[[str], None]
    mailbox: queue.SimpleQueue[Letter | Undone]  # of all who play
    undone: list[Undone] = field(default_factory=list)
    quiet: list[Callable[[], bool]] = field(default_factory=list)
    ends: threading.Event = field(default_factory=threading.Event)

    def again_and_again(self, seconds: float, happens: Callable[[], object]) -> None:
        """Until all is quiet, in a thread of its own."""

        def repeat() -> None:
            while not self.ends.wait(seconds):
                happens()

        thread = threading.Thread(target=repeat, name=happens.__name__)
        thread.start()
        self.stack.callback(thread.join)
        self.stack.callback(self.ends.set)


Fault = Callable[[Scene], None]
