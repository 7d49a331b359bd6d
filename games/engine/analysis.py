"""Analyses a finished game: chances after each ply, marks of turns, and better lines.

Nodes are counted, not seconds, so an analysis is the same on every machine. Marks are confirmed by a second
search ten times as long. Turns are not marked when they are forced, in the opening, or when the game is
decided before and after them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from games.engine import evaluation
from games.engine.evaluation import Evaluator, Plain
from games.engine.robot import LEVELS
from games.engine.search import Comparison
from games.move_numbers import mark, numbered, score
from games.protocol import CANONICAL, Notation, Outcome, Position, Side
from games.record import Course, Record
from games.registry import AnyGame

SHARE = 5  # divides the nodes of level 3 for one ply
AGAIN = 10  # multiplies the nodes to confirm a mark
OPENING = 4  # plies without marks
OVER = 0.05  # chance of either side below which the game is decided
MISTAKES = (("??", 30.0), ("?", 15.0), ("?!", 8.0))  # percentage points; a mark is given for a larger loss
GOOD, GOOD_BY = "!", 15.0  # the best turn was played, and every other one loses more than this
LONGEST_LINE = 4  # turns
MOMENTS = 3  # of each side


@dataclass(frozen=True)
class Moment:
    """A mistake; `line` are the better canonical turns of both sides."""

    ply: int
    line: tuple[str, ...]


@dataclass(frozen=True)
class Analysis:
    """The analysis of a game.

    `chances` are those of the first side after 0, 1, 2... plies; `marks` are by ply. `falls` are the mover's
    chances before and after each mistake, by ply. `decided` is the ply of the mistake that lost the game,
    None when no single one did.
    """

    chances: tuple[float, ...]
    marks: Mapping[int, str]
    falls: Mapping[int, tuple[float, float]]
    moments: tuple[Moment, ...]
    decided: int | None
    nodes: int

    def as_json(self) -> dict[str, Any]:
        rounded = asdict(self) | {"chances": [round(chance, 3) for chance in self.chances]}
        rounded["marks"] = {str(ply): mark for ply, mark in self.marks.items()}
        rounded["falls"] = {str(ply): fall for ply, fall in self.falls.items()}
        return rounded

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> Analysis:
        """Reads the object of `as_json`. Raises KeyError, TypeError or ValueError when it is malformed."""
        return cls(
            tuple(map(float, facts["chances"])),
            {int(ply): str(mark) for ply, mark in facts["marks"].items()},
            {int(ply): (float(before), float(after)) for ply, (before, after) in facts["falls"].items()},
            tuple(Moment(**moment | {"line": tuple(moment["line"])}) for moment in facts["moments"]),
            facts["decided"],
            facts["nodes"],
        )


@dataclass(frozen=True)
class _Turn:
    """The findings about one turn: the mover's chance before it, and with it; `line` is better, if not empty."""

    ply: int
    chance: float
    played: float
    mark: str = ""
    line: tuple[str, ...] = ()

    @property
    def lost(self) -> float:
        return round(100 * (self.chance - self.played), 1)


def analyse(
    game: AnyGame,
    start: Position,
    moves: Sequence[Any],
    result: Outcome | None = None,
    nodes: int | None = None,
) -> Analysis:
    """Analyses the game of `moves` from `start`; `result` is its outcome off the board.

    `nodes` is the budget per ply. Raises ValueError when a move cannot be played or there is none.
    """
    if not moves:
        raise ValueError("nobody has moved: there is nothing to analyse")
    positions, ended = _replayed(game, start, moves)
    analyst = _Analyst(game, positions, nodes)
    last = _final(ended, positions[-1]) if ended else analyst.chance(len(moves))
    turns = analyst.turns(moves, last)
    sides = [position.to_move for position in positions]
    chances = tuple(map(_of_first, sides, [*(turn.chance for turn in turns), last]))
    return Analysis(
        chances,
        {turn.ply: turn.mark for turn in turns if turn.mark},
        {turn.ply: (round(turn.chance, 3), round(turn.played, 3)) for turn in turns if turn.line},
        _moments(turns),
        _decided(turns, sides, chances, ended or result),
        analyst.nodes,
    )


class _Analyst:
    """Searches the positions of one game, and counts the nodes spent."""

    def __init__(self, game: AnyGame, positions: Sequence[Position], nodes: int | None) -> None:
        makes = evaluation.find(game) or Plain
        self._evaluator: Evaluator = makes(positions[0])
        self._positions = positions
        self._share = nodes or self._evaluator.budgets.get(3, LEVELS[3].nodes) // SHARE
        self._nodes = [self._evaluator.node(position) for position in positions]
        self.nodes = 0

    def turns(self, moves: Sequence[Any], last: float) -> list[_Turn]:
        """Searches every turn briefly, then possible mistakes again, from the end to the start."""
        # backwards, so that a mistake noticed only later is traced to the turn that made it
        turns = [self._at_a_glance(ply) for ply in range(len(moves))]
        after = last
        for turn in reversed(turns):
            if turn.ply + 1 < len(turns):
                after = turns[turn.ply + 1].chance
            same = self._positions[turn.ply].to_move == self._positions[turn.ply + 1].to_move
            then = after if same else 1 - after
            if _mark(turn.chance, min(turn.played, then)) or _mark(then, turn.chance):
                turns[turn.ply] = self._looked_at_again(turn)
        return turns

    def chance(self, ply: int) -> float:
        """Returns the chance of the side to move."""
        look = self._comparison(ply, None)
        look.until(self._share)
        self.nodes += look.nodes
        return look.best_chance

    def _at_a_glance(self, ply: int) -> _Turn:
        look = self._comparison(ply, self._nodes[ply + 1])
        look.until(self._share)
        turn = _Turn(ply, look.best_chance, look.played_chance)
        if look.found and self._is_free(ply, look):
            turn = self._praised(turn, look)
        self.nodes += look.nodes
        return turn

    def _looked_at_again(self, turn: _Turn) -> _Turn:
        look = self._comparison(turn.ply, self._nodes[turn.ply + 1])
        look.until(AGAIN * self._share)
        self.nodes += look.nodes
        again = _Turn(turn.ply, look.best_chance, look.played_chance)
        mark = _mark(again.chance, again.played)
        if not mark or not self._is_free(turn.ply, look):
            return again
        return replace(again, mark=mark, line=self._line(turn.ply, look))

    def _comparison(self, ply: int, played: Any) -> Comparison:
        earlier = self._nodes[:ply] if self._evaluator.repeats else ()
        return Comparison(self._evaluator, self._nodes[ply], played, earlier)

    def _is_free(self, ply: int, look: Comparison) -> bool:
        """Tells whether the turn can be marked: it is neither forced nor in the opening."""
        return ply >= OPENING and len(look.children) > 1 and self._positions[ply].count() > 1

    def _praised(self, turn: _Turn, look: Comparison) -> _Turn:
        """Marks the turn if it was the only good one."""
        if not self._is_only(look, self._share):
            return turn
        look.until(AGAIN * self._share)
        good = look.found and self._is_only(look, AGAIN * self._share)
        return _Turn(turn.ply, look.best_chance, look.played_chance, GOOD if good else "")

    def _is_only(self, look: Comparison, nodes: int) -> bool:
        limit = look.best_chance - GOOD_BY / 100
        return not _is_over(look.best_chance) and limit > 0 and look.others_below(limit, nodes)

    def _line(self, ply: int, look: Comparison) -> tuple[str, ...]:
        """Returns the best turn and its continuation, as far as it was searched."""
        position, action = self._positions[ply], look.best[0]
        line: list[str] = []
        while len(line) < LONGEST_LINE:
            move = self._evaluator.move(position, action)
            if position.objection(move):
                break
            line.append(str(move))
            position = position.play(move)
            entry = look.table.get(self._evaluator.node(position))
            if position.outcome() is not None or entry is None or entry.bound < 0:
                break
            action = entry.action
        return tuple(line)


def _replayed(game: AnyGame, start: Position, moves: Iterable[Any]) -> tuple[list[Position], Outcome | None]:
    course = Course(game, start)
    return [start, *map(course.play, moves)], course.outcome()


def _mark(best: float, played: float) -> str:
    """Returns the mark for a fall from `best` to `played`. Empty when it is small."""
    return next((mark for mark, least in MISTAKES if 100 * (best - played) > least), "")


def _is_over(chance: float) -> bool:
    return not OVER <= chance <= 1 - OVER


def _moments(turns: Sequence[_Turn]) -> tuple[Moment, ...]:
    """Returns each side's greatest losses, in the order of the game."""
    chosen: list[_Turn] = []
    for side in Side:
        own = [turn for turn in turns if turn.line and turn.ply % 2 == side]
        chosen += sorted(own, key=lambda turn: -turn.lost)[:MOMENTS]
    moments = sorted(chosen, key=lambda turn: turn.ply)
    return tuple(Moment(turn.ply, turn.line) for turn in moments)


def _decided(
    turns: Sequence[_Turn], sides: Sequence[Side], chances: Sequence[float], ended: Outcome | None
) -> int | None:
    """Returns the ply of the greatest mistake after which the winner stayed ahead. None when there is none."""
    if ended is None or ended.winner is None:
        return None
    ahead = [(chance if ended.winner == Side.FIRST else 1 - chance) > 0.5 for chance in chances]
    since = len(ahead) - ahead[::-1].index(False) if False in ahead else 0
    faults = [
        turn for turn in turns if turn.line and sides[turn.ply] != ended.winner and turn.ply + 1 >= since
    ]
    return max(faults, key=lambda turn: turn.lost).ply if faults and ahead[-1] else None


def _of_first(side: Side, chance: float) -> float:
    return chance if side == Side.FIRST else 1 - chance


def _final(outcome: Outcome, position: Position) -> float:
    """Returns the chance of the side to move."""
    return 0.5 if outcome.winner is None else float(outcome.winner == position.to_move)


# Analyses in files: comments below a score sheet, a member of the JSON

COMMENT = "; "  # begins a comment


def annotated_text(sheet: str, record: Record, analysis: Analysis, notation: Notation = CANONICAL) -> str:
    """Adds the analysis below the score sheet. Raises ValueError as `Record.replay` does."""
    lines = _comments(record, analysis, notation)
    return "\n".join([sheet.rstrip("\n"), "", *(f"{COMMENT}{line}" for line in lines), ""])


def annotated_json(text: str, analysis: Analysis) -> str:
    """Adds the analysis to the object of `games.export.to_json`."""
    members = json.loads(text) | {"analysis": analysis.as_json()}
    return json.dumps(members, ensure_ascii=False, indent=2) + "\n"


def _comments(record: Record, analysis: Analysis, notation: Notation) -> Iterator[str]:
    """Yields lines without words: the first side's chance in per cent after each move; marks with the mover's
    chances; better lines.
    """
    game, positions = record.course().game, record.replay()
    per_cent = [str(round(100 * chance)) for chance in analysis.chances[1:]]
    for line in score(per_cent):
        yield f"{line} %"
    for ply in sorted({*analysis.marks, *analysis.falls}):
        written = game.write(positions[ply], game.move(record.moves[ply]), notation)
        said = f"{numbered(ply, written)} {analysis.marks.get(ply, '')}".rstrip()
        before, after = (round(100 * chance) for chance in analysis.falls.get(ply, (0, 0)))
        yield f"{said} ({before} % > {after} %)" if ply in analysis.falls else said
    for moment in analysis.moments:
        better = score(_written(game, positions[moment.ply], moment, notation), moment.ply)
        yield f"{mark(moment.ply)} > {' '.join(map(str, better))}"


def _written(game: AnyGame, position: Position, moment: Moment, notation: Notation) -> list[str]:
    written = []
    for text in moment.line:
        move = game.move(text)
        written.append(game.write(position, move, notation))
        position = position.play(move)
    return written
