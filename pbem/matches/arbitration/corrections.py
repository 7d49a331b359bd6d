"""What is wrong with a text of many lines or records: all of it at once, since nothing of it is carried out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pbem.refusals import Refused


@dataclass(frozen=True)
class Mistake:
    """`line` counts from 1; of records it is their number. `text` is what stands there."""

    line: int
    text: str
    refused: Refused


class Mistaken(ValueError):
    """Nothing was carried out; `mistakes` has what could not be, in its order."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(sorted(mistakes, key=lambda mistake: mistake.line))
        super().__init__(f"{len(self.mistakes)} lines cannot be carried out")
