"""A problem of an installation: the setting, what is wrong, and what to do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """A problem; `setting` is the variable, or another subject such as DNS."""

    setting: str
    problem: str
    hint: str

    def __str__(self) -> str:
        """Returns one line, also when a server's response had several."""
        return " ".join(f"{self.setting}: {self.problem} {self.hint}".split())
