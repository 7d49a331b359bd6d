"""What a robot looks into, in a process as the service starts it, but with so few nodes that a run ends today."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from games.engine import child

NODES = 30
LEVEL = 1  # whose hints


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Of a whole match, or of one position."""
    return child.answer({**question, "level": LEVEL}, NODES)


if __name__ == "__main__":
    seconds, mebibytes = map(int, sys.argv[1:])
    child.serve(sys.stdin, sys.stdout, seconds=seconds, mebibytes=mebibytes, answers=answer)
