"""Finds malformed e-mail addresses: nothing is sent there, and the sender is told at once."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from pbem.players.models.address import is_possible

_AROUND = "<>()[]{}\"'“”«»*_,;:!?"
_MOST = 40  # lines searched


def is_impossible_address(word: str) -> bool:
    """Whether the word is a malformed address: `tom@friends`, `tom@friends,example`, `@`; not `@tom`."""
    written = _without_signs(word)
    return (written == "@" or written.find("@") > 0) and not is_possible(written)


def impossible_address_in(lines: Iterable[str]) -> str:
    """Returns the first malformed address, else ""."""
    words = (word for line in islice(lines, _MOST) for word in line.removesuffix(".").split())
    return next((_without_signs(word) for word in words if is_impossible_address(word)), "")


def _without_signs(word: str) -> str:
    return word.strip(_AROUND).removeprefix("mailto:")
