"""Something wrong with an installation: which setting, what is wrong with it, and what to do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """`setting` is the variable to look at, or what else the problem is about, such as DNS."""

    setting: str
    problem: str
    hint: str

    def __str__(self) -> str:
        """One line, whatever a server has answered."""
        return " ".join(f"{self.setting}: {self.problem} {self.hint}".split())
