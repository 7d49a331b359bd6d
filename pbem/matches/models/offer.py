"""What one player asks of the other, who may grant it: a pause, a move back."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.matches.models.match import Match


class OfferQuerySet(models.QuerySet["Offer"]):
    def standing(self, match: Match) -> OfferQuerySet:
        """Those that moves have not overtaken; none where nothing is played."""
        if match.status != Match.Status.PLAYING:
            return self.none()
        return self.filter(match=match, until_ply__gt=match.ply)


class Offer(models.Model):
    """An offer that stands: an answer deletes it, the history is in the events. A seat has one at a time, so that
    YES can mean but one thing.

    It lapses with the opponent's next move, which is when `until_ply` turns have been played: nothing has to be
    written, or looked up, when a move comes. (A draw is offered in a column of the match.)
    """

    class Kind(models.TextChoices):
        PAUSE = "pause", _("pause")
        UNDO = "undo", _("takeback")

    match = models.ForeignKey(Match, models.CASCADE, related_name="offers", verbose_name=_("match"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    side = models.PositiveSmallIntegerField(_("side"))
    facts = models.JSONField(_("facts"), default=dict, blank=True)
    made_at = models.DateTimeField(_("made"))
    ply = models.PositiveIntegerField(_("half-move"), help_text=_("How many had been played."))
    until_ply = models.PositiveIntegerField(_("until half-move"))

    objects = OfferQuerySet.as_manager()

    class Meta:
        verbose_name = _("offer")
        verbose_name_plural = _("offers")
        constraints = [models.UniqueConstraint(fields=["match", "side"], name="offer_once")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} [{self.match_id}]"
