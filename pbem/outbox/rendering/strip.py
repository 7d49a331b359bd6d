"""Renders several boards of a match as one picture: a line that is tried, or the last moves."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock

from games.export import Line, Step, follow
from games.film import line_stills
from games.kit import image
from games.kit.image import render_png
from games.kit.layout import Caption, Still
from games.kit.text import board as text_board
from games.kit.words import Speech, speech
from games.protocol import Notation, Outcome, Position
from pbem.matches.models import Match
from pbem.outbox.rendering.theme import USUAL, Look

log = logging.getLogger(__name__)
MOST = 12  # boards: six take up to 40 kB, twelve up to 80; half as much again in one column
_drawing = Lock()


@dataclass(frozen=True)
class Frame:
    """One board: its move, the changes, and the board as text."""

    caption: str
    changes: str
    text: str


@dataclass(frozen=True)
class Strip:
    """The boards after `steps` (at least one) in `notation`; `outcome` is the result at the end.

    `across` is the maximum number of boards side by side.
    """

    match: Match
    steps: tuple[Step, ...]
    notation: Notation
    outcome: Outcome | None = None
    look: Look = USUAL
    across: int = image.ACROSS

    @cached_property
    def speech(self) -> Speech:
        return speech(self.match.game, self.steps[-1].after.rules, self.notation, self.match.players)

    @cached_property
    def stills(self) -> tuple[Still, ...]:
        stills = line_stills(self.match.game, self.steps, self.speech, self.notation, self.outcome)
        if not self.look.turned:
            return stills
        return tuple(replace(still, scene=still.scene.flipped()) for still in stills)

    @property
    def captions(self) -> tuple[str, ...]:
        return tuple(still.caption.last for still in self.stills)

    @property
    def frames(self) -> Iterable[Frame]:
        for step, still in zip(self.steps, self.stills, strict=True):
            mover = self.match.players[step.before.to_move]
            changes = f"{mover} {self.speech.changes(still.scene)}."
            yield Frame(still.caption.last, changes, text_board(still.scene, self.speech))

    @property
    def alt(self) -> str:
        """The changes by each move, and the full final position."""
        moves = (f"{frame.caption.removesuffix('.')}. {frame.changes}" for frame in self.frames)
        return " ".join([*moves, *self.speech.position(self.stills[-1].scene)])

    @property
    def width(self) -> int:
        """The width at which the picture is shown, in CSS pixels."""
        return self.look.strip if len(self.steps) > 1 else self.look.width

    @property
    def name(self) -> str:
        """The name of the picture's file."""
        return f"{self.match.pk}-{self.steps[0].ply + 1}-{self.steps[-1].ply + 1}"

    @property
    def picture(self) -> bytes | None:
        """The PNG: one board in full, or several side by side. None when it cannot be drawn (S04)."""
        title = f"{self.speech.phrases['name']} · {' – '.join(self.match.players)}"
        speech, palette = self.speech, self.look.palette
        try:
            with _drawing:
                if len(self.stills) > 1:
                    return image.strip(title, self.stills, speech, palette, self.width, self.across)
                [still] = self.stills
                caption = Caption("", last=still.caption.last)
                return render_png(still.scene, speech, caption, palette, self.look.pixels)
        except Exception:
            log.exception("S04: a strip of match %s cannot be drawn", self.match.pk)
            return None


def last_moves(match: Match, ply: int, most: int, notation: Notation, look: Look = USUAL) -> Strip | None:
    """Returns the boards after the last moves, without forced passes. None before the first move."""
    turns = list(match.live_turns().filter(ply__lt=ply, ply__gte=ply - 2 * min(most, MOST) - 1))
    after = {turn.ply: match.at(turn.position) for turn in turns}
    before = {0: match.start_position()} | {number + 1: position for number, position in after.items()}
    forced = str(match.game.forced_pass)
    steps = [
        Step(turn.ply, before[turn.ply], match.game.move(turn.move), after[turn.ply])
        for turn in turns
        if turn.move != forced and turn.ply in before
    ]
    outcome = match.outcome() if ply == match.ply else None
    if not steps:
        return None
    return Strip(match, tuple(steps[-min(most, MOST) :]), notation, outcome, look, look.across)


def tried(match: Match, ply: int, texts: Sequence[str], notation: Notation) -> Line:
    """Plays a line of moves from the position after `ply` turns."""
    keys = match.live_turns().filter(ply__lt=ply - 1).values_list("key", flat=True)
    earlier = [match.start_position().key(), *keys] if match.game.repetition and ply else []
    return follow(match.game, _after(match, ply), texts[:MOST], notation, ply=ply, earlier=earlier)


def _after(match: Match, ply: int) -> Position:
    if ply == 0:
        return match.start_position()
    return match.at(match.live_turns().get(ply=ply - 1).position)
