"""What the command lines of the library share."""

from __future__ import annotations

from collections.abc import Sequence


def joined(arguments: Sequence[str]) -> list[str]:
    """`--setup TEXT` as one argument: apart, a text that begins with a hyphen passes for an option."""
    found: list[str] = []
    for argument in arguments:
        if found and found[-1] in ("--setup", "--position"):
            found[-1] += f"={argument}"
        else:
            found.append(argument)
    return found
