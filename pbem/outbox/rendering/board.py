"""Renders the board of a match as picture, text and words, and its history."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from random import Random
from threading import Lock

from django.db.models import QuerySet
from django.utils.translation import gettext, ngettext

from games import lenient_parser
from games.kit.image import render_png
from games.kit.layout import Caption
from games.kit.scene import Mark, Scene
from games.kit.text import board as text_board
from games.kit.words import Speech, speech
from games.move_numbers import ScoreLine, mark, score
from games.protocol import AmbiguousMove, IllegalMove, Notation, Position, UnreadableMove
from pbem.matches.models import Match, Turn
from pbem.matches.models.match import SHOWN
from pbem.outbox.rendering.recipient import USUAL, Look
from pbem.queue.sql import compiled_query

log = logging.getLogger(__name__)
SCORE_TURNS = SHOWN - 2
KEPT = 64
_pictures: dict[Hashable, bytes] = {}
_drawing = Lock()


_FALLS = "*"  # notation of trapdoor chess


@dataclass(frozen=True)
class Board:
    """A match after `ply` turns, in `notation`. `last` is the latest turn that was not a forced pass."""

    match: Match
    ply: int
    notation: Notation
    before: Position | None
    last: Turn | None
    after: Position
    recent: tuple[Turn, ...]
    positions: Mapping[int, Position]  # by number of turns, as far as known
    look: Look = USUAL
    hinted: tuple[str, ...] = ()  # cells that are marked instead of the last move

    @cached_property
    def scene(self) -> Scene:
        move = self.match.game.move(self.last.move) if self.last else None
        scene = self.match.game.scene(self.before, move, self.after)
        if self.hinted:
            kept = (mark for mark in scene.marks if mark.kind == "target")
            scene = replace(scene, marks=(*(Mark("hint", cell) for cell in self.hinted), *kept), arrows=())
        return _still(scene, still=self.over or not self.begun, turned=self.look.turned)

    @property
    def over(self) -> bool:
        """True when the match ended here; the position alone does not show a resignation."""
        return self.ply == self.match.ply and self.match.outcome() is not None

    @property
    def begun(self) -> bool:
        """False for a match that is proposed or declined: no side is to move."""
        return self.match.status not in (Match.Status.PROPOSED, Match.Status.DECLINED)

    @cached_property
    def speech(self) -> Speech:
        return speech(self.match.game, self.after.rules, self.notation, self.match.players)

    @cached_property
    def text(self) -> str:
        return text_board(self.scene, self.speech)

    @property
    def words(self) -> tuple[str, ...]:
        said = tuple(self.speech.position(self.scene))
        return said if self.begun else said[:-1]  # without the side to move

    @cached_property
    def alt(self) -> str:
        return " ".join(self.words)

    @property
    def outcome(self) -> str:
        """The result of the match. Empty unless it ended here."""
        outcome = self.match.outcome() if self.over else None
        return self.speech.outcome(outcome) if outcome else ""

    @cached_property
    def last_sentence(self) -> str:
        """The last move as a sentence."""
        if self.last is None:
            return ""
        return f"{self.match.players[self.last.side]} {self.speech.changes(self.scene)}."

    def told(self, written: str) -> str:
        """Describes a move that is only considered. Empty when it is not legal."""
        game, side = self.match.game, self.match.to_move
        if side is None:
            return ""
        try:
            move = lenient_parser.parse(game, self.after, written, self.notation)
        except (AmbiguousMove, IllegalMove, UnreadableMove):
            return ""
        scene = game.scene(self.after, move, self.after.play(move))
        return f"{self.match.players[side]} {self.speech.changes(scene)}."

    @property
    def name(self) -> str:
        """The name of the picture's file. An invitation has no match number."""
        return f"{self.match.pk or self.match.game.key}-{self.ply}"

    @property
    def picture(self) -> bytes | None:
        """The PNG. None when it cannot be drawn (S04): the letter is sent without it."""
        try:
            # Letters of a move are composed in parallel: the second waits for the first one's picture.
            with _drawing:
                return _picture(self)
        except Exception:
            log.exception("S04: match %s at ply %s cannot be drawn", self.match.pk, self.ply)
            return None

    @cached_property
    def written_last(self) -> str:
        """The last move in the reader's notation."""
        if self.last is None or self.before is None:
            return ""
        return self._write(self.before, self.last.move)

    @cached_property
    def score(self) -> tuple[ScoreLine, ...]:
        """The last ten or eleven turns, oldest first, from a move of the first side."""
        first = max(self.ply - SCORE_TURNS, 0)
        return self.since(first - first % 2)

    @property
    def mark(self) -> str:
        """The number of the last turn, passes included: `6...`. 0 at the start."""
        return mark(self.ply - 1) if self.ply else "0"

    @cached_property
    def numbered_last(self) -> str:
        """The last turn, passes included: `6... a7-c5`. Empty at the start."""
        return str(*self.since(self.ply - 1)) if self.ply else ""

    def since(self, first: int) -> tuple[ScoreLine, ...]:
        """Returns the moves from ply `first`. Empty when they are not all known."""
        turns = [turn for turn in self.recent if turn.ply >= first]
        if len(turns) != self.ply - first or first not in self.positions:
            return ()
        moves = [self._write(self.positions[turn.ply], turn.move) for turn in turns]
        return tuple(score(moves, first))

    @property
    def only_move(self) -> bool:
        """True when there is one legal move."""
        return self._choices == 1

    def moves(self, most: int) -> tuple[str, ...]:
        """Returns the legal moves in the reader's notation, sorted. Empty when there are more than `most`."""
        if self._choices > most:
            return ()
        return tuple(
            sorted({self.match.game.write(self.after, move, self.notation) for move in self.after.moves()})
        )

    @cached_property
    def _choices(self) -> int:
        return self.after.count()

    def write(self, canonical: str) -> str:
        """Writes a canonical move of this position in the reader's notation."""
        return self._write(self.after, canonical)

    def examples(self, most: int = 2) -> tuple[str, ...]:
        """Returns some legal moves in the reader's notation: the same on each attempt to send."""
        if self.after.outcome() is not None:
            return ()
        # Players copy them, so moves that lose a piece in a trap come last.
        rng = Random(f"{self.match.pk} {self.ply}")
        tries = (self.after.sample(rng) for _ in range(most * 4))
        written = dict.fromkeys(self.match.game.write(self.after, move, self.notation) for move in tries)
        return tuple(sorted(written, key=lambda move: _FALLS in move))[:most]

    def _write(self, position: Position, move: str) -> str:
        game = self.match.game
        return game.write(position, game.move(move), self.notation)


def board_at(match: Match, ply: int, notation: Notation, look: Look = USUAL) -> Board:
    """Returns the board after `ply` live turns, with two queries. Raises IndexError for a ply not played."""
    if not 0 <= ply <= match.ply:
        raise IndexError(ply)
    recent = _recent(match, ply)
    positions: dict[int, Position] = {0: match.start_position()}
    positions |= {turn.ply + 1: match.at(turn.position) for turn in recent}
    forced = match.game.forced_pass
    moved = [turn for turn in recent if forced is None or turn.move != str(forced)]
    last = moved[-1] if moved else None
    return Board(
        match=match,
        ply=ply,
        notation=notation,
        before=positions.get(last.ply) if last else None,
        last=last,
        after=positions[ply],
        recent=recent,
        positions=positions,
        look=look,
    )


def _recent(match: Match, ply: int) -> tuple[Turn, ...]:
    kept = {} if match.preloaded_turns is None else match.preloaded_turns
    if ply not in kept:
        kept[ply] = tuple(_turns(match.pk or 0, ply - SHOWN, ply))
    return kept[ply]


@compiled_query
def _turns(match: int, since: int, until: int) -> QuerySet[Turn]:
    live = Turn.objects.filter(match=match, undone_by__isnull=True)
    return live.filter(ply__gte=since, ply__lt=until).order_by("ply")


def _picture(board: Board) -> bytes:
    """Draws a board, or returns the cached picture."""
    last, match, look = board.last, board.match, board.look
    seen = (
        # Both letters of a move share it when language, colours and side are the same.
        *(match.game_name, str(board.before), last.move if last else None, str(board.after)),
        *(board.notation, match.players, board.over, board.begun, look.theme, look.turned, board.hinted),
    )
    if seen not in _pictures:
        # The letter says what the title and the caption would.
        _pictures[seen] = render_png(board.scene, board.speech, Caption(""), look.palette, look.pixels)
        if len(_pictures) > KEPT:
            del _pictures[next(iter(_pictures))]
    return _pictures[seen]


def _still(scene: Scene, *, still: bool, turned: bool) -> Scene:
    """Turns the scene for the reader, and hides the side to move when `still`."""
    seen = scene.flipped() if turned else scene
    return replace(seen, to_move=None) if still else seen


# History


@dataclass(frozen=True)
class Played:
    """A turn of the history. `took` is the time since the previous turn. None for a forced pass."""

    mark: str
    player: str
    move: str
    at: datetime
    took: timedelta | None


def history(match: Match, ply: int, notation: Notation) -> Iterator[Played]:
    """Yields the first `ply` turns in the reader's notation."""
    forced, before, since = str(match.game.forced_pass), match.start_position(), match.started_at
    for turn in match.live_turns().filter(ply__lt=ply):
        written = match.game.write(before, match.game.move(turn.move), notation)
        took = None if turn.move == forced or since is None else max(turn.played_at - since, timedelta())
        yield Played(mark(turn.ply), match.players[turn.side], written, turn.played_at, took)
        before, since = match.at(turn.position), turn.played_at


def length(time: timedelta) -> str:
    """Returns the two largest units: 2 days 3 hours, 40 minutes."""
    minutes, hours = int(time.total_seconds()) // 60 % 60, int(time.total_seconds()) // 3600 % 24
    parts = (
        ngettext("%(number)s day", "%(number)s days", time.days) % {"number": time.days} if time.days else "",
        ngettext("%(number)s hour", "%(number)s hours", hours) % {"number": hours} if hours else "",
        ngettext("%(number)s minute", "%(number)s minutes", minutes) % {"number": minutes} if minutes else "",
    )
    return " ".join([part for part in parts if part][:2]) or gettext("less than a minute")
