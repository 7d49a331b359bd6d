"""Events of matches, and observers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.models import Player

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    from pbem.matches.models.seat import Seat


def kinds() -> list[tuple[str, StrPromise]]:
    return Event.Kind.choices


class Event(models.Model):
    """An event of a match: its history, and the source of letters.

    `side` did it (None: the organiser or the service) after `ply` turns; `letter` is the inbound letter that
    caused it; `facts` are what the kind needs.
    """

    class Kind(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        DECLINED = "declined", _("declined")
        STARTED = "started", _("started")
        MOVED = "moved", _("moved")
        OFFERED = "offered", _("draw offered")
        REJECTED = "rejected", _("draw declined")
        SAID = "said", _("said")
        ENDED = "ended", _("ended")
        ASKED = "asked", _("asked")
        DENIED = "denied", _("not granted")
        WITHDRAWN = "withdrawn", _("withdrawn")
        PAUSED = "paused", _("paused")
        GAVE = "gave", _("time given")
        AWAY = "away", _("away")
        BACK = "back", _("back")
        REMINDED = "reminded", _("reminded")
        UNDONE = "undone", _("taken back")
        VOIDED = "voided", _("declared void")
        FLAGGED = "overstepped", _("time up")
        REPLACED = "replaced", _("player replaced")
        STOPPED = "stopped", _("clocks stopped")
        RESUMED = "resumed", _("clocks go on")
        IMPORTED = "imported", _("imported")
        EXTENDED = "extended", _("time given by the organiser")
        SWAPPED = "swapped", _("sides swapped")
        HINTED = "hinted", _("hint asked for")

    match = models.ForeignKey("Match", models.CASCADE, related_name="events", verbose_name=_("match"))
    kind = models.CharField(_("kind"), max_length=20, choices=kinds)
    side = models.PositiveSmallIntegerField(_("side"), null=True, blank=True)
    ply = models.PositiveIntegerField(_("half-move"))
    letter = models.BigIntegerField(_("letter"), null=True, blank=True)
    facts = models.JSONField(_("facts"), default=dict, blank=True)
    happened_at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("entry of the match log")
        verbose_name_plural = _("match log")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} [{self.match_id}]"

    @property
    def actor(self) -> Seat | None:
        return None if self.side is None else self.match.seated[self.side]


# Observers


class Watching(models.Model):
    """An observer gets the board after each move, `delay` turns late while the match goes on.

    `told` is the number of turns shown so far.
    """

    match = models.ForeignKey("Match", models.CASCADE, related_name="watchings", verbose_name=_("match"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="watchings", verbose_name=_("player"))
    delay = models.PositiveSmallIntegerField(_("delay"), default=0, help_text=_("In half-moves."))
    told = models.PositiveIntegerField(_("half-moves told"), default=0)
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("watcher")
        verbose_name_plural = _("watchers")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="watching_once")]

    def __str__(self) -> str:
        return f"{self.player} [{self.match_id}]"

    @property
    def shown(self) -> int:
        """Returns the number of turns that the observer may see."""
        late = self.delay if self.match.status == self.match.Status.PLAYING else 0
        return max(0, self.match.ply - late)
