"""What the search has found out of each node, and no more of it than fits."""

from __future__ import annotations

from typing import NamedTuple

from games.robots.mind import Action, Node

ENTRIES = 400_000  # some 200 MB


class Entry(NamedTuple):
    """`bound` is below 0 if the score is at most `score`, above 0 if at least, 0 if it is that."""

    depth: int
    score: int
    bound: int
    action: Action


class Table:
    """Two generations of entries: the younger becomes the older when it has half of what fits."""

    def __init__(self, entries: int = ENTRIES) -> None:
        self._half = max(1, entries // 2)
        self._young: dict[Node, Entry] = {}
        self._old: dict[Node, Entry] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, node: Node) -> Entry | None:
        return self._young.get(node) or self._old.get(node)

    def put(self, node: Node, entry: Entry) -> None:
        if len(self._young) >= self._half and node not in self._young:
            self._old, self._young = self._young, {}
        self._young[node] = entry
