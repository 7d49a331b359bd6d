"""What is written for an e-mail address and cannot be one: nothing is sent there, and its writer hears so at once."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from pbem.players.models.address import is_possible

_AROUND = "<>()[]{}\"'“”«»*_,;:!?"
_MOST = 40  # lines that are looked at


def is_impossible_address(word: str) -> bool:
    """`tom@friends`, `tom@friends,example`, `@`; not `@tom`, which is a name."""
    written = _without_signs(word)
    return (written == "@" or written.find("@") > 0) and not is_possible(written)


def impossible_address_in(lines: Iterable[str]) -> str:
    """The first."""
    words = (word for line in islice(lines, _MOST) for word in line.removesuffix(".").split())
    return next((_without_signs(word) for word in words if is_impossible_address(word)), "")


def _without_signs(word: str) -> str:
    return word.strip(_AROUND).removeprefix("mailto:")
