"""A circuit: several contests, and events elsewhere, with one table of points."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.contests.models.contest import Contest
from pbem.contests.systems.circuit import USUAL_POINTS, Result, Standing, read_results, standing


def usual_points() -> list[int]:
    return list(USUAL_POINTS)


class Circuit(models.Model):
    """`points` by place; the `best` results of each player count, 0: all of them."""

    name = models.CharField(_("name"), max_length=60, unique=True)
    points = models.JSONField(_("points by place"), default=usual_points)
    best = models.PositiveSmallIntegerField(_("results that count"), default=0)

    class Meta:
        verbose_name = _("circuit")
        verbose_name_plural = _("circuits")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name

    def standing(self) -> tuple[Standing, ...]:
        """From the places that are written; each edition of a contest is an event."""
        stages = self.stages.select_related("contest").order_by("pk")
        results = [result for stage in stages for result in stage.results()]
        return standing(results, points=self.points, best=self.best)


class Stage(models.Model):
    """An event of a circuit: a contest of ours, or one elsewhere with the results as they were imported."""

    circuit = models.ForeignKey(Circuit, models.CASCADE, related_name="stages", verbose_name=_("circuit"))
    contest = models.ForeignKey(
        Contest, models.PROTECT, null=True, blank=True, related_name="stages", verbose_name=_("contest")
    )
    name = models.CharField(_("event"), max_length=80, blank=True)
    imported = models.TextField(_("results"), blank=True)

    class Meta:
        verbose_name = _("event of a circuit")
        verbose_name_plural = _("events of a circuit")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name or str(self.contest)

    def results(self) -> tuple[Result, ...]:
        if self.contest is None:
            return read_results(self.imported, f"{self.pk}")
        placed = self.contest.entrants.filter(place__isnull=False).select_related("player")
        by_edition: dict[int | None, list[tuple[str, int]]] = {}
        for entrant in placed.order_by("edition", "pk"):
            by_edition.setdefault(entrant.edition_id, []).append((entrant.player.name, entrant.place or 0))
        return tuple(
            Result(name, f"{self.pk}:{edition}", place)
            for edition, lines in by_edition.items()
            for name, place in lines
        )
