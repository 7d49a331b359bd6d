"""Ratings of players, and the rated matches that they are computed from."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.ratings.glicko import Strength


class Rating(models.Model):
    """A player's rating in one pool, after their last rated match there."""

    player = models.ForeignKey(
        Player, models.CASCADE, related_name="ratings", verbose_name=_("player"), db_index=False
    )
    pool = models.CharField(_("rules"), max_length=80)
    rating = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"))
    volatility = models.FloatField(_("volatility"))
    matches = models.PositiveIntegerField(_("rated matches"))
    at = models.DateTimeField(_("last rated match"))

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["player", "pool"], name="rating_once")]
        indexes = [models.Index(fields=["pool", "-rating"], name="rating_best")]

    def __str__(self) -> str:
        return f"{self.player} [{self.pool}]"

    @property
    def strength(self) -> Strength:
        return Strength(self.rating, self.deviation, self.volatility)


class RatedGame(models.Model):
    """A match that was agreed on as rated and has ended: the source of all ratings in its pool.

    `before` and `after` hold rating, deviation and volatility of each side. Empty when the match does not
    count; `uncounted` gives the reason.
    """

    class Uncounted(models.TextChoices):
        SHORT = "short", _("fewer than two moves of a player")
        DECIDED = "decided", _("not decided by play")
        REPLACED = "replaced", _("a player was replaced")
        ROBOT = "robot", _("a robot played")
        MAILBOX = "mailbox", _("both players read the same mailbox")
        OFTEN = "often", _("the same two played too often")
        SERIES = "series", _("not the first of a series of defeats on time")

    match = models.OneToOneField(Match, models.CASCADE, related_name="rated", verbose_name=_("match"))
    pool = models.CharField(_("rules"), max_length=80)
    at = models.DateTimeField(_("ended"))
    uncounted = models.CharField(
        _("does not count"), max_length=10, choices=Uncounted.choices, blank=True, default=""
    )
    before = models.JSONField(_("before"), default=list)
    after = models.JSONField(_("after"), default=list)

    class Meta:
        verbose_name = _("rated match")
        verbose_name_plural = _("rated matches")
        ordering = ["pk"]
        indexes = [models.Index(fields=["at"], name="rated_history")]

    def __str__(self) -> str:
        return f"[{self.match_id}] {self.pool}"

    def strengths(self, side: int) -> tuple[Strength, Strength] | None:
        """Returns the strength of one side before and after the match. None when it does not count."""
        return None if self.uncounted else (Strength(*self.before[side]), Strength(*self.after[side]))
