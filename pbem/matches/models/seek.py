"""Open offers: who looks for an opponent, for what, and which matches came of it."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.registry import AnyGame, find
from pbem.matches.matchmaking.seek_filters import Conditions
from pbem.matches.models.match import Match, MatchQuerySet
from pbem.matches.terms import Terms
from pbem.players.models import Player

STANDS = timedelta(days=30)  # after it was made or taken; nobody waits for somebody who is long gone


class SeekQuerySet(models.QuerySet["Seek"]):
    def standing(self, now: datetime) -> SeekQuerySet:
        """Neither withdrawn nor used up nor forgotten; whether there is room for a match now, is not said."""
        return self.filter(closed_at__isnull=True, until__gt=now)


class Seek(models.Model):
    """An offer of a match to anyone who wants to play. Its key is the number that players write.

    `side` is the offerer's, None leaves it to the lot; `setup` None has the game draw one for each match. An
    offer to `keep` n matches going is open while fewer than n of its matches run; without, it is taken once.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="seeks", verbose_name=_("player"))
    game_name = models.CharField(_("game"), max_length=80)
    setup = models.TextField(_("set-up"), null=True, blank=True)
    side = models.PositiveSmallIntegerField(_("side"), null=True, blank=True)
    terms = models.JSONField(_("terms"), default=dict, blank=True)
    on_time = models.PositiveSmallIntegerField(_("moves in time, at least (%)"), null=True, blank=True)
    language = models.CharField(_("language"), max_length=8, blank=True)
    least = models.PositiveSmallIntegerField(_("rating, at least"), null=True, blank=True)
    most = models.PositiveSmallIntegerField(_("rating, at most"), null=True, blank=True)
    keep = models.PositiveSmallIntegerField(_("matches at a time"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"))
    until = models.DateTimeField(_("open until"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    objects = SeekQuerySet.as_manager()

    class Meta:
        verbose_name = _("open offer")
        verbose_name_plural = _("open offers")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["until"], name="seek_standing", condition=models.Q(closed_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"[{self.pk}] {self.player}: {self.game_name}"

    @property
    def game(self) -> AnyGame:
        return find(self.game_name)[0]

    @property
    def agreed(self) -> Terms:
        """What a match of it has agreed on."""
        return Terms.of(self.terms)

    @property
    def conditions(self) -> Conditions:
        return Conditions(self.on_time, self.language, self.least, self.most)

    def running(self) -> MatchQuerySet:
        """Its matches that are being played."""
        return Match.objects.filter(status=Match.Status.PLAYING, taken__seek=self)


class Taken(models.Model):
    """A match that came of an open offer."""

    seek = models.ForeignKey(Seek, models.CASCADE, related_name="taken", verbose_name=_("open offer"))
    match = models.OneToOneField(Match, models.CASCADE, related_name="taken", verbose_name=_("match"))

    class Meta:
        verbose_name = _("offer taken")
        verbose_name_plural = _("offers taken")

    def __str__(self) -> str:
        return f"{self.seek_id} → {self.match_id}"
