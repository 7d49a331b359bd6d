"""Bulletins of tournaments, and commentaries on matches for print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import models
from django.dispatch import receiver
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pbem.admin.signals import texts_of_others
from pbem.analysis.models import Puzzle
from pbem.competitions.models import Competition
from pbem.matches.models import Match, Tournament
from pbem.site.signals import More, more_of_competition


class Bulletin(models.Model):
    """An issue, on what ended after `since` (None: from the beginning) and by `until`, perhaps with a puzzle."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="bulletins", verbose_name=_("tournament")
    )
    number = models.PositiveSmallIntegerField(_("number"))
    language = models.CharField(_("language"), max_length=8, choices=settings.LANGUAGES)
    words = models.TextField(_("words"), blank=True)
    since = models.DateTimeField(_("since"), null=True, blank=True)
    until = models.DateTimeField(_("until"))
    puzzle = models.ForeignKey(
        Puzzle,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="bulletins",
        verbose_name=_("puzzle"),
    )

    class Meta:
        verbose_name = _("bulletin")
        verbose_name_plural = _("bulletins")
        default_permissions = ()
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="bulletin_number_once")]

    def __str__(self) -> str:
        return f"{self.tournament} {self.number}"


class Commentary(models.Model):
    """The bulletins' text on a match: a title and Markdown. `written_at` is the first writing."""

    match = models.OneToOneField(
        Match, models.CASCADE, related_name="commentary", verbose_name=_("match"), primary_key=True
    )
    title = models.CharField(_("title"), max_length=200, blank=True)
    words = models.TextField(_("words"), blank=True)
    written_at = models.DateTimeField(_("written"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("commentary")
        verbose_name_plural = _("commentaries")
        default_permissions = ()

    def __str__(self) -> str:
        return self.title


class ChosenPosition(models.Model):
    """A board in a bulletin: after `plies` turns, with a caption."""

    commentary = models.ForeignKey(
        Commentary, models.CASCADE, related_name="positions", verbose_name=_("commentary")
    )
    plies = models.PositiveIntegerField(_("half-moves"))
    caption = models.CharField(_("caption"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("chosen position")
        verbose_name_plural = _("chosen positions")
        ordering = ["plies", "pk"]
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["commentary", "plies"], name="chosen_position_once")]

    def __str__(self) -> str:
        return f"{self.plies} {self.caption}"


@receiver(texts_of_others)
def texts(**_signal: Any) -> tuple[tuple[type[Any], tuple[str, ...]], ...]:
    """Returns the columns of the organiser's texts, which may name players."""
    return (Bulletin, ("words",)), (Commentary, ("title", "words")), (ChosenPosition, ("caption",))


@receiver(more_of_competition)
def pages(competition: Competition, **_signal: Any) -> Iterator[More]:
    """Yields the pages of the issues, the newest first."""
    rows = Bulletin.objects.filter(tournament__competition=competition).select_related("tournament")
    for row in rows.order_by("-until"):
        of_group = f"{row.tournament}: " if row.tournament.label else ""
        number = gettext("Bulletin %(number)s") % {"number": row.number}
        path = reverse("bulletin:bulletin", args=[competition.pk, row.pk])
        yield path, f"{of_group}{number}", row.until
