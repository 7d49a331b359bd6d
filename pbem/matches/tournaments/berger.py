"""Who meets whom in a round robin, and who moves first: the Berger tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Entrant = TypeVar("Entrant")
Rounds = tuple[tuple[tuple[Entrant, Entrant], ...], ...]  # by round, pairs of (first, second) to move


def rounds(entrants: Sequence[Entrant], *, double: bool = False) -> Rounds[Entrant]:
    """Everybody meets everybody once, or twice with sides changed; of an odd number one is free in each round.

    Nobody moves first more than once oftener than second. Order and sides are those of the tables of
    FIDE's Handbook, C.05, annex 1. ValueError for less than two entrants.
    """
    if len(entrants) < 2:
        raise ValueError(f"{len(entrants)} entrants: a round robin needs two")
    size = len(entrants) + len(entrants) % 2  # the last of them is nobody where the number is odd
    single = tuple(
        tuple(
            (entrants[first - 1], entrants[second - 1])
            for first, second in _round(number, size)
            if max(first, second) <= len(entrants)
        )
        for number in range(1, size)
    )
    return (*single, *(tuple((b, a) for a, b in pairs) for pairs in single)) if double else single


def _round(number: int, size: int) -> list[tuple[int, int]]:
    """The entrant who meets the last one stands in the middle of the table; the others meet across them."""
    turning = size - 1
    middle = (number + 1) * (size // 2) % turning or turning  # twice the middle is number + 1, modulo turning
    last = (middle, size) if middle <= size // 2 else (size, middle)
    across = [
        sorted(((middle + step - 1) % turning + 1, (middle - step - 1) % turning + 1))
        for step in range(1, size // 2)
    ]
    return [last, *((low, high) if (low + high) % 2 else (high, low) for low, high in across)]
