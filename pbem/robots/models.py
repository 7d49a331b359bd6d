"""The queue of robots' thinks: one row for each turn of a robot, and for each offer to it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.move_numbers import mark
from pbem.matches.models import Match
from pbem.queue.enqueue import TaskName
from pbem.queue.models import Job, JobQuerySet

THINK = TaskName("pbem.robots.tasks.think")


class EngineJobQuerySet(JobQuerySet["EngineJob"]):
    def failed(self) -> EngineJobQuerySet:
        """Returns the thinks without a move, or with one by the rules alone."""
        return self.exclude(trouble="").filter(status__in=(EngineJob.Status.DONE, EngineJob.Status.FAILED))


class EngineJob(Job):
    """A think. A match has at most one that waits. After a taken-back turn the generation changes the seed,
    so that another move is found."""

    class Kind(models.TextChoices):
        MOVE = "move", _("half-move")
        ANSWER = "answer", _("answer")  # to an offer during the opponent's turn

    match = models.ForeignKey(Match, models.CASCADE, related_name="thinks", verbose_name=_("match"))
    ply = models.PositiveIntegerField(_("half-move"))
    side = models.PositiveSmallIntegerField(_("side"))
    kind = models.CharField(_("kind"), max_length=6, choices=Kind.choices, default=Kind.MOVE)
    level = models.PositiveSmallIntegerField(_("level"))
    generation = models.PositiveIntegerField(default=0, editable=False)
    move = models.CharField(_("move"), max_length=200, blank=True)
    score = models.IntegerField(_("score"), null=True, blank=True)
    chance = models.FloatField(
        _("chance"), null=True, blank=True, help_text=_("To win, as the robot saw it; from 0 to 1.")
    )
    depth = models.PositiveSmallIntegerField(_("depth"), null=True, blank=True)
    nodes = models.PositiveIntegerField(_("nodes"), null=True, blank=True)

    objects = EngineJobQuerySet.as_manager()

    class Meta:
        verbose_name = _("a robot's thinking")
        verbose_name_plural = _("robots' thinking")
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
