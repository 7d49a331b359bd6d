"""A contest, each time that it is played, and its tables."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from pbem.contests.systems.settings import Settings
from pbem.contests.systems.table import SYSTEMS
from pbem.matches.models import Match, MatchQuerySet, Tournament
from pbem.matches.terms import Terms


class Contest(models.Model):
    """What goes on by itself: players enter, rounds begin and end, places are written. Open until `closed_at`.

    `settings` are those of its system. `begins_at` is when the next edition begins; empty: when enough are in, or when
    the organiser says so.
    """

    class System(models.TextChoices):
        ROUND_ROBIN = "round_robin", _("round robin")
        GROUPS = "groups", _("groups and final")
        LEAGUE = "league", _("league")
        SELF_STARTING = "self_starting", _("self-starting series")
        SWISS = "swiss", _("Swiss system")
        KNOCKOUT = "knockout", _("knockout")
        LADDER = "ladder", _("ladder")
        HILL = "hill", _("king of the hill")

    name = models.CharField(_("name"), max_length=60, unique=True)
    system = models.CharField(_("system"), max_length=15, choices=System.choices)
    game_name = models.CharField(_("game"), max_length=80)
    terms = models.JSONField(_("terms"), default=dict, blank=True)
    settings = models.JSONField(_("settings"), default=dict, blank=True)
    begins_at = models.DateTimeField(_("begins"), null=True, blank=True)
    closed_at = models.DateTimeField(_("over since"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("contest")
        verbose_name_plural = _("contests")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["id"], name="contest_open", condition=models.Q(closed_at__isnull=True))
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def agreed(self) -> Terms:
        return Terms.of(self.terms)

    @property
    def chosen(self) -> Settings:
        """Raises ValueError where the row was written by hand."""
        return SYSTEMS[self.system].of(self.settings)

    @property
    def is_series(self) -> bool:
        """Whether another edition follows each."""
        return self.system in (self.System.LEAGUE, self.System.SELF_STARTING)

    @property
    def has_order(self) -> bool:
        """Whether its players stand one above the other, and challenge."""
        return self.system in (self.System.LADDER, self.System.HILL)

    @cached_property
    def last(self) -> Edition | None:
        return self.editions.order_by("-number").first()

    def takes_entries(self) -> bool:
        """Now: for this edition, or for the next."""
        return self.closed_at is None and (self.is_series or self.has_order or self.last is None)


class Edition(models.Model):
    """A contest played once: a season of a league, a turn of a series. `begun` is how many rounds have begun."""

    contest = models.ForeignKey(Contest, models.PROTECT, related_name="editions", verbose_name=_("contest"))
    number = models.PositiveSmallIntegerField(_("number"))
    begun = models.PositiveSmallIntegerField(_("rounds begun"), default=0)
    began_at = models.DateTimeField(_("began"))
    round_ends_at = models.DateTimeField(_("round ends"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("edition")
        verbose_name_plural = _("editions")
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["contest", "number"], name="edition_once")]
        indexes = [
            models.Index(fields=["id"], name="edition_running", condition=models.Q(ended_at__isnull=True))
        ]

    def __str__(self) -> str:
        return f"{self.contest} {self.number}" if self.contest.is_series else str(self.contest)

    def matches(self) -> MatchQuerySet:
        return Match.objects.filter(tournament__table__edition=self)

    def unfinished(self) -> MatchQuerySet:
        return self.matches().filter(status=Match.Status.PLAYING)


class Table(models.Model):
    """A tournament of an edition: all of it, a group, a division, or the final. The label is the system's own."""

    edition = models.ForeignKey(Edition, models.CASCADE, related_name="tables", verbose_name=_("edition"))
    label = models.CharField(_("label"), max_length=10, blank=True)
    tournament = models.OneToOneField(
        Tournament, models.PROTECT, related_name="table", verbose_name=_("tournament")
    )

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["edition", "label"], name="table_once")]

    def __str__(self) -> str:
        return str(self.tournament)
