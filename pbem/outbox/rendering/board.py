"""The board as a letter shows it: picture, text and words of one moment of a match, for one reader."""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from random import Random
from threading import Lock

from django.db.models import QuerySet
from django.utils.translation import gettext, ngettext, override

from games import spoken
from games.kit.image import png
from games.kit.layout import Caption
from games.kit.scene import Scene
from games.kit.text import board as text_board
from games.kit.words import Speech, speech
from games.move_numbers import ScoreLine, mark, moves_of, numbered, score
from games.protocol import AmbiguousMove, IllegalMove, Notation, Position, UnreadableMove
from pbem.matches.models import Match, Turn
from pbem.matches.models.match import SHOWN
from pbem.outbox.rendering.theme import USUAL, Look
from pbem.queue.sql import compiled_query

log = logging.getLogger(__name__)
SCORE_TURNS = SHOWN - 2
KEPT = 64
_pictures: dict[Hashable, bytes] = {}
_drawing = Lock()


_FALLS = "*"  # as trapdoor chess writes it


@dataclass(frozen=True)
class Board:
    """A match after `ply` turns, spoken in `notation`. `last` is the latest turn that was not a forced pass."""

    match: Match
    ply: int
    notation: Notation
    before: Position | None
    last: Turn | None
    after: Position
    recent: tuple[Turn, ...]
    positions: Mapping[int, Position]  # after so many turns: what `recent` was played on, where it is known
    look: Look = USUAL

    @cached_property
    def scene(self) -> Scene:
        move = self.match.game.move(self.last.move) if self.last else None
        scene = self.match.game.scene(self.before, move, self.after)
        return _still(scene, still=self.over or not self.begun, turned=self.look.turned)

    @property
    def over(self) -> bool:
        """Whether the match ended here: the position alone does not show that somebody resigned."""
        return self.ply == self.match.ply and self.match.outcome() is not None

    @property
    def begun(self) -> bool:
        """Nobody is to move in a match that is proposed, or that was declined."""
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
        return said if self.begun else said[:-1]  # whose turn it is

    @cached_property
    def alt(self) -> str:
        return " ".join(self.words)

    @property
    def outcome(self) -> str:
        """How the match ended, if it did here."""
        outcome = self.match.outcome() if self.over else None
        return self.speech.outcome(outcome) if outcome else ""

    @cached_property
    def last_sentence(self) -> str:
        """Who did what with the last move, as a sentence."""
        if self.last is None:
            return ""
        return f"{self.match.players[self.last.side]} {self.speech.changes(self.scene)}."

    def told(self, written: str) -> str:
        """The same of a move that is only considered; "" where it is none."""
        game, side = self.match.game, self.match.to_move
        if side is None:
            return ""
        try:
            move = spoken.read(game, self.after, written, self.notation)
        except (AmbiguousMove, IllegalMove, UnreadableMove):
            return ""
        scene = game.scene(self.after, move, self.after.play(move))
        return f"{self.match.players[side]} {self.speech.changes(scene)}."

    @property
    def name(self) -> str:
        """Of the picture's file; a match that somebody is only invited to has no number."""
        return f"{self.match.pk or self.match.game.key}-{self.ply}"

    @property
    def picture(self) -> bytes | None:
        """The PNG. None if it cannot be drawn: a letter goes with the text board rather than not at all (S04)."""
        try:
            # The letters of a move are composed at the same time: the second waits for the picture of the first.
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
        """The last ten turns, or eleven, so that it begins with a move of the side that began; oldest first."""
        first = max(self.ply - SCORE_TURNS, 0)
        return self.since(first - first % 2)

    @property
    def mark(self) -> str:
        """The number of what led here, be it a pass: `6...`; 0 at the start."""
        return mark(self.ply - 1) if self.ply else "0"

    @cached_property
    def numbered_last(self) -> str:
        """What led here: `6... a7-c5`; "" at the start."""
        return str(*self.since(self.ply - 1)) if self.ply else ""

    def since(self, first: int) -> tuple[ScoreLine, ...]:
        """The moves from the ply `first` on; none where so many are not at hand."""
        turns = [turn for turn in self.recent if turn.ply >= first]
        if len(turns) != self.ply - first or first not in self.positions:
            return ()
        moves = [self._write(self.positions[turn.ply], turn.move) for turn in turns]
        return tuple(score(moves, first))

    @property
    def only_move(self) -> bool:
        """Whether the rules leave no choice."""
        return self._choices == 1

    def moves(self, most: int) -> tuple[str, ...]:
        """The legal moves as this reader writes them, in the order of the alphabet; none if there are more."""
        if self._choices > most:
            return ()
        return tuple(
            sorted({self.match.game.write(self.after, move, self.notation) for move in self.after.moves()})
        )

    @cached_property
    def _choices(self) -> int:
        return self.after.count()

    def write(self, canonical: str) -> str:
        """A move of this moment as the reader writes it."""
        return self._write(self.after, canonical)

    def examples(self, most: int = 2) -> tuple[str, ...]:
        """Some legal moves as this reader writes them: the same at every attempt to send. People copy them, so one
        with which a piece falls into the trap only where there is no other."""
        if self.after.outcome() is not None:
            return ()
        rng = Random(f"{self.match.pk} {self.ply}")
        tries = (self.after.sample(rng) for _ in range(most * 4))
        written = dict.fromkeys(self.match.game.write(self.after, move, self.notation) for move in tries)
        return tuple(sorted(written, key=lambda move: _FALLS in move))[:most]

    @property
    def _caption(self) -> Caption:
        with override(self.notation.language):
            parts = [self.speech.turn(self.scene)] if self.begun else []
            if self.ply:
                parts.insert(0, gettext("after move %(number)s") % {"number": moves_of(self.ply)})
            if self.match.pk:  # one that is only invited to has no number
                parts.insert(0, gettext("match %(match)s") % {"match": self.match.pk})
            subtitle = " · ".join(parts)
        last = ""
        if self.last:
            last = numbered(self.last.ply, f"{self.match.players[self.last.side]}: {self.written_last}")
        last = " · ".join(filter(None, (last, self.outcome)))
        return Caption(title=self.speech.phrases["name"], subtitle=subtitle, last=last)

    def _write(self, position: Position, move: str) -> str:
        game = self.match.game
        return game.write(position, game.move(move), self.notation)


def board_at(match: Match, ply: int, notation: Notation, look: Look = USUAL) -> Board:
    """The match after `ply` live turns; two queries. Raises IndexError for a ply that was not played."""
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
    kept = {} if match.turns_at_hand is None else match.turns_at_hand
    if ply not in kept:
        kept[ply] = tuple(_turns(match.pk or 0, ply - SHOWN, ply))
    return kept[ply]


@compiled_query
def _turns(match: int, since: int, until: int) -> QuerySet[Turn]:
    live = Turn.objects.filter(match=match, undone_by__isnull=True)
    return live.filter(ply__gte=since, ply__lt=until).order_by("ply")


def _picture(board: Board) -> bytes:
    """One drawing serves both letters of a move where the readers share a language and like the same look."""
    last, match, caption = board.last, board.match, board._caption
    seen = (
        *(match.game_name, str(board.before), last.move if last else None, str(board.after)),
        *(board.notation, match.players, caption, board.over, board.begun, board.look),
    )
    if seen not in _pictures:
        _pictures[seen] = png(board.scene, board.speech, caption, board.look.palette, board.look.width)
        if len(_pictures) > KEPT:
            del _pictures[next(iter(_pictures))]
    return _pictures[seen]


def _still(scene: Scene, *, still: bool, turned: bool) -> Scene:
    """As its reader sees it. Nobody is to move where the match stands `still`."""
    seen = scene.turned() if turned else scene
    return replace(seen, to_move=None) if still else seen


# The moves of a match with their dates: who played what, when, and how long it took.


@dataclass(frozen=True)
class Played:
    """A turn; `mark` is its number, `took` since the turn before it, None for a pass that the rules forced."""

    mark: str
    player: str
    move: str
    at: datetime
    took: timedelta | None


def history(match: Match, ply: int, notation: Notation) -> Iterator[Played]:
    """The first `ply` turns, as the reader writes them."""
    forced, before, since = str(match.game.forced_pass), match.start_position(), match.started_at
    for turn in match.live_turns().filter(ply__lt=ply):
        written = match.game.write(before, match.game.move(turn.move), notation)
        took = None if turn.move == forced or since is None else max(turn.played_at - since, timedelta())
        yield Played(mark(turn.ply), match.players[turn.side], written, turn.played_at, took)
        before, since = match.at(turn.position), turn.played_at


def length(time: timedelta) -> str:
    """The two largest units: 2 days 3 hours, 40 minutes."""
    minutes, hours = int(time.total_seconds()) // 60 % 60, int(time.total_seconds()) // 3600 % 24
    parts = (
        ngettext("%(number)s day", "%(number)s days", time.days) % {"number": time.days} if time.days else "",
        ngettext("%(number)s hour", "%(number)s hours", hours) % {"number": hours} if hours else "",
        ngettext("%(number)s minute", "%(number)s minutes", minutes) % {"number": minutes} if minutes else "",
    )
    return " ".join([part for part in parts if part][:2]) or gettext("less than a minute")
