"""What a player has said beforehand that they answer."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.protocol import Notation
from pbem.matches.conditional.line import Line
from pbem.matches.models.match import Match
from pbem.matches.models.seat import Seat


class ConditionalLineQuerySet(models.QuerySet["ConditionalLine"]):
    def waiting(self) -> ConditionalLineQuerySet:
        """Those that the match is still in step with, in the order in which they were said."""
        return self.filter(fate="").order_by("pk")

    def unused(self) -> ConditionalLineQuerySet:
        """Those that were never played to their end, nor taken away by the one who had said them."""
        fates = ("", ConditionalLine.Fate.MISSED, ConditionalLine.Fate.FAILED, ConditionalLine.Fate.UNDONE)
        return self.filter(fate__in=fates).order_by("pk")


class ConditionalLine(models.Model):
    """One path of a player's tree: what they answer to what may be played, from a turn and its position on.

    `moves` are reply, answer, reply, answer; null is any reply. The first `known` are canonical, the others as
    written, in the notation that the player had then. `left_at` is the ply whose turn ended its waiting.
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
