"""Who dies, and when: a list that the seed shuffles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Death:
    """`moment` is one of pbem/queue/failpoints.py, reached the `times`-th time; "" is any time, and comes from outside.

    A `sender` is the worker that is talking to the mail server.
    """

    who: str
    moment: str = ""
    times: int = 1

    def __str__(self) -> str:
        return f"{self.who} at {self.moment}" if self.moment else self.who


# Few kills are those further up; many are all of them again and again.
KINDS = (
    # After the relay has the letter; after the letter is kept; whenever it happens.
    Death("worker", "handed-over"),
    Death("door", "kept"),
    Death("redis"),
    Death("postmaster"),
    Death("sender"),
    Death("worker", "carried-out"),
    Death("worker", "read"),
    Death("robots", "thought"),
    Death("door"),
    Death("beat"),
    Death("worker", "ringing"),
    Death("door", "ringing"),
    Death("worker"),
    Death("robots"),
    # All other stages of a letter.
    Death("worker", "composed"),
    Death("worker", "opened"),
    Death("worker", "claimed"),
    Death("door", "keeping"),
    Death("worker", "taken-up"),
    Death("worker", "born"),
    Death("worker", "one-of-two"),
    Death("worker", "sweeping"),
    Death("robots", "thinking"),
    Death("robots", "played"),
)
# Failpoints that are only reached where something was lost, or somebody asks a robot.
RARE = {"sweeping", "thinking", "thought", "played"}


def deaths(kills: int, letters: int, seed: int) -> Sequence[Death]:
    """So many deaths, spread over a story of so many letters."""
    rng = Random(f"{seed} deaths")
    chosen = [KINDS[number % len(KINDS)] for number in range(kills)]
    reaches = {
        who: max(1, letters // (2 * max(1, sum(death.who == who and bool(death.moment) for death in chosen))))
        for who in ("worker", "door")
    }
    rng.shuffle(chosen)
    return [
        Death(death.who, death.moment, 1 if death.moment in RARE else rng.randint(1, reaches[death.who]))
        if death.moment
        else death
        for death in chosen
    ]
