"""A square board: its cells, lines and groups as bitboards, and the same board as a scene draws it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from games.kit.scene import Cell, Edge

Line = tuple[int, ...]  # the bits of its cells, in order


@dataclass(frozen=True)
class SquareBoard:
    """A board of `size` x `size` cells; a set of cells is an int, one bit per cell.

    a1 is the lowest bit and a row is `size + 1` bits long: the spare column catches whatever leaves
    the board to the left or right, so that a shift needs no mask.
    """

    size: int

    @cached_property
    def bits(self) -> dict[str, int]:
        """The bit of every cell by its name, a1, b1, ... upwards."""
        size, stride = self.size, self.size + 1
        return {_name(x, y): 1 << x + y * stride for y in range(size) for x in range(size)}

    @cached_property
    def names(self) -> dict[int, str]:
        """The name of every bit."""
        return {bit: name for name, bit in self.bits.items()}

    @cached_property
    def full(self) -> int:
        """All cells."""
        return sum(self.names)

    @cached_property
    def rows(self) -> tuple[Line, ...]:
        """The rows from the first up, each from a."""
        bits, size = tuple(self.bits.values()), self.size
        return tuple(bits[y * size : (y + 1) * size] for y in range(size))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The rows, columns and diagonals of two cells and more, each once."""
        rows, size = self.rows, self.size
        rising = (
            tuple(rows[y][y + shift] for y in range(size) if 0 <= y + shift < size)
            for shift in range(2 - size, size - 1)
        )
        falling = (
            tuple(rows[y][total - y] for y in range(size) if 0 <= total - y < size)
            for total in range(1, 2 * size - 2)
        )
        return (*rows, *zip(*rows, strict=True), *rising, *falling)

    def cells(self, mask: int) -> Iterator[str]:
        """The names of the cells in `mask`, a1 first."""
        while mask:
            bit = mask & -mask
            yield self.names[bit]
            mask ^= bit

    def group(self, men: int, seed: int) -> int:
        """The men who hang together with `seed`, some of the men, sideways or diagonally."""
        stride = self.size + 1
        while True:
            wide = seed | seed << 1 | seed >> 1
            grown = (wide | wide << stride | wide >> stride) & men
            if grown == seed:
                return seed
            seed = grown

    def connected(self, men: int) -> bool:
        """Whether the men are one group; nobody and a single man are."""
        return self.group(men, men & -men) == men

    def groups(self, men: int) -> int:
        """How many groups the men form."""
        count = 0
        while men:
            men ^= self.group(men, men & -men)
            count += 1
        return count

    def write(self, layers: Mapping[str, int]) -> str:
        """The board as chess writes it, the last row first: `2o1/xxxx/4/4`. A layer is a letter and
        the cells that it covers."""
        letters = {bit: letter for letter, mask in layers.items() for bit in self.bits.values() if bit & mask}
        rows = ("".join(letters.get(bit, " ") for bit in row) for row in reversed(self.rows))
        return "/".join(re.sub(" +", lambda gap: str(len(gap[0])), row) for row in rows)

    def read(self, text: str, letters: str) -> tuple[int, ...]:
        """The cells that each of the letters covers in a text as `write` makes it; else ValueError."""
        rows = [re.sub("[0-9]{1,2}", lambda gap: " " * int(gap[0]), row) for row in text.split("/")]
        if [len(row) for row in rows] != [self.size] * self.size:
            raise ValueError(f"{text!r} is not {self.size} rows of {self.size} cells")
        placed = list(zip("".join(reversed(rows)), self.bits.values(), strict=True))
        masks = tuple(sum(bit for found, bit in placed if found == letter) for letter in letters)
        if self.write(dict(zip(letters, masks, strict=True))) != text:
            raise ValueError(f"{text!r} has more than the letters {letters!r} and gaps")
        return masks

    @cached_property
    def scene_cells(self) -> tuple[Cell, ...]:
        """The cells as a scene has them, chequered, a1 shaded."""
        top = self.size - 1
        return tuple(
            Cell(_name(x, y), x, top - y, "plain" if (x + y) % 2 else "shaded")
            for y in reversed(range(self.size))
            for x in range(self.size)
        )

    @cached_property
    def scene_edges(self) -> tuple[Edge, ...]:
        """Letters below the first row, numbers to the left of the first column."""
        letters = (Edge(_name(x, 0), 0, 1, "letter") for x in range(self.size))
        numbers = (Edge(_name(0, y), -1, 0, "number") for y in range(self.size))
        return (*letters, *numbers)


def _name(x: int, y: int) -> str:
    return f"{chr(ord('a') + x)}{y + 1}"
