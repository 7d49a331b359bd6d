"""What a robot looks into, one row for each match or position, and who has asked for it."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.queue.enqueue import TaskName

STUDY = TaskName("pbem.robots.tasks.study")


class StudyQuerySet(models.QuerySet["Study"]):
    def waiting(self) -> StudyQuerySet:
        return self.filter(status=Study.Status.WAITING)

    def due(self, now: datetime) -> StudyQuerySet:
        """In nobody's hands, and its time has come."""
        free = Q(leased_until__isnull=True) | Q(leased_until__lte=now)
        return self.waiting().filter(free, due_at__lte=now)

    def claim(self, pk: int, now: datetime, lease: timedelta) -> bool:
        """In one statement: whatever ends this process, it was an attempt."""
        return bool(self.due(now).filter(pk=pk).update(leased_until=now + lease, tries=F("tries") + 1))


class Study(models.Model):
    """A match or a position of it that a robot looks into; `position` is the one after `ply` turns, so that what was
    found of a match that went another way since is not taken for it. `found` is what the robot's process said."""

    class Kind(models.TextChoices):
        ANALYSIS = "analysis", _("analysis")
        HINT = "hint", _("hint")

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        VOID = "void", _("void")  # the match has gone another way
        FAILED = "failed", _("failed")

    match = models.ForeignKey(Match, models.CASCADE, related_name="studies", verbose_name=_("match"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    ply = models.PositiveIntegerField(_("half-moves"))
    position = models.TextField(_("position"))
    status = models.CharField(_("status"), max_length=7, choices=Status.choices, default=Status.WAITING)
    created_at = models.DateTimeField(_("created"))
    due_at = models.DateTimeField(_("due"))
    leased_until = models.DateTimeField(null=True, blank=True, editable=False)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    found = models.JSONField(_("found"), default=dict, blank=True)
    trouble = models.TextField(_("what went wrong"), blank=True)

    objects = StudyQuerySet.as_manager()

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["match", "kind", "ply", "position"], name="study_of_position")
        ]
        indexes = [models.Index(fields=["due_at"], name="study_due", condition=Q(status="waiting"))]

    def __str__(self) -> str:
        return f"[{self.match_id}] {self.get_kind_display()}"


class Wish(models.Model):
    """Somebody who has asked for it. Of a hint `stage` 1 is the idea, 2 the move."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="wishes", verbose_name=_("analysis"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="wishes", verbose_name=_("player"))
    stage = models.PositiveSmallIntegerField(_("stage"), default=1)
    asked_at = models.DateTimeField(_("asked"))
    told_at = models.DateTimeField(_("told"), null=True, blank=True)

    class Meta:
        verbose_name = _("wish")
        verbose_name_plural = _("wishes")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["study", "player", "stage"], name="wish_once")]

    def __str__(self) -> str:
        return f"{self.study} {self.player}"
