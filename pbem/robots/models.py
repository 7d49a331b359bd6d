"""What a robot has to think about: one row for each turn of a robot, and for each question to it."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.move_numbers import mark
from pbem.matches.models import Match
from pbem.queue.enqueue import TaskName

THINK = TaskName("pbem.robots.tasks.think")


class ThinkQuerySet(models.QuerySet["Think"]):
    def waiting(self) -> ThinkQuerySet:
        return self.filter(status=Think.Status.WAITING)

    def due(self, now: datetime) -> ThinkQuerySet:
        """In nobody's hands, and its time has come."""
        free = Q(leased_until__isnull=True) | Q(leased_until__lte=now)
        return self.waiting().filter(free, due_at__lte=now)

    def claim(self, pk: int, now: datetime, lease: timedelta) -> bool:
        """In one statement: whatever ends this process, it was an attempt."""
        return bool(self.due(now).filter(pk=pk).update(leased_until=now + lease, tries=F("tries") + 1))

    def failed(self) -> ThinkQuerySet:
        """Those for which nothing was found to play, or only by the rules alone."""
        return self.exclude(trouble="").filter(status__in=(Think.Status.DONE, Think.Status.FAILED))


class Think(models.Model):
    """A match has one that waits, at most. A turn that was taken back is thought about anew, as another generation,
    since the same seed would bring the same move."""

    class Kind(models.TextChoices):
        MOVE = "move", _("half-move")
        ANSWER = "answer", _("answer")  # to what the opponent asks for, while it is their turn

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        VOID = "void", _("void")  # the match has gone another way
        FAILED = "failed", _("failed")

    match = models.ForeignKey(Match, models.CASCADE, related_name="thinks", verbose_name=_("match"))
    ply = models.PositiveIntegerField(_("half-move"))
    side = models.PositiveSmallIntegerField(_("side"))
    kind = models.CharField(_("kind"), max_length=6, choices=Kind.choices, default=Kind.MOVE)
    level = models.PositiveSmallIntegerField(_("level"))
    generation = models.PositiveIntegerField(default=0, editable=False)
    status = models.CharField(_("status"), max_length=7, choices=Status.choices, default=Status.WAITING)
    created_at = models.DateTimeField(_("created"))
    due_at = models.DateTimeField(_("due"))
    leased_until = models.DateTimeField(null=True, blank=True, editable=False)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    move = models.CharField(_("move"), max_length=200, blank=True)
    score = models.IntegerField(_("score"), null=True, blank=True)
    chance = models.FloatField(
        _("chance"), null=True, blank=True, help_text=_("To win, as the robot saw it; from 0 to 1.")
    )
    depth = models.PositiveSmallIntegerField(_("depth"), null=True, blank=True)
    nodes = models.PositiveIntegerField(_("nodes"), null=True, blank=True)
    seconds = models.FloatField(
        _("processor time"), default=0.0, help_text=_("In seconds, of all attempts together.")
    )
    trouble = models.TextField(_("what went wrong"), blank=True)

    objects = ThinkQuerySet.as_manager()

    class Meta:
        verbose_name = _("think of a robot")
        verbose_name_plural = _("thinks of robots")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(status="waiting"), name="think_waiting_once"
            )
        ]
        indexes = [
            models.Index(fields=["due_at"], name="think_due", condition=Q(status="waiting")),
            models.Index(fields=["match", "ply"], name="think_of_turn"),
            models.Index(fields=["created_at"], name="think_created"),
            models.Index(fields=["-id"], name="think_failed", condition=~Q(trouble="")),
        ]

    def __str__(self) -> str:
        return f"[{self.match_id}] {mark(self.ply)}"

    @property
    def seed(self) -> str:
        return f"{self.match_id} {self.ply} {self.level} {self.generation}"
