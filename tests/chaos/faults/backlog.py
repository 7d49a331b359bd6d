"""Letters come while no worker runs, a tenth of those of the whole story; then the workers return."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic, sleep

from tests.chaos.faults.scene import MOST_FROM_ONE, Scene
from tests.chaos.relay import Submission
from tests.chaos.writer import STRANGERS, Pen

SHARE, MOST = 0.1, 10_000  # of all letters
PATIENCE = 600.0  # seconds, until the door has them all


def pile_up(scene: Scene) -> None:
    with scene.house.without("worker"):
        letters = list(_letters(scene))
        for letter in letters:
            scene.relay.hand_in(letter)
        end = monotonic() + PATIENCE
        while not all(letter.done for letter in letters) and monotonic() < end:
            sleep(0.2)


def _letters(scene: Scene) -> Iterator[Submission]:
    """People who sign up, each of them once: each letter brings another."""
    pen = Pen(scene.seed, MOST_FROM_ONE)
    for number in range(max(1, min(MOST, int(scene.letters * SHARE)))):
        yield pen.letter("junk", f"late{number}@{STRANGERS}", f"REGISTER Late{number}", dmarc="none")
