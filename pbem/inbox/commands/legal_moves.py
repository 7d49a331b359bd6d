"""The legal moves of a position: what a text means there, and near misses."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from games import lenient_parser
from games.protocol import AmbiguousMove, IllegalMove, Notation, Objection, Position, UnreadableMove
from games.registry import AnyGame
from pbem.budget import check
from pbem.inbox.commands.line import cells_in, cells_of_move, named_cells

_FROM_AND_TO, _SIGNS = 2, ("-", "x", ",")  # cells of a move; signs between them
_MOST = 5_000  # moves compared with a typing error
_MOST_AT, _MOST_CELLS = 6, 3  # moves listed for a cell; cells
_SHORTEST, _LONGEST = 4, 12  # letters and digits of a typing error


@dataclass(frozen=True)
class LegalMoves:
    """The legal moves of `position`, written in `notation`."""

    game: AnyGame
    position: Position
    notation: Notation

    def meant(self, text: str) -> str:
        """Returns the legal move that the text means, else ""."""
        check()
        try:
            move = lenient_parser.parse(self.game, self.position, text, self.notation)
        except (UnreadableMove, AmbiguousMove, IllegalMove):
            return ""
        return self.game.write(self.position, move, self.notation)

    def after(self, move: str) -> LegalMoves | None:
        """Returns the legal moves after a legal `move`. None when it ends the game."""
        position = self.position.play(lenient_parser.parse(self.game, self.position, move, self.notation))
        return None if position.outcome() else replace(self, position=position)

    def nearest(self, text: str) -> str:
        """Returns the only move that differs by one character (wrong, missing, extra or swapped), else ""."""
        typed = _squeezed(text)
        if not _SHORTEST <= len(typed) <= _LONGEST or typed.isalpha() or typed.isdecimal():
            return ""
        near = {move for move in self._written if _one_apart(typed, _squeezed(move))}
        return near.pop() if len(near) == 1 else ""

    def at(self, cell: str, said: Sequence[str] = ()) -> list[str]:
        """Returns a sample of the moves on the cell, those with most cells of `said` first."""
        named = [move for move in self._written if cell in _cells(move)]
        most = max((len(_cells(move).intersection(said)) for move in named), default=0)
        best = [move for move in named if len(_cells(move).intersection(said)) == most]
        others = [move for move in named if move not in best]
        return [*best[:: -(-len(best) // _MOST_AT) or 1], *others][:_MOST_AT]

    def with_cells_of(self, text: str) -> list[dict[str, object]]:
        """Returns for each cell of the text some moves there, or why there is none."""
        named = named_cells(text)[:_MOST_CELLS]
        told = {cell: self.at(cell, named) for cell in named}
        all_of = {cell: sum(cell in _cells(move) for move in self._written) for cell in named}
        return [
            {"cell": each, "moves": told[each], "some": len(told[each]) < all_of[each]}
            | ({} if told[each] else {"objection": self._against(each)})
            for each in named
        ]

    def against_told(self, text: str) -> Objection | None:
        """Returns the objection to a move that a sentence tells. None when there is none, or no such move."""
        written = [word.strip(".,;:!\"'()") for word in text.split() if len(cells_in(word)) > 1]
        if len(written) == 1:
            return self._objection(written[0])
        cells = named_cells(text)
        letters = sorted(lenient_parser.letters_of_pieces(self.game, text, self.notation)) or [""]
        if len(cells) != _FROM_AND_TO or len(letters) > 1:
            return None
        [letter] = letters
        ways = (f"{letter}{sign.join(cells)}" for sign in _SIGNS)
        return next(filter(None, map(self._objection, ways)), None)

    def _objection(self, text: str) -> Objection | None:
        check()
        try:
            lenient_parser.parse(self.game, self.position, text, self.notation)
        except IllegalMove as illegal:
            return illegal.objection
        except (UnreadableMove, AmbiguousMove):
            return None
        return None

    def _against(self, cell: str) -> list[object]:
        """Returns why the cell alone is no move. Empty when the rules do not object."""
        why = self._objection(cell)
        return [why.code, why.cells, why.pieces, why.numbers] if why else []

    def within(self, cells: Set[str]) -> list[str]:
        """Returns the moves with the most of these cells, at least two, and no others."""
        few = [move for move in self._written if len(_cells(move)) > 1 and _cells(move) <= cells]
        most = max(map(len, map(_cells, few)), default=0)
        return [move for move in few if len(_cells(move)) == most]

    def told_by(self, cells: Set[str], said: str) -> str:
        """Returns the only move that these cells tell, by a piece in `said` if several fit; else ""."""
        found = self.within(cells) if len(cells) > 1 else []
        found = found or [move for move in self._written if cells and cells <= _cells(move)]
        if len(found) > 1 and (letters := lenient_parser.letters_of_pieces(self.game, said, self.notation)):
            found = [move for move in found if move[0] in letters]
        return found[0] if len(found) == 1 else ""

    @cached_property
    def _written(self) -> tuple[str, ...]:
        moves = islice(self.position.moves(), _MOST)
        return tuple(self.game.write(self.position, move, self.notation) for move in moves)


def _cells(move: str) -> set[str]:
    return set(cells_of_move(move))


def _squeezed(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _one_apart(one: str, other: str) -> bool:
    """Whether the texts differ by one character; two swapped neighbours count as one."""
    if len(other) < _SHORTEST or abs(len(one) - len(other)) > 1:
        return False
    start = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
