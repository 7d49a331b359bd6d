"""Renders analyses: curve, marks, better lines; and hints."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import hypot
from random import Random

from django.utils.translation import gettext

from games.engine.analysis import Analysis, Moment
from games.export import Step
from games.kit.image import CURVE_WIDTH, curve
from games.kit.scene import Cell, Scene
from games.kit.text import board as text_board
from games.move_numbers import ScoreLine, moves_of, numbered, score
from games.protocol import Outcome, Position, Side
from games.record import Course
from pbem.analysis.service import MOVE
from pbem.matches.models import Match
from pbem.outbox.rendering.board import Board
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.rules_page import Part
from pbem.outbox.rendering.strip import Strip

log = logging.getLogger(__name__)
# A letter has 60 kB, and encoding takes a third of the space of pictures.
MANY = 4  # moments; then their strips are shorter
BOARDS, FEWER = 4, 2
STRIP = 400  # pixels
ROOM = 30_000  # bytes of all strips
AHEAD = 0.6  # minimum chance of a side that is ahead
LISTED = 5  # moves between two chances in figures
FEWEST = 3  # minimum figures


@dataclass(frozen=True)
class Figure(Part):
    """A picture with its text. For a moment: a `sentence`, the better `line`, and its moves in `words`."""

    sentence: str = ""
    line: tuple[ScoreLine, ...] = ()


@dataclass(frozen=True)
class Marked:
    """A marked turn in the reader's notation, with the chances of its `player` before and after in per cent."""

    turn: str
    mark: str
    player: str
    before: int
    after: int


@dataclass(frozen=True)
class Insights:
    """An analysis of a match for a reader."""

    match: Match
    analysis: Analysis
    reader: Reader

    @cached_property
    def positions(self) -> Sequence[Position]:
        turns = self.match.live_turns().values_list("position", flat=True)
        return [self.match.start_position(), *map(self.match.at, turns)]

    @cached_property
    def moves(self) -> Sequence[str]:
        return list(self.match.live_turns().values_list("move", flat=True))

    @property
    def marks(self) -> list[Marked]:
        return [self._marked(ply) for ply in sorted(self.analysis.marks)]

    @property
    def decided(self) -> Marked | None:
        ply = self.analysis.decided
        return None if ply is None else self._marked(ply)

    @property
    def better_loser(self) -> str:
        """The loser, if they stood better at the end, as after running out of time. Empty otherwise."""
        outcome = self.match.outcome()
        if outcome is None or outcome.winner is None:
            return ""
        last = self.analysis.chances[-1] if outcome.winner == Side.FIRST else 1 - self.analysis.chances[-1]
        return "" if last > 0.5 else self.match.players[outcome.winner.other]

    @property
    def figures(self) -> list[Figure]:
        """The curve and the moments. Figures that cannot be drawn have no picture (S04)."""
        return [self.curve, *self.moments]

    @property
    def curve(self) -> Figure:
        words = " ".join(self.story)
        try:
            picture = curve(
                self.analysis.chances, self.analysis.marks, self.match.players, self.reader.look.palette
            )
        except Exception:
            log.exception("S04: the curve of match %s cannot be drawn", self.match.pk)
            picture = b""
        return Figure(words=words, picture=picture, name=f"{self.match.pk}-chances", width=CURVE_WIDTH)

    @property
    def story(self) -> Iterator[str]:
        """Yields sentences on the side that was ahead, and from which move."""
        leads = list(_leads(self.analysis.chances))
        for number, (leader, ply) in enumerate(leads):
            name = "" if leader is None else self.match.players[leader]
            facts = {"number": moves_of(ply), "name": name}
            if ply == 0:
                yield (
                    gettext("Even at first.")
                    if leader is None
                    else (gettext("%(name)s ahead from the start.") % facts)
                )
            elif leader is None:
                yield gettext("Even again from move %(number)s.") % facts
            else:
                yield gettext("%(name)s ahead from move %(number)s.") % facts
            if number == len(leads) - 1:
                yield gettext("So it stayed to the end.")

    @property
    def figures_in_words(self) -> list[tuple[int, int]]:
        """The first side's chance in per cent after some moves, 0 being the start. Empty for a short match."""
        chances = self.analysis.chances
        plies = range(0, len(chances), 2 * LISTED)
        if len(plies) < FEWEST:
            return []
        return [(moves_of(ply), _per_cent(chances[ply])) for ply in plies]

    @property
    def moments(self) -> list[Figure]:
        boards = BOARDS if len(self.analysis.moments) < MANY else FEWER
        left, figures = ROOM, []
        for moment in self.analysis.moments:
            figure = self._moment(moment, boards)
            if len(figure.picture) > left:
                figure = replace(figure, picture=b"")
            left -= len(figure.picture)
            figures.append(figure)
        return figures

    def _moment(self, moment: Moment, boards: int) -> Figure:
        steps, outcome = self._steps(moment)
        match, notation, look = self.match, self.reader.notation, self.reader.look_at(self.match)
        written = [match.game.write(step.before, step.move, notation) for step in steps]
        all_of_it = Strip(match, tuple(steps), notation, outcome, look)
        over = outcome if len(steps) <= boards else None
        strip = Strip(match, tuple(steps[:boards]), notation, over, replace(look, width=STRIP))
        before = match.game.scene(None, None, steps[0].before)
        return Figure(
            sentence=self._sentence(moment),
            line=tuple(score(written, moment.ply)),
            text=text_board(before, all_of_it.speech),
            words=all_of_it.alt,
            picture=strip.picture or b"",
            name=f"{match.pk}-{moment.ply + 1}-better",
            width=strip.width,
        )

    def _steps(self, moment: Moment) -> tuple[list[Step], Outcome | None]:
        game, steps = self.match.game, []
        course = Course(game, self.positions[moment.ply])
        for number, text in enumerate(moment.line):
            before, move = course.position, game.move(text)
            steps.append(Step(moment.ply + number, before, move, course.play(move)))
        return steps, course.outcome()

    def _sentence(self, moment: Moment) -> str:
        marked = self._marked(moment.ply)
        facts = {
            "turn": f"{marked.turn} {marked.mark}".rstrip(),
            "name": marked.player,
            "before": marked.before,
            "after": marked.after,
        }
        return (
            gettext("%(turn)s: %(name)s's chance fell from %(before)s%% to %(after)s%%. Better was:") % facts
        )

    def _marked(self, ply: int) -> Marked:
        game, player = self.match.game, self.match.players[self.positions[ply].to_move]
        written = game.write(self.positions[ply], game.move(self.moves[ply]), self.reader.notation)
        before, after = map(_per_cent, self.analysis.falls.get(ply, (0.5, 0.5)))
        return Marked(numbered(ply, written), self.analysis.marks.get(ply, ""), player, before, after)


def _leads(chances: Sequence[float]) -> Iterator[tuple[Side | None, int]]:
    """Yields the side ahead and the ply from which it was, ignoring leads of a single ply."""
    leaders = [_leader(chance) for chance in chances]
    told: Side | None = leaders[0]
    yield told, 0
    for ply in range(1, len(leaders)):
        lasts = ply + 1 == len(leaders) or leaders[ply + 1] == leaders[ply]
        if leaders[ply] != told and lasts:
            told = leaders[ply]
            yield told, ply


def _leader(chance: float) -> Side | None:
    if chance >= AHEAD:
        return Side.FIRST
    return Side.SECOND if chance <= 1 - AHEAD else None


def _per_cent(chance: float) -> int:
    return round(100 * chance)


# Hints

_NEAR = 1.5  # cells


@dataclass(frozen=True)
class Hint:
    """A hint: the `move`, or a `cell` where the move `starts` or that is beside its target."""

    move: str = ""
    cell: str = ""
    starts: bool = False


def hint_of(board: Board, move: str, stage: int) -> Hint:
    """Returns the hint of a stage for the board. `move` is canonical."""
    if stage >= MOVE:
        return Hint(board.write(move))
    game = board.match.game
    played = game.move(move)
    scene = game.scene(board.after, played, board.after.play(played))
    if scene.arrows:
        return Hint(cell=board.speech.label(scene.arrows[0].cells[0]), starts=True)
    return Hint(cell=board.speech.label(_beside(scene, Random(f"{board.match.pk} {board.ply}"))))


def _beside(scene: Scene, rng: Random) -> str:
    """Returns a random cell near the target, not the target itself."""
    cells = {cell.name: cell for cell in scene.cells}
    targets = [cells[mark.cell] for mark in scene.marks if mark.kind == "to" and mark.cell in cells]
    near = [cell.name for cell in scene.cells if targets and 0 < _distance(cell, targets[0]) <= _NEAR]
    return rng.choice(near or list(cells))


def _distance(one: Cell, other: Cell) -> float:
    return hypot(one.x - other.x, one.y - other.y)
