"""What the search asks of a game, and the same for a game of which nothing is known but its rules."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, Protocol

from games.protocol import Position
from games.registry import AnyGame

Node = Any  # a position as the search has it: hashable, best a tuple of ints
Action = Hashable  # a turn as the search has it
Children = Sequence[tuple[Action, Node]]

WON, DRAWN, LOST = 1, 0, -1


class Mind(Protocol):
    """What is known of a game, made from the position that is thought about: `MIND` of `games/<game>/mind.py`.

    Scores are points for the side to move.
    """

    man: ClassVar[int]  # the points of an ordinary man: what the noise of a level is a part of
    scale: ClassVar[int]  # the points in which the odds of winning grow e-fold
    budgets: ClassVar[Mapping[int, int]]  # nodes of a level, where they are not those of all games
    repeats: ClassVar[bool]  # whether positions can come again
    selective: ClassVar[
        bool
    ]  # whether `children` leaves turns out where none is forced, so that no loss is proved
    rests: ClassVar[bool]  # whether a side may leave a quiet position as it is when the search ends there

    def node(self, position: Any) -> Node: ...

    def result(self, node: Node) -> int | None:
        """WON, DRAWN or LOST for the side to move; None while it goes on, as far as is seen without its turns."""
        ...

    def stuck(self, node: Node) -> int:
        """The result where `children` has none."""
        ...

    def forced(self, node: Node) -> bool:
        """Whether the turns of this position cost no depth: captures are compulsory, a king is in check."""
        ...

    def children(self, node: Node, depth: int, ply: int) -> Children:
        """The turns worth a look and what each leads to, best guess first.

        `ply` is 0 at the root, where no turn that wins at once may be missing. At depth 0 only captures are asked
        for, and only of a mind that `rests`.
        """
        ...

    def value(self, node: Node) -> int: ...

    def move(self, position: Any, action: Action) -> Any:
        """The move of the game that the action is in this position."""
        ...


class Plain:
    """A mind by the rules alone, for a game that adds no more than `value`; a node is a position."""

    man: ClassVar[int] = 100
    scale: ClassVar[int] = 250
    budgets: ClassVar[Mapping[int, int]] = {}
    repeats: ClassVar[bool] = True
    selective: ClassVar[bool] = False
    rests: ClassVar[bool] = False

    def __init__(self, position: Position) -> None:
        """Of the position nothing is kept."""

    def node(self, position: Any) -> Node:
        return position

    def result(self, node: Node) -> int | None:
        outcome = node.outcome()
        if outcome is None:
            return None
        if outcome.winner is None:
            return DRAWN
        return WON if outcome.winner == node.to_move else LOST

    def stuck(self, node: Node) -> int:
        return DRAWN

    def forced(self, node: Node) -> bool:
        return False

    def children(self, node: Node, depth: int, ply: int) -> Children:
        return [(move, node.play(move)) for move in node.moves()]

    def value(self, node: Node) -> int:
        return 0

    def move(self, position: Any, action: Action) -> Any:
        return action


# The mind of each game that has one: `MIND` in the module `mind` of its package, here or elsewhere.

MakesMind = Callable[[Any], Mind]


def find(game: AnyGame) -> MakesMind | None:
    """What makes the mind for a position of this game; None where its author has written none."""
    name = f"{game.package}.mind"
    try:
        found = find_spec(name)
    except ModuleNotFoundError:  # a game that is one module has no modules in it
        return None
    if found is None:
        return None
    makes: MakesMind = import_module(name).MIND
    return makes
