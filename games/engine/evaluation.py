"""The interface between search and games, and a default implementation from the rules alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, Protocol

from games.protocol import Position
from games.registry import AnyGame

Node = Any  # a position in the search: hashable, preferably a tuple of ints
Action = Hashable  # a turn in the search
Children = Sequence[tuple[Action, Node]]

WON, DRAWN, LOST = 1, 0, -1


class Evaluator(Protocol):
    """The evaluation of a game, made for the position to search: `EVALUATOR` of `games/<game>/evaluation.py`.

    Scores are points for the side to move.
    """

    man: ClassVar[int]  # the points of an ordinary man, the unit of a level's noise
    scale: ClassVar[int]  # the points by which the odds of winning grow e-fold
    budgets: ClassVar[Mapping[int, int]]  # nodes of a level, if they differ from the default
    repeats: ClassVar[bool]  # whether positions can recur
    selective: ClassVar[bool]  # whether `children` omits turns unless forced, so that losses are not proven
    rests: ClassVar[bool]  # whether a side may stand pat when the search ends in captures

    def node(self, position: Any) -> Node: ...

    def result(self, node: Node) -> int | None:
        """Returns WON, DRAWN or LOST for the side to move, as far as it is known without its turns. None
        otherwise.
        """
        ...

    def stuck(self, node: Node) -> int:
        """Returns the result when `children` has no turn."""
        ...

    def forced(self, node: Node) -> bool:
        """Tells whether the turns of this position cost no depth: compulsory captures, or a check."""
        ...

    def children(self, node: Node, depth: int, ply: int) -> Children:
        """Returns the turns to search and the nodes that they lead to, most promising first.

        `ply` is 0 at the root, where no immediately winning turn may be missing. At depth 0 only captures are
        requested, and only of an evaluator that `rests`.
        """
        ...

    def value(self, node: Node) -> int: ...

    def move(self, position: Any, action: Action) -> Any:
        """Returns the game's move for an action in this position."""
        ...


class Plain:
    """An evaluator from the rules alone, for games that add only `value`; a node is a position."""

    man: ClassVar[int] = 100
    scale: ClassVar[int] = 250
    budgets: ClassVar[Mapping[int, int]] = {}
    repeats: ClassVar[bool] = True
    selective: ClassVar[bool] = False
    rests: ClassVar[bool] = False

    def __init__(self, position: Position) -> None:
        """Keeps nothing of the position."""

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


# Minds of games: `EVALUATOR` in the module `evaluation` of a game's package

MakesEvaluator = Callable[[Any], Evaluator]


def find(game: AnyGame) -> MakesEvaluator | None:
    """Returns the factory of evaluators for this game. None when it has no evaluator."""
    name = f"{game.package}.evaluation"
    try:
        found = find_spec(name)
    except ModuleNotFoundError:  # a game in a single module has no submodules
        return None
    if found is None:
        return None
    makes: MakesEvaluator = import_module(name).EVALUATOR
    return makes
