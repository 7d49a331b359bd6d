"""Conditional lines: their rules, and the lines that players have given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import lenient_parser
from games.protocol import AmbiguousMove, GameOver, IllegalMove, Notation, Position, UnreadableMove
from games.registry import AnyGame
from pbem.matches.models.match import Match
from pbem.matches.models.seat import Seat

# Rules. Pure

Unplayable = UnreadableMove | AmbiguousMove | IllegalMove | GameOver


@dataclass(frozen=True)
class Line:
    """A path of replies and answers after `ply` turns: reply, answer, reply, answer; None is any reply.

    The first `known` moves are canonical. Later ones, after an ambiguous reply, stay as written in
    `notation`, and are read on the board.
    """

    moves: tuple[str | None, ...]
    known: int
    notation: Notation
    ply: int

    @property
    def end(self) -> int:
        """Returns the number of turns when the line is complete."""
        return self.ply + len(self.moves)

    def meant(self, game: AnyGame, position: Position, ply: int) -> frozenset[str]:
        """Returns the canonical moves that its move of this ply may mean. Empty when it cannot be played."""
        text = self.moves[ply - self.ply]
        assert text is not None
        if ply - self.ply < self.known:
            return frozenset([text])
        try:
            return frozenset([str(lenient_parser.parse(game, position, text, self.notation))])
        except AmbiguousMove as several:
            return frozenset(several.readings)
        except (UnreadableMove, IllegalMove):
            return frozenset()


def follow(
    game: AnyGame, lines: Sequence[Line], before: Position, move: Any, ply: int
) -> tuple[list[Line], list[Line]]:
    """Returns the lines in step after `move`, and the others. A named reply has precedence over any reply."""
    played = str(move)
    named = [line for line in lines if line.moves[ply - line.ply] is not None]
    in_step = [line for line in named if played in line.meant(game, before, ply)]
    if not in_step:
        in_step = [line for line in lines if line.moves[ply - line.ply] is None]
    return in_step, [line for line in lines if line not in in_step]


def answer(
    game: AnyGame, lines: Sequence[Line], position: Position, ply: int
) -> tuple[Any, list[tuple[Line, Unplayable]]]:
    """Returns the move of the latest playable line (None without one), and unplayable lines with reasons."""
    failed: list[tuple[Line, Unplayable]] = []
    for line in reversed(lines):
        text = line.moves[ply - line.ply]
        assert text is not None
        try:
            if ply - line.ply < line.known:
                return game.move(text), failed
            return lenient_parser.parse(game, position, text, line.notation), failed
        except (UnreadableMove, AmbiguousMove, IllegalMove) as why:
            failed.append((line, why))
    return None, failed


def replaces(new: Line, old: Line) -> bool:
    """Returns whether `new` replaces `old`: answers the same replies otherwise, or contains it."""
    said, rest = _aligned(new, old)
    for place, (one, other) in enumerate(zip(said, rest, strict=False)):
        if not same(one, other):
            return place % 2 == 1
    return len(rest) <= len(said)


def says(old: Line, new: Line) -> bool:
    """Returns whether `old` contains all of `new`."""
    said, rest = _aligned(new, old)
    return len(rest) >= len(said) and all(map(same, said, rest))


def _aligned(new: Line, old: Line) -> tuple[Sequence[str | None], Sequence[str | None]]:
    """Returns both lines from the later beginning on."""
    start = max(new.ply, old.ply)
    return new.moves[start - new.ply :], old.moves[start - old.ply :]


def same(one: str | None, other: str | None) -> bool:
    """Returns whether two moves are written alike apart from blanks; None is any move."""
    return _squeezed(one) == _squeezed(other)


def _squeezed(text: str | None) -> str | None:
    return None if text is None else "".join(text.split())


class ConditionalLineQuerySet(models.QuerySet["ConditionalLine"]):
    def waiting(self) -> ConditionalLineQuerySet:
        """Returns the lines in step with the match, in order."""
        return self.filter(fate="").order_by("pk")

    def unused(self) -> ConditionalLineQuerySet:
        """Returns the lines that were not completed, cleared or replaced."""
        fates = ("", ConditionalLine.Fate.MISSED, ConditionalLine.Fate.FAILED, ConditionalLine.Fate.UNDONE)
        return self.filter(fate__in=fates).order_by("pk")


class ConditionalLine(models.Model):
    """A path of a player's answers to possible replies, from a turn and its position on.

    `moves` are reply, answer, reply, answer; null is any reply. The first `known` are canonical, the others
    as written, in the player's notation then. `left_at` is the ply that ended its waiting.
    """

    class Fate(models.TextChoices):
        PLAYED = "played", _("played")
        MISSED = "missed", _("the opponent played otherwise")
        FAILED = "failed", _("could not be played")
        CLEARED = "cleared", _("taken away")
        REPLACED = "replaced", _("replaced")
        UNDONE = "undone", _("its half-move was taken back")

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="lines", verbose_name=_("seat"))
    number = models.PositiveIntegerField(_("number"))
    ply = models.PositiveIntegerField(_("half-move"))
    position = models.TextField(_("position"))
    moves = models.JSONField(_("moves"))
    known = models.PositiveSmallIntegerField(_("known moves"))
    language = models.CharField(_("language"), max_length=8)
    coordinates = models.CharField(_("coordinates"), max_length=8)
    said_at = models.DateTimeField(_("said"))
    letter = models.BigIntegerField(_("letter"), null=True, blank=True)
    fate = models.CharField(_("outcome"), max_length=10, choices=Fate.choices, blank=True)
    left_at = models.PositiveIntegerField(_("left at half-move"), null=True, blank=True)

    objects = ConditionalLineQuerySet.as_manager()

    class Meta:
        verbose_name = _("conditional line")
        verbose_name_plural = _("conditional lines")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["seat", "number"], name="conditional_line_once")]
        indexes = [
            models.Index(fields=["seat"], name="conditional_line_waiting", condition=models.Q(fate="")),
        ]

    def __str__(self) -> str:
        return f"{self.number}. [{self.seat.match_id}]"

    @property
    def line(self) -> Line:
        return Line(tuple(self.moves), self.known, self.notation, self.ply)

    @property
    def notation(self) -> Notation:
        return Notation(self.language, self.coordinates)

    @property
    def match(self) -> Match:
        return self.seat.match
