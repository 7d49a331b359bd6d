"""Studies by robots, one row for each match or position, the players who asked for them, and puzzles."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.queue.enqueue import TaskName
from pbem.queue.models import Job, JobQuerySet

STUDY = TaskName("pbem.robots.tasks.study")


class AnalysisJob(Job):
    """A match or a position that a robot studies. `position` is the one after `ply` turns: when the match has
    taken another course since, the study does not apply. `found` is the output of the robot's process."""

    class Kind(models.TextChoices):
        ANALYSIS = "analysis", _("analysis")
        HINT = "hint", _("hint")

    match = models.ForeignKey(Match, models.CASCADE, related_name="studies", verbose_name=_("match"))
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    ply = models.PositiveIntegerField(_("half-moves"))
    position = models.TextField(_("position"))
    found = models.JSONField(_("found"), default=dict, blank=True)

    objects = JobQuerySet["AnalysisJob"].as_manager()

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["match", "kind", "ply", "position"], name="study_of_position")
        ]
        indexes = [
            models.Index(fields=["due_at"], name="study_due", condition=Q(status="waiting")),
            models.Index(fields=["done_at"], name="study_done"),
        ]

    def __str__(self) -> str:
        return f"[{self.match_id}] {self.get_kind_display()}"


class AnalysisRequest(models.Model):
    """A player's request. Of a hint, `stage` 1 is the idea, 2 the move."""

    study = models.ForeignKey(AnalysisJob, models.CASCADE, related_name="wishes", verbose_name=_("analysis"))
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


class Puzzle(models.Model):
    """A position in which one turn wins, of an ended match, or of a collection, without a match.

    `accepted` are the solving turns at each step, the solution first, `replies` those of the opponent.
    """

    match = models.ForeignKey(
        Match, models.CASCADE, null=True, blank=True, related_name="puzzles", verbose_name=_("match")
    )
    ply = models.PositiveIntegerField(_("half-moves"), default=0)
    game_name = models.CharField(_("game"), max_length=80)
    position = models.TextField(_("position"))
    accepted = models.JSONField(_("solution"))
    replies = models.JSONField(_("replies"), default=list, blank=True)
    created_at = models.DateTimeField(_("created"))

    class Meta:
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["match", "ply"], name="puzzle_once"),
            models.UniqueConstraint(
                fields=["game_name", "position"], condition=Q(match=None), name="puzzle_collected_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_name} {self.pk}"


class Attempt(models.Model):
    """A puzzle given to a player; `step` counts the turns found."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        SOLVED = "solved", _("solved")
        FAILED = "failed", _("not solved")

    puzzle = models.ForeignKey(Puzzle, models.CASCADE, related_name="attempts", verbose_name=_("puzzle"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="attempts", verbose_name=_("player"))
    step = models.PositiveSmallIntegerField(_("step"), default=0)
    status = models.CharField(_("status"), max_length=6, choices=Status.choices, default=Status.OPEN)
    given_at = models.DateTimeField(_("given"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("attempt at a puzzle")
        verbose_name_plural = _("attempts at puzzles")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["puzzle", "player"], name="attempt_once")]

    def __str__(self) -> str:
        return f"{self.puzzle} {self.player}"


class PuzzleWish(models.Model):
    """A player's choice whether their own matches may become puzzles."""

    player = models.OneToOneField(
        Player, models.CASCADE, related_name="puzzle_wish", verbose_name=_("player")
    )
    gives = models.BooleanField(_("own matches as puzzles"), default=True)

    class Meta:
        verbose_name = _("request for puzzles")
        verbose_name_plural = _("requests for puzzles")

    def __str__(self) -> str:
        return str(self.player)
