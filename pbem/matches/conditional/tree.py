"""Conditional lines as one tree: what several begin with is said once. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pbem.matches.conditional.line import same


@dataclass(frozen=True)
class Branch:
    """A reply (None: any), the answer to it, and what comes after; `number` is that of a line that ends here."""

    reply: str | None
    answer: str
    number: int | None
    then: tuple[Branch, ...]


def tree(lines: Iterable[tuple[int, Sequence[str | None]]]) -> tuple[Branch, ...]:
    """Numbered lines as one tree: what they have in common at their beginning is said once."""
    branches: list[Branch] = []
    rests: list[list[tuple[int, Sequence[str | None]]]] = []
    for number, moves in lines:
        reply, said, rest = moves[0], moves[1], moves[2:]
        assert said is not None
        place = next(
            (i for i, b in enumerate(branches) if same(b.reply, reply) and same(b.answer, said)), None
        )
        if place is None:
            place = len(branches)
            branches.append(Branch(reply, said, None, ()))
            rests.append([])
        if rest:
            rests[place].append((number, rest))
        else:
            branches[place] = replace(branches[place], number=number)
    return tuple(replace(branch, then=tree(rest)) for branch, rest in zip(branches, rests, strict=True))
