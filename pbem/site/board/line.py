"""A line of moves chosen on a board: the row of clicks, what it plays, and what it plans."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from games import lenient_parser
from games.clicks import Choice, choose, clicks_of, path
from games.kit.scene import Mark, Scene
from games.move_numbers import numbered
from games.protocol import GameOver, Notation, Position
from games.record import Course
from games.registry import AnyGame, find
from pbem.matches import plies
from pbem.outbox.rendering.board import Board

MOST_CLICKS = 120
MOST_LISTED = 300  # moves
Row = tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """What can be posted: the move to be played ("" on the opponent's turn), and the replies with their answers."""

    move: str
    pairs: tuple[tuple[str, str], ...]
    reply: str = ""  # the last, without an answer yet

    @property
    def lines(self) -> str:
        """The replies and answers, a line each, as a form posts them."""
        return "\n".join(move for pair in self.pairs for move in pair)


@dataclass(frozen=True)
class Line:
    """The moves that a row of clicks plays from a board."""

    board: Board
    row: Row
    choice: Choice
    earlier: Sequence[str] = ()  # repetition keys

    @property
    def game(self) -> AnyGame:
        return self.board.match.game

    @property
    def position(self) -> Position:
        return self.choice.steps[-1].after if self.choice.steps else self.board.after

    @cached_property
    def written(self) -> tuple[str, ...]:
        """The moves in the reader's notation."""
        write, notation = self.game.write, self.board.notation
        return tuple(write(step.before, step.move, notation) for step in self.choice.steps)

    @property
    def numbered(self) -> list[str]:
        return [numbered(step.ply, said) for step, said in zip(self.choice.steps, self.written, strict=True)]

    @property
    def changes(self) -> str:
        """The last move as a sentence."""
        mover = self.board.match.players[self.choice.steps[-1].before.to_move]
        return f"{mover} {self.board.speech.changes(self._after)}."

    @property
    def _after(self) -> Scene:
        step = self.choice.steps[-1]
        return self.game.scene(step.before, step.move, step.after)

    def scene(self, *, turned: bool) -> Scene:
        """Returns the board after the line, with what is chosen of the next move."""
        scene = self._after if self.choice.steps else self.board.scene
        if self.choice.steps and turned:
            scene = scene.flipped()
        chosen = tuple(Mark("hint", cell.name) for cell in scene.cells if cell.name in self.choice.path)
        return replace(scene, marks=chosen, arrows=()) if chosen else scene

    @property
    def listed(self) -> tuple[str, ...]:
        """The next moves as they are written, sorted; none where they are many or one is begun."""
        if self.choice.path or not self.choice.following:
            return ()
        return _listed(self.board.match.game_name, self.position, self.board.notation)

    def plan(self, *, yours: bool) -> Plan:
        mine = 1 if yours else 0
        move, rest = "".join(self.written[:mine]), self.written[mine:]
        pairs = tuple(zip(rest[::2], rest[1::2], strict=False))
        return Plan(move, pairs, rest[-1] if len(rest) % 2 else "")

    def written_on(self, text: str) -> Row:
        """Returns the row that plays the written move as well. Raises as `lenient_parser.parse` does."""
        if over := Course(self.game, self.position, self.earlier).outcome():
            raise GameOver(text, over)
        move = lenient_parser.parse(self.game, self.position, text, self.board.notation)
        whole = tuple(click for step in self.choice.steps for click in self._clicks(step.before, step.move))
        return (*whole, *self._clicks(self.position, move))

    def _clicks(self, position: Position, move: object) -> Row:
        if move == self.game.forced_pass:
            return ()
        return clicks_of(position, move, self.game.clicks or path)


def follow(board: Board, row: Iterable[str]) -> Line:
    """Returns the line of a row. Raises ValueError when a click leads nowhere."""
    row = tuple(row)
    if len(row) > MOST_CLICKS:
        raise ValueError("too long")
    earlier = plies.keys_before(board.match, board.ply)
    course = Course(board.match.game, board.after, earlier)
    return Line(board, row, choose(course, row, board.ply), earlier)


@lru_cache(maxsize=32)
def _listed(game_name: str, position: Position, notation: Notation) -> tuple[str, ...]:
    game, _ = find(game_name)
    if position.count() > MOST_LISTED:
        return ()
    return tuple(sorted({game.write(position, move, notation) for move in position.moves()}))
