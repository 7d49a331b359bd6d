"""Renders several boards of a match, each with its caption: a line that is tried, or the last moves."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock

from games.export import Line, Step, follow
from games.film import line_stills
from games.kit.image import render_png
from games.kit.layout import Caption, Still
from games.kit.scene import Scene
from games.kit.text import board as text_board
from games.kit.words import Speech, speech
from games.protocol import Notation, Outcome, Position
from pbem.matches.models import Match
from pbem.outbox.rendering.recipient import USUAL, Look
from pbem.outbox.rendering.rules_page import Part

log = logging.getLogger(__name__)
MOST = 12  # boards
# The width of each picture, by how many there are: six take at most 50 kB, twelve 92.
PIXELS = ((3, 540), (6, 400), (MOST, 360))
_drawing = Lock()


@dataclass(frozen=True)
class Frame(Part):
    """One board: its move as `caption`, the `changes`, and the board as text, in words and as a picture."""

    caption: str = ""
    changes: str = ""


@dataclass(frozen=True)
class Strip:
    """The boards after `steps` (at least one) in `notation`; `outcome` is the result at the end."""

    match: Match
    steps: tuple[Step, ...]
    notation: Notation
    outcome: Outcome | None = None
    look: Look = USUAL

    @cached_property
    def speech(self) -> Speech:
        return speech(self.match.game, self.steps[-1].after.rules, self.notation, self.match.players)

    @cached_property
    def stills(self) -> tuple[Still, ...]:
        stills = line_stills(self.match.game, self.steps, self.speech, self.notation, self.outcome)
        if not self.look.turned:
            return stills
        return tuple(replace(still, scene=still.scene.flipped()) for still in stills)

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """The boards without pictures."""
        return tuple(map(self._frame, range(len(self.steps))))

    @property
    def alt(self) -> str:
        """The changes by each move, and the full final position."""
        return " ".join(frame.words for frame in self.frames)

    @property
    def page(self) -> list[Frame]:
        """The boards with pictures, as far as they can be drawn (S04): a single one in full."""
        if len(self.steps) == 1:
            return self._drawn(self.look.pixels, self.stills)
        return self.boards(next(pixels for most, pixels in PIXELS if len(self.steps) <= most))

    def boards(self, pixels: int) -> list[Frame]:
        """Returns the boards with pictures of this width, without what is beside them."""
        bare = (replace(still.scene, trays=(), notes=(), men=None) for still in self.stills)
        return self._drawn(
            pixels, [replace(still, scene=scene) for still, scene in zip(self.stills, bare, strict=True)]
        )

    def _drawn(self, pixels: int, stills: Sequence[Still]) -> list[Frame]:
        return [
            replace(frame, picture=self._picture(still.scene, pixels))
            for frame, still in zip(self.frames, stills, strict=True)
        ]

    def _frame(self, number: int) -> Frame:
        step, still = self.steps[number], self.stills[number]
        caption = still.caption.last
        changes = f"{self.match.players[step.before.to_move]} {self.speech.changes(still.scene)}."
        words = [f"{caption.removesuffix('.')}. {changes}"]
        if still is self.stills[-1]:
            words += self.speech.position(still.scene)
        return Frame(
            text=text_board(still.scene, self.speech),
            words=" ".join(words),
            name=f"{self.match.pk}-{step.ply + 1}-{self.steps[-1].ply + 1}",
            width=self.look.column,
            caption=caption,
            changes=changes,
        )

    def _picture(self, scene: Scene, pixels: int) -> bytes:
        try:
            with _drawing:
                return render_png(scene, self.speech, Caption(""), self.look.palette, pixels, dense=pixels)
        except Exception:
            log.exception("S04: a board of match %s cannot be drawn", self.match.pk)
            return b""


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
    return Strip(match, tuple(steps[-min(most, MOST) :]), notation, outcome, look)


def tried(match: Match, ply: int, texts: Sequence[str], notation: Notation) -> Line:
    """Plays a line of moves from the position after `ply` turns."""
    keys = match.live_turns().filter(ply__lt=ply - 1).values_list("key", flat=True)
    earlier = [match.start_position().key(), *keys] if match.game.repetition and ply else []
    return follow(match.game, _after(match, ply), texts[:MOST], notation, ply=ply, earlier=earlier)


def _after(match: Match, ply: int) -> Position:
    if ply == 0:
        return match.start_position()
    return match.at(match.live_turns().get(ply=ply - 1).position)
