"""Builds sections about analyses, hints and puzzles."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from math import hypot
from random import Random

from django.utils.translation import gettext

from games.engine.analysis import Analysis, Judged
from games.export import Step
from games.kit.image import CURVE_WIDTH, curve, render_png
from games.kit.layout import Caption
from games.kit.scene import Cell, Scene
from games.kit.text import board as text_board
from games.kit.words import Speech, capital, speech
from games.move_numbers import ScoreLine, moves_of, numbered, score
from games.protocol import Position, Side
from games.record import Course
from games.registry import AnyGame, find, in_words
from pbem.analysis.models import AnalysisJob, Attempt
from pbem.analysis.puzzles import position_of
from pbem.analysis.service import MOST, MOVE, found_in, hints_left
from pbem.matches.models import Match
from pbem.outbox.notifications.kinds import Section
from pbem.outbox.rendering.board import Board
from pbem.outbox.rendering.recipient import Context, Reader
from pbem.outbox.rendering.rules_page import Part
from pbem.outbox.rendering.sections.match import match_context
from pbem.outbox.rendering.strip import Frame, Strip

log = logging.getLogger(__name__)
# A letter has 60 kB, and encoding takes a third of the space of pictures.
MANY = 3  # moments; of more, each has fewer boards
BOARDS, FEWER = 4, 2
ROOM = 22_000  # bytes of all boards
PIXELS = 360  # the width of each
AHEAD = 0.6  # minimum chance of a side that is ahead
MOST_LEADS = 5  # told one by one


@dataclass(frozen=True)
class Told(Part):
    """A judged turn in the reader's notation, with the chances of its `player` before and after in per cent.

    `better` is the turn that should have been played, `line` all of what is better, `text` and `words` the board
    before it and all of the line.
    """

    turn: str = ""
    mark: str = ""
    player: str = ""
    before: int = 0
    after: int = 0
    better: str = ""
    wins_in: int = 0
    held: int = 0
    line: tuple[ScoreLine, ...] = ()


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
    def judged(self) -> list[Told]:
        return list(map(self._told, self.analysis.judged))

    @property
    def point(self) -> Told | None:
        """The turning point."""
        turn = self.analysis.turning_point
        return None if turn is None else self._told(turn)

    @property
    def better_loser(self) -> str:
        """The loser, if they stood better at the end, as after running out of time. Empty otherwise."""
        outcome = self.match.outcome()
        if outcome is None or outcome.winner is None:
            return ""
        last = self.analysis.chances[-1] if outcome.winner == Side.FIRST else 1 - self.analysis.chances[-1]
        return "" if last > 0.5 else self.match.players[outcome.winner.other]

    @property
    def page(self) -> list[Part]:
        """The curve, then each moment with its boards. What cannot be drawn has no picture (S04)."""
        return [self.curve, *self.moments]

    @property
    def curve(self) -> Part:
        first, second = ({"name": name} for name in self.match.players)
        scale = gettext("%(name)s winning") % first, gettext("even"), gettext("%(name)s winning") % second
        picture = b""
        if not self.reader.text_only:
            try:
                palette = self.reader.look.palette
                picture = curve(self.analysis.chances, self.analysis.marks, scale, palette)
            except Exception:
                log.exception("S04: the curve of match %s cannot be drawn", self.match.pk)
        return Part(words=self.story, picture=picture, name=f"{self.match.pk}-chances", width=CURVE_WIDTH)

    @property
    def story(self) -> str:
        """Who was ahead, and from which move."""
        marked = {turn.ply for turn in self.analysis.judged if turn.line}
        leads = list(_leads(self.analysis.chances, marked))
        said = [self._lead(*lead, last=lead == leads[-1]) for lead in leads]
        if len(leads) > MOST_LEADS:
            said[1:-1] = [gettext("the lead changed %(number)s times") % {"number": len(leads) - 1}]
        text = "; ".join(said)
        return f"{text[:1].upper()}{text[1:]}."

    def _lead(self, leader: Side | None, ply: int, last: bool) -> str:
        facts = {"number": moves_of(ply), "name": "" if leader is None else self.match.players[leader]}
        sentence = {
            (True, True, True): gettext("level from the start to the end"),
            (True, True, False): gettext("level at the start"),
            (True, False, True): gettext("level from move %(number)s to the end"),
            (True, False, False): gettext("level from move %(number)s"),
            (False, True, True): gettext("%(name)s was ahead from the start to the end"),
            (False, True, False): gettext("%(name)s was ahead from the start"),
            (False, False, True): gettext("%(name)s was ahead from move %(number)s to the end"),
            (False, False, False): gettext("%(name)s was ahead from move %(number)s"),
        }[leader is None, ply == 0, last]
        return sentence % facts

    @property
    def moments(self) -> list[Part]:
        boards = BOARDS if len(self.analysis.moments) <= MANY else FEWER
        left, parts = ROOM, list[Part]()
        for moment in self.analysis.moments:
            strip = self._strip(moment)
            before = self.match.game.scene(None, None, strip.steps[0].before)
            text = text_board(before, strip.speech)
            parts.append(replace(self._told(moment), text=text, words=strip.alt))
            drawn = [] if self.reader.text_only else _fitting(strip, boards, left)
            left -= sum(len(frame.picture) for frame in drawn)
            parts += drawn
        return parts

    def _strip(self, moment: Judged) -> Strip:
        game, steps = self.match.game, []
        course = Course(game, self.positions[moment.ply])
        for number, text in enumerate(moment.line):
            before, move = course.position, game.move(text)
            steps.append(Step(moment.ply + number, before, move, course.play(move)))
        look = self.reader.look_at(self.match)
        return Strip(self.match, tuple(steps), self.reader.notation, course.outcome(), look)

    def _told(self, turn: Judged) -> Told:
        game, position = self.match.game, self.positions[turn.ply]
        written = [game.write(position, game.move(self.moves[turn.ply]), self.reader.notation)]
        for text in turn.line:
            move = game.move(text)
            written.append(game.write(position, move, self.reader.notation))
            position = position.play(move)
        played, *better = written
        return Told(
            turn=numbered(turn.ply, played),
            mark=turn.mark,
            player=self.match.players[self.positions[turn.ply].to_move],
            before=round(100 * turn.before),
            after=round(100 * turn.after),
            better=numbered(turn.ply, better[0]) if better else "",
            wins_in=turn.wins_in,
            held=turn.held,
            line=tuple(score(better, turn.ply)),
        )


def _fitting(strip: Strip, most: int, room: int) -> list[Frame]:
    """Returns as many of the first boards, at most `most`, as have `room` bytes."""
    frames = strip.boards(PIXELS)[:most]
    sizes = accumulate(len(frame.picture) for frame in frames)
    return [frame for frame, size in zip(frames, sizes, strict=True) if size <= room]


def _leads(chances: Sequence[float], marked: Set[int]) -> Iterator[tuple[Side | None, int]]:
    """Yields the side ahead and the ply from which it was, ignoring leads of a single ply without a mistake."""
    leaders = [_leader(chance) for chance in chances]
    told: Side | None = leaders[0]
    yield told, 0
    for ply in range(1, len(leaders)):
        lasts = ply + 1 == len(leaders) or leaders[ply + 1] == leaders[ply] or ply - 1 in marked
        if leaders[ply] != told and lasts:
            told = leaders[ply]
            yield told, ply


def _leader(chance: float) -> Side | None:
    if chance >= AHEAD:
        return Side.FIRST
    return Side.SECOND if chance <= 1 - AHEAD else None


# Hints

_NEAR = 1.5  # cells


@dataclass(frozen=True)
class Hint:
    """A hint: the `move`, or a `cell` where the move `starts` or that is beside its target; `cells` are marked."""

    move: str = ""
    cell: str = ""
    starts: bool = False
    cells: tuple[str, ...] = ()


def hint_of(board: Board, move: str, stage: int) -> Hint:
    """Returns the hint of a stage for the board. `move` is canonical."""
    game = board.match.game
    played = game.move(move)
    scene = game.scene(board.after, played, board.after.play(played))
    if stage >= MOVE:
        ends = (mark.cell for mark in scene.marks if mark.kind in ("from", "to"))
        return Hint(board.write(move), cells=tuple(dict.fromkeys(ends)))
    if scene.arrows:
        start = scene.arrows[0].cells[0]
        return Hint(cell=board.speech.label(start), starts=True, cells=(start,))
    near = _beside(scene, Random(f"{board.match.pk} {board.ply}"))
    return Hint(cell=board.speech.label(near), cells=(near,))


def _beside(scene: Scene, rng: Random) -> str:
    """Returns a random cell near the target, not the target itself."""
    cells = {cell.name: cell for cell in scene.cells}
    targets = [cells[mark.cell] for mark in scene.marks if mark.kind == "to" and mark.cell in cells]
    near = [cell.name for cell in scene.cells if targets and 0 < _distance(cell, targets[0]) <= _NEAR]
    return rng.choice(near or list(cells))


def _distance(one: Cell, other: Cell) -> float:
    return hypot(one.x - other.x, one.y - other.y)


def analysis_section(section: Section, reader: Reader) -> Context:
    match = reader.match(section["match"])
    about: Context = {
        "match": match,
        "title": reader.title(match.game),
        "players": match.players,
        "board": None,
    }
    seat = reader.seat_in(match)
    about["opponent"] = seat.opponent.player.name if seat else ""
    study = AnalysisJob.objects.filter(pk=section["study"], ply=match.ply, position=match.position).first()
    analysis = found_in(study) if study else None
    if analysis is None:
        return about
    insights = Insights(match, analysis, reader)
    outcome = match.outcome()
    return about | {
        "insights": insights,
        "judged": insights.judged,
        "point": insights.point,
        "drawn": outcome is not None and outcome.winner is None,
        "page": insights.page,
    }


def hint_section(section: Section, reader: Reader) -> Context:
    """Shows the board with the hint. `hint` is None when there is none."""
    match = reader.match(section["match"])
    study = AnalysisJob.objects.filter(pk=section["study"]).first()
    context = match_context(match, reader, study.ply if study else None)
    move = study.found.get("move") if study and study.position == str(context["board"].after) else None
    context["examples"] = ()
    if not move:
        return context | {"hint": None}
    hint = hint_of(context["board"], str(move), section["stage"])
    board = replace(context["board"], hinted=hint.cells)
    return context | {"board": board, "hint": hint, "left": hints_left(match, reader.player), "most": MOST}


def analysed_section(section: Section, reader: Reader) -> Context:
    match = reader.match(section["match"])
    title = reader.title(match.game)
    asked = {key: section.get(key, False) for key in ("hint", "late")}
    return asked | {"match": match, "title": title, "board": None}


# Puzzles


def puzzle_section(section: Section, reader: Reader) -> Context:
    """Shows a puzzle at the letter's `step`; the solver may be further by now.

    `said`, `move`, `reply` and `solution` are those of `pbem.analysis.puzzles.solve`.
    """
    attempt = Attempt.objects.select_related("puzzle", "player").get(pk=section["attempt"])
    attempt.step = section["step"]
    puzzle = attempt.puzzle
    game, rules = find(puzzle.game_name)
    words = speech(game, rules, reader.notation)
    position, written = position_of(attempt), dict[str, str]()
    asked = section.get("asked", attempt.step)  # the step that was answered
    attempt.step = asked
    before = position_of(attempt)
    for name, text in (("move", section.get("move")), ("solution", section.get("solution"))):
        if text:
            written[name] = game.write(before, game.move(text), reader.notation)
    if text := section.get("reply"):
        after = before.play(game.move(section["move"]))
        written["reply"] = game.write(after, game.move(text), reader.notation)
    said = section.get("said", "")
    shown = position if said in ("", "right") else None
    side = capital(words.side(position.to_move))
    turns = len(puzzle.accepted) - section["step"]
    step = puzzle.accepted[section["step"]][:1] if shown is not None else []
    ends = any(position.play(game.move(text)).outcome() is not None for text in step)
    return {
        **{"title": words.phrases["name"], "variant": in_words(puzzle.game_name, reader.language)},
        **{"said": said, "side": side, "turns": turns, "number": puzzle.pk, "ends": ends},
        "streak": section.get("streak", 0),
        **written,
        "page": [_part(game, shown, words, reader, puzzle.pk)] if shown is not None else [],
        "example": _example(game, position, puzzle.accepted[section["step"] :], reader) if shown else "",
        "board": None,
    }


def _example(game: AnyGame, position: Position, accepted: list[list[str]], reader: Reader) -> str:
    """Returns an example of a move that does not solve this step, and if possible no later one."""
    wrong = [move for move in position.moves() if str(move) not in accepted[0]]
    later = {text for each in accepted for text in each}
    other = next((move for move in wrong if str(move) not in later), next(iter(wrong), None))
    return game.write(position, other, reader.notation) if other is not None else ""


def _part(game: AnyGame, position: Position, words: Speech, reader: Reader, number: int) -> Part:
    scene: Scene = game.scene(None, None, position)
    picture = b""
    if not reader.text_only:
        try:
            picture = render_png(scene, words, Caption(""), reader.look.palette, reader.look.pixels)
        except Exception:
            log.exception("S04: puzzle %s cannot be drawn", number)
    said = " ".join(words.position(scene))
    return Part(
        text=text_board(scene, words),
        words=said,
        picture=picture,
        name=f"puzzle-{number}",
        width=reader.look.width,
    )
