"""What happened to a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    from pbem.matches.models.seat import Seat


def kinds() -> list[tuple[str, StrPromise]]:
    return Event.Kind.choices


class Event(models.Model):
    """Something that happened to a match: the history, and what letters are told from.

    `side` is who did it (None: the organiser or the service), `ply` how many turns had been played then,
    `letter` the inbound letter that did it, `facts` what else the kind needs.
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
        FLAGGED = "overstepped", _("time over")
        REPLACED = "replaced", _("player replaced")
        STOPPED = "stopped", _("clocks stopped")
        RESUMED = "resumed", _("clocks go on")
        IMPORTED = "imported", _("imported")
        EXTENDED = "extended", _("time given by the organiser")
        SWAPPED = "swapped", _("sides changed")
        HINTED = "hinted", _("hint asked for")

    match = models.ForeignKey("Match", models.CASCADE, related_name="events", verbose_name=_("match"))
    kind = models.CharField(_("kind"), max_length=20, choices=kinds)
    side = models.PositiveSmallIntegerField(_("side"), null=True, blank=True)
    ply = models.PositiveIntegerField(_("half-move"))
    letter = models.BigIntegerField(_("letter"), null=True, blank=True)
    facts = models.JSONField(_("facts"), default=dict, blank=True)
    happened_at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} [{self.match_id}]"

    @property
    def actor(self) -> Seat | None:
        return None if self.side is None else self.match.seated[self.side]
