"""Finds puzzles in games: positions in which only one turn wins.

A second search with ten times the nodes must agree, and all other legal turns are searched; when that
exceeds the nodes, there is no puzzle. Turns that come to the same are one: they lead to the same position, or
win at once by the same action and differ in what is removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from games.engine import evaluation
from games.engine.analysis import AGAIN, OPENING, SHARE
from games.engine.evaluation import Evaluator
from games.engine.robot import LEVELS
from games.engine.search import PROVEN, WIN, Comparison
from games.kit.turn import Turn
from games.protocol import Position
from games.registry import AnyGame

SURE, NOT_SURE = 0.95, 0.6  # the chance with the solution; the maximum with any other turn
LONGEST_SOLUTION = 5  # turns of the solver
MOST_PUZZLES = 2  # of one game
PUZZLES_APART = 10  # plies


@dataclass(frozen=True)
class Puzzle:
    """A puzzle before the ply `ply`, with canonical turns.

    `accepted` are the solver's turns at each step, the solution first; `replies` are the opponent's turns
    between them.
    """

    ply: int
    accepted: tuple[tuple[str, ...], ...]
    replies: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def find_puzzles(
    game: AnyGame,
    positions: Sequence[Position],
    nodes: int | None = None,
    since: int = OPENING,
    sure: float = SURE,
) -> list[Puzzle]:
    """Returns the first puzzles of a game from the ply `since`, in its order; `nodes` is the budget of the
    first search, `sure` the least chance with the solution. Empty without an evaluator.
    """
    makes = evaluation.find(game)
    if makes is None:
        return []
    evaluator = makes(positions[0])
    share = nodes or evaluator.budgets.get(3, LEVELS[3].nodes) // SHARE
    found: list[Puzzle] = []
    for ply, position in enumerate(positions):
        apart = not found or ply >= found[-1].ply + PUZZLES_APART
        if (
            ply < max(since, OPENING)
            or not apart
            or len(found) == MOST_PUZZLES
            or position.outcome() is not None
        ):
            continue
        if puzzle := _puzzle(evaluator, position, ply, share, sure):
            found.append(puzzle)
    return found


def _puzzle(evaluator: Evaluator, position: Position, ply: int, share: int, sure: float) -> Puzzle | None:
    if position.count() < 2:
        return None
    look = Comparison(evaluator, evaluator.node(position), None)
    look.until(share)
    if not _only_win(look, evaluator, position, share, sure):
        return None
    before = look.best[1]
    look.until(AGAIN * share)
    winning = _only_win(look, evaluator, position, AGAIN * share, sure)
    if look.best[1] != before or not winning:
        return None
    if look.scores[-1][0] <= PROVEN:
        return Puzzle(ply, (winning,))
    if (WIN - look.scores[-1][0] + 1) // 2 > LONGEST_SOLUTION:
        return None
    return _solution(evaluator, position, ply, AGAIN * share, winning)


def _only_win(
    look: Comparison, evaluator: Evaluator, position: Position, nodes: int, sure: float
) -> tuple[str, ...]:
    """Returns the best turn and those that come to the same. Empty when another legal turn is as good."""
    if look.best_chance <= sure:
        return ()
    solution, best = evaluator.move(position, look.best[0]), look.best[1]
    # the likeliest first: of thousands of turns one is soon as good
    likely = [
        child
        for action, child in look.children
        if not _ends_alike(position, evaluator.move(position, action), solution)
    ]
    if not look.others_below(NOT_SURE, nodes, likely):
        return ()
    solved = position.play(solution)
    same, others = [str(solution)], []
    for move in position.moves():
        after = position.play(move)
        if after == solved or _ends_alike(position, move, solution):
            same.append(str(move))
        else:
            others.append(evaluator.node(after))
    only = best not in others and look.others_below(NOT_SURE, nodes, others)
    return tuple(dict.fromkeys(same)) if only else ()


def _ends_alike(position: Position, move: Any, solution: Any) -> bool:
    """Tells whether both turns win at once by the same action, whatever they remove or do before it."""
    if not (action := _last_action(move)) or action != _last_action(solution):
        return False
    outcomes = [position.play(each).outcome() for each in (move, solution)]
    return all(outcome is not None and outcome.winner is position.to_move for outcome in outcomes)


def _last_action(move: Any) -> Any:
    """Returns the last action of a turn of several parts. None for other turns."""
    if isinstance(move, Turn):
        return move.action
    actions = getattr(move, "actions", ())
    return actions[-1] if actions else None


def _solution(
    evaluator: Evaluator, position: Position, ply: int, nodes: int, first: tuple[str, ...]
) -> Puzzle | None:
    """Returns the win against the longest defence. None when it is not proven to the end."""
    accepted: list[tuple[str, ...]] = []
    replies: list[str] = []
    while len(accepted) < LONGEST_SOLUTION:
        winning = tuple(_winning(evaluator, position, nodes)) if accepted else first
        if not winning:
            return None
        accepted.append(winning)
        position = position.play(_move(evaluator, position, winning[0]))
        if position.outcome() is not None:
            return Puzzle(ply, tuple(accepted), tuple(replies))
        look = Comparison(evaluator, evaluator.node(position), None)
        look.until(nodes)
        reply = evaluator.move(position, look.best[0])
        replies.append(str(reply))
        position = position.play(reply)
        if position.outcome() is not None:
            return None
    return None


def _winning(evaluator: Evaluator, position: Position, nodes: int) -> Iterator[str]:
    """Yields the turns with a proven win, the fastest first."""
    look = Comparison(evaluator, evaluator.node(position), None)
    look.until(nodes)
    if look.scores[-1][0] <= PROVEN:
        return
    yield str(evaluator.move(position, look.best[0]))
    for action, child in look.children[1:]:
        if not look.others_below(1 - 1e-6, nodes, [child]):
            move = evaluator.move(position, action)
            if _is_lost(evaluator, position.play(move), nodes):
                yield str(move)


def _is_lost(evaluator: Evaluator, position: Position, nodes: int) -> bool:
    """Tells whether the side to move has lost, or loses for certain."""
    if outcome := position.outcome():
        return outcome.winner is position.to_move.other
    look = Comparison(evaluator, evaluator.node(position), None)
    look.until(nodes)
    return look.scores[-1][0] < -PROVEN


def _move(evaluator: Evaluator, position: Position, text: str) -> Any:
    return next(move for move in position.moves() if str(move) == text)
