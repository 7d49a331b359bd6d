"""Analyses a finished game: chances after each ply, turns that are judged, and better lines.

Nodes are counted, not seconds, so an analysis is the same on every machine. Marks are confirmed by a second
search ten times as long. Turns are not marked when they are forced, in the opening, or when the game is
decided before and after them. A win that is thrown away is marked, even if it comes back.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from games.engine import evaluation
from games.engine.evaluation import Evaluator, Plain
from games.engine.robot import LEVELS
from games.engine.search import PROVEN, WIN, Comparison
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
AT_ONCE = 2  # plies to a loss by the opponent's next turn


@dataclass(frozen=True)
class Judged:
    """A turn that is judged, with the mover's chances `before` and `after` it.

    A mistake has the better canonical turns of both sides as its `line`; `wins_in` are the turns to the win that
    it missed, 0 for none. An oversight in a lost position has no mark: with the `line`, the mover would have lost
    `held` turns later at least.
    """

    ply: int
    mark: str
    before: float
    after: float
    line: tuple[str, ...] = ()
    wins_in: int = 0
    held: int = 0

    @property
    def lost(self) -> float:
        return round(100 * (self.before - self.after), 1)


@dataclass(frozen=True)
class Analysis:
    """The analysis of a game.

    `chances` are those of the first side after 0, 1, 2... plies; what is `judged` agrees with them. `decided` is
    the ply of the mistake that decided the game, None when no single one did.
    """

    chances: tuple[float, ...]
    judged: tuple[Judged, ...]
    decided: int | None
    nodes: int

    @property
    def marks(self) -> Mapping[int, str]:
        return {turn.ply: turn.mark for turn in self.judged if turn.mark}

    @property
    def turning_point(self) -> Judged | None:
        """What decided the game; else the last turn with which the loser could have held out."""
        chosen = (turn for turn in self.judged if turn.ply == self.decided or turn.held)
        return next(chosen, None)

    @property
    def moments(self) -> tuple[Judged, ...]:
        """The turning point, then each side's greatest losses in the order of the game."""
        first = self.turning_point
        chosen: list[Judged] = []
        for side in Side:
            own = [turn for turn in self.judged if turn.line and turn.ply % 2 == side]
            chosen += sorted(own, key=lambda turn: (turn != first, -turn.lost))[:MOMENTS]
        return tuple(sorted(chosen, key=lambda turn: (turn != first, turn.ply)))

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"chances": [round(chance, 3) for chance in self.chances]}

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> Analysis:
        """Reads the object of `as_json`. Raises KeyError, TypeError or ValueError when it is malformed."""
        judged = (Judged(**turn | {"line": tuple(turn["line"])}) for turn in facts["judged"])
        return cls(tuple(map(float, facts["chances"])), tuple(judged), facts["decided"], facts["nodes"])


@dataclass(frozen=True)
class _Turn:
    """The findings about one turn: the mover's chance before it, and with it; `line` is better, if not empty.

    `ends` are the plies to the proven loss with the best turn and with the played one, None when there is none.
    """

    ply: int
    chance: float
    played: float
    mark: str = ""
    line: tuple[str, ...] = ()
    wins_in: int = 0
    ends: tuple[int | None, int | None] = (None, None)

    @property
    def held(self) -> int:
        """The turns by which the best one holds out longer than the played one, at least."""
        best, played = self.ends
        return 0 if best is None or played is None else (best - played) // 2

    @property
    def loses_at_once(self) -> bool:
        return self.ends[1] == AT_ONCE


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
    sides = [position.to_move for position in positions]
    turns = _agreeing(analyst.turns(moves, last), sides)
    if turns[-1].line and not ended:
        last = turns[-1].played if sides[-2] == sides[-1] else 1 - turns[-1].played
    chances = tuple(map(_of_first, sides, [*(turn.chance for turn in turns), last]))
    outcome = ended or result
    decided = _decided(turns, sides, chances, outcome)
    if decided is None and outcome is not None and outcome.winner is not None:
        analyst.look_for_oversight(turns, sides, outcome.winner)
    judged = tuple(_judged(turn) for turn in turns if turn.mark or turn.line)
    return Analysis(chances, judged, decided, analyst.nodes)


class _Analyst:
    """Searches the positions of one game, and counts the nodes spent."""

    def __init__(self, game: AnyGame, positions: Sequence[Position], nodes: int | None) -> None:
        self._draws_after = game.repetition or 0
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
        turn = _Turn(ply, look.best_chance, look.played_chance, ends=_ends(look))
        if look.found and self._is_free(ply, look):
            turn = self._praised(turn, look)
        self.nodes += look.nodes
        return turn

    def _looked_at_again(self, turn: _Turn) -> _Turn:
        look = self._comparison(turn.ply, self._nodes[turn.ply + 1])
        look.until(AGAIN * self._share)
        self.nodes += look.nodes
        again = _Turn(turn.ply, look.best_chance, look.played_chance, ends=_ends(look))
        mark = _mark(again.chance, again.played)
        if not mark or not self._is_free(turn.ply, look):
            return again
        return replace(again, mark=mark, line=self._line(turn.ply, look), wins_in=_missed(look))

    def look_for_oversight(self, turns: list[_Turn], sides: Sequence[Side], winner: Side) -> None:
        """Adds the line of the longest resistance to the last turn of the loser that had one.

        A turn that loses at once goes before others.
        """
        held = [turn for turn in turns if sides[turn.ply] != winner and turn.held > 0]
        for turn in sorted(held, key=lambda turn: (turn.loses_at_once, turn.ply), reverse=True):
            look = self._comparison(turn.ply, self._nodes[turn.ply + 1])
            look.until(AGAIN * self._share)
            self.nodes += look.nodes
            again = replace(turn, ends=_ends(look))
            if again.held > 0 and (line := self._line(turn.ply, look)):
                turns[turn.ply] = replace(again, line=line)
                return

    def _comparison(self, ply: int, played: Any) -> Comparison:
        # In the search every repetition is a draw; here only what would end the game.
        counted = Counter(self._nodes[:ply]) if self._draws_after else Counter[Any]()
        earlier = (node for node, times in counted.items() if times + 1 >= self._draws_after)
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
        return _Turn(turn.ply, look.best_chance, look.played_chance, GOOD if good else "", ends=_ends(look))

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


def _missed(look: Comparison) -> int:
    """Returns the turns to the proven win that was not played. 0 when there is none."""
    best, played = look.scores[-1]
    return (WIN - best + 1) // 2 if best > PROVEN >= played else 0


def _ends(look: Comparison) -> tuple[int | None, int | None]:
    """Returns the plies to the loss of the best turn and the played one: beyond the depth for one not proven."""
    best, played = look.scores[-1]
    if played >= -PROVEN:
        return None, None
    return (WIN + best if best < -PROVEN else look.depth + 1), WIN + played


def _agreeing(turns: Sequence[_Turn], sides: Sequence[Side]) -> list[_Turn]:
    """Returns the turns with one chance for each position, whether it is seen before a turn or after one.

    A mistake goes by the next turn's chance when that is a mistake, too, else the next turn by the mistake's.
    """
    agreeing = list(turns)
    for ply, after in reversed(list(enumerate(turns[1:]))):
        turn, same = agreeing[ply], sides[ply] == sides[ply + 1]
        if not turn.line:
            continue
        then = agreeing[ply + 1].chance if same else 1 - agreeing[ply + 1].chance
        if after.line and (mark := _mark(turn.chance, then)):
            agreeing[ply] = replace(turn, played=then, mark=mark)
        elif not after.line:
            agreeing[ply + 1] = replace(after, chance=turn.played if same else 1 - turn.played)
    return agreeing


def _judged(turn: _Turn) -> Judged:
    before, after = round(turn.chance, 3), round(turn.played, 3)
    held = turn.held if turn.line and not turn.mark else 0
    return Judged(turn.ply, turn.mark, before, after, turn.line, turn.wins_in, held)


def _decided(
    turns: Sequence[_Turn], sides: Sequence[Side], chances: Sequence[float], ended: Outcome | None
) -> int | None:
    """Returns the ply of the greatest mistake after which the winner stayed ahead; in a draw, of any. None when
    there is none.
    """
    faults = [turn for turn in turns if turn.line]
    if ended is None or not faults:
        return None
    if ended.winner is None:
        return max(faults, key=_lost).ply
    ahead = [(chance if ended.winner == Side.FIRST else 1 - chance) > 0.5 for chance in chances]
    since = len(ahead) - ahead[::-1].index(False) if False in ahead else 0
    losing = [turn for turn in faults if sides[turn.ply] != ended.winner and turn.ply + 1 >= since]
    return max(losing, key=_lost).ply if losing and ahead[-1] else None


def _lost(turn: _Turn) -> float:
    return turn.chance - turn.played


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
    for turn in analysis.judged:
        written = game.write(positions[turn.ply], game.move(record.moves[turn.ply]), notation)
        said = f"{numbered(turn.ply, written)} {turn.mark}".rstrip()
        yield f"{said} ({round(100 * turn.before)} % > {round(100 * turn.after)} %)" if turn.line else said
    for moment in analysis.moments:
        better = score(_written(game, positions[moment.ply], moment, notation), moment.ply)
        yield f"{mark(moment.ply)} > {' '.join(map(str, better))}"


def _written(game: AnyGame, position: Position, moment: Judged, notation: Notation) -> list[str]:
    written = []
    for text in moment.line:
        move = game.move(text)
        written.append(game.write(position, move, notation))
        position = position.play(move)
    return written
