"""A conditional line: one path of the tree of replies and answers, and how a game stays in step with it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games import spoken
from games.errors import AmbiguousMove, GameOver, IllegalMove, UnreadableMove
from games.protocol import Notation, Position
from games.registry import AnyGame

Unplayable = UnreadableMove | AmbiguousMove | IllegalMove | GameOver


@dataclass(frozen=True)
class Line:
    """One path of the tree, from the position after `ply` turns on: reply, answer, reply, answer; None is any reply.

    The first `known` moves are canonical. Those that come after a reply which may be several moves stand as
    written, in `notation`: what they mean shows on the board.
    """

    moves: tuple[str | None, ...]
    known: int
    notation: Notation
    ply: int

    @property
    def end(self) -> int:
        """How many turns have been played when it is played out."""
        return self.ply + len(self.moves)

    def meant(self, game: AnyGame, position: Position, ply: int) -> frozenset[str]:
        """The canonical moves that its move of this ply means in the position; none where it cannot be played."""
        text = self.moves[ply - self.ply]
        assert text is not None
        if ply - self.ply < self.known:
            return frozenset([text])
        try:
            return frozenset([str(spoken.read(game, position, text, self.notation))])
        except AmbiguousMove as several:
            return frozenset(several.readings)
        except (UnreadableMove, IllegalMove):
            return frozenset()


def follow(
    game: AnyGame, lines: Sequence[Line], before: Position, move: Any, ply: int
) -> tuple[list[Line], list[Line]]:
    """The lines that are still in step after `move`, and those that are not. A reply that is named wins over any."""
    played = str(move)
    named = [line for line in lines if line.moves[ply - line.ply] is not None]
    in_step = [line for line in named if played in line.meant(game, before, ply)]
    if not in_step:
        in_step = [line for line in lines if line.moves[ply - line.ply] is None]
    return in_step, [line for line in lines if line not in in_step]


def answer(
    game: AnyGame, lines: Sequence[Line], position: Position, ply: int
) -> tuple[Any, list[tuple[Line, Unplayable]]]:
    """The move of the latest line that can be played (None: of none), and the lines that cannot, with the reason."""
    failed: list[tuple[Line, Unplayable]] = []
    for line in reversed(lines):
        text = line.moves[ply - line.ply]
        assert text is not None
        try:
            if ply - line.ply < line.known:
                return game.move(text), failed
            return spoken.read(game, position, text, line.notation), failed
        except (UnreadableMove, AmbiguousMove, IllegalMove) as why:
            failed.append((line, why))
    return None, failed


def replaces(new: Line, old: Line) -> bool:
    """Whether `old` is no more once `new` is there: it answers otherwise to the same replies, or says a part of it."""
    said, rest = _aligned(new, old)
    for place, (one, other) in enumerate(zip(said, rest, strict=False)):
        if not same(one, other):
            return place % 2 == 1
    return len(rest) <= len(said)


def says(old: Line, new: Line) -> bool:
    """Whether `old` says all that `new` says, and perhaps more."""
    said, rest = _aligned(new, old)
    return len(rest) >= len(said) and all(map(same, said, rest))


def _aligned(new: Line, old: Line) -> tuple[Sequence[str | None], Sequence[str | None]]:
    """Both from the later of their beginnings on."""
    start = max(new.ply, old.ply)
    return new.moves[start - new.ply :], old.moves[start - old.ply :]


def same(one: str | None, other: str | None) -> bool:
    """Whether two moves are written alike, blanks aside; None is any move."""
    return _squeezed(one) == _squeezed(other)


def _squeezed(text: str | None) -> str | None:
    return None if text is None else "".join(text.split())
