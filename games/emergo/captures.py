"""Chains of jumps: how a column takes one man after another, and which chains take the most."""

from __future__ import annotations

from collections.abc import Iterator

from games.emergo.board import JUMPS, STEPS, indices

# The squares where the column has been, those that it jumped, and the columns that it may still jump.
Chain = tuple[tuple[int, ...], tuple[int, ...], int]


def longest(mine: int, prey: int, theirs: int, empty: int, columns: bytes) -> list[Chain]:
    """Every chain that takes as many men as possible; `prey` are those that can be jumped first.

    All chains grow by a jump at a time, and the last generation is the longest. It comes soon: each
    jump takes one of twelve men from the top of a column.
    """
    starts = {start for over in indices(prey) for start in STEPS[over] if mine >> start & 1}
    chains: list[Chain] = [((start,), (), theirs) for start in sorted(starts)]
    while longer := [longer for chain in chains for longer in grown(chain, empty, columns)]:
        chains = longer
    return chains


def grown(chain: Chain, empty: int, columns: bytes) -> Iterator[Chain]:
    """The chain with one more jump, over anything but the column that it has just jumped.

    It lands on squares an even number of steps apart and jumps the odd ones, so that nothing taken makes
    room for it: it finds the squares that were `empty` at first, and its own.
    """
    path, jumped, theirs = chain
    for over, landing, over_bit, landing_bit in JUMPS[path[-1]]:
        free = landing_bit & empty or landing == path[0]
        if over_bit & theirs and free and not (jumped and over == jumped[-1]):
            its_last = columns[over] >> 4 == jumped.count(over) + 1
            yield (*path, landing), (*jumped, over), theirs ^ over_bit if its_last else theirs
