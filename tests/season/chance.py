"""One seed for everything that is drawn, in the service too: sides, tiles, the pauses of letters. And one clock."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from unittest.mock import patch


@contextmanager
def seeded(rng: Random) -> Iterator[None]:
    """Whatever part of the service draws by the system draws by `rng`. Salts stay secret: nothing is played by them."""
    with ExitStack() as stack:
        stack.enter_context(
            patch("pbem.queue.timer.monotonic", return_value=0.0)
        )  # a busy machine makes nothing later
        for name, module in sorted(sys.modules.items()):
            if name.startswith("pbem.") and "SystemRandom" in vars(module):
                stack.enter_context(patch.object(module, "SystemRandom", lambda: rng))
        before = random.getstate()
        stack.callback(random.setstate, before)
        random.seed(rng.random())
        yield
