"""Helpers shared by the command lines of `games`."""

from __future__ import annotations

from collections.abc import Sequence


def joined(arguments: Sequence[str]) -> list[str]:
    """Joins `--setup TEXT` and `--position TEXT` into one argument each."""
    found: list[str] = []
    # argparse takes a separate text that begins with a hyphen for an option
    for argument in arguments:
        if found and found[-1] in ("--setup", "--position"):
            found[-1] += f"={argument}"
        else:
            found.append(argument)
    return found
