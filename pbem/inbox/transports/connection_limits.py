"""Who is at the door at once: how many sessions in all and of each peer, and how many large letters are kept."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field

UNHURRIED, HURRIED = 300.0, 30.0  # seconds for a command (RFC 5321, 4.5.3.2.7), and where places are short
AT_THE_DESK = 2  # large letters in memory at once: each is there several times while it is kept


@dataclass
class Crowd:
    """Counts sessions by peer; `most` in all, `most_of_one` of a peer (0: no such bound)."""

    most: int
    most_of_one: int
    peers: Counter[str] = field(default_factory=Counter)
    desk: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_THE_DESK))

    def enter(self, peer: str) -> bool:
        """Whether there is room for one more; who is let in must leave."""
        if self.peers.total() >= self.most or (self.most_of_one and self.peers[peer] >= self.most_of_one):
            return False
        self.peers[peer] += 1
        return True

    def leave(self, peer: str) -> None:
        self.peers[peer] -= 1
        if not self.peers[peer]:
            del self.peers[peer]

    @property
    def patience(self) -> float:
        """Seconds that a session may be silent: fewer once half of the places are taken."""
        return HURRIED if 2 * self.peers.total() > self.most else UNHURRIED
