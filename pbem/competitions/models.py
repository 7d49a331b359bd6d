"""Competitions, editions, challenges and entrants."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pbem.competitions.systems.settings import Settings
from pbem.competitions.systems.table import SYSTEMS
from pbem.matches.models import Match, MatchQuerySet
from pbem.matches.terms import Terms
from pbem.players.models import Player

# Competitions and editions


class CompetitionQuerySet(models.QuerySet["Competition"]):
    def automatic(self) -> CompetitionQuerySet:
        """Returns those that run by themselves."""
        return self.exclude(system__in=BY_HAND)


class Competition(models.Model):
    """A competition of any kind. Open until `closed_at`.

    Of the kinds in BY_HAND an organiser begins each round, and the whole is one tournament; the others have editions,
    in which rounds begin and end automatically. `settings` are those of its system. `begins_at` is the beginning of
    the next edition; empty: with enough entrants, or by the organiser.
    """

    class System(models.TextChoices):
        PAIRINGS = "pairings", _("list of pairings")
        SINGLE = "single", _("round robin by hand")
        DOUBLE = "double", _("double round robin by hand")
        ROUND_ROBIN = "round_robin", _("round robin")
        GROUPS = "groups", _("groups and final")
        LEAGUE = "league", _("league")
        SELF_STARTING = "self_starting", _("self-starting series")
        SWISS = "swiss", _("Swiss system")
        KNOCKOUT = "knockout", _("knockout")
        LADDER = "ladder", _("ladder")
        HILL = "hill", _("king of the hill")

    name = models.CharField(_("name"), max_length=80, unique=True)
    system = models.CharField(_("kind"), max_length=15, choices=System.choices)
    game_name = models.CharField(_("game"), max_length=80)
    terms = models.JSONField(_("terms"), default=dict, blank=True)
    settings = models.JSONField(_("settings"), default=dict, blank=True)
    begins_at = models.DateTimeField(_("begins"), null=True, blank=True)
    closed_at = models.DateTimeField(_("over since"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    public = models.BooleanField(_("on the site"), default=False, db_default=False, editable=False)

    objects = CompetitionQuerySet.as_manager()

    class Meta:
        verbose_name = _("competition")
        verbose_name_plural = _("competitions")
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
        """Returns the settings of its system. Raises ValueError for an invalid row."""
        return SYSTEMS[self.system].of(self.settings)

    @property
    def is_by_hand(self) -> bool:
        """Returns whether an organiser begins its rounds."""
        return self.system in BY_HAND

    @property
    def is_series(self) -> bool:
        """Returns whether each edition is followed by another one."""
        return self.system in (self.System.LEAGUE, self.System.SELF_STARTING)

    @property
    def has_order(self) -> bool:
        """Returns whether players are ordered and challenge each other."""
        return self.system in (self.System.LADDER, self.System.HILL)

    @cached_property
    def last(self) -> Edition | None:
        return self.editions.order_by("-number").first()

    def takes_entries(self) -> bool:
        """Returns whether players can enter now by themselves, for this edition or the next."""
        if self.closed_at is not None or self.is_by_hand:
            return False
        return self.is_series or self.has_order or self.last is None


BY_HAND = (Competition.System.PAIRINGS, Competition.System.SINGLE, Competition.System.DOUBLE)


class Edition(models.Model):
    """One run of a contest: a season of a league, a turn of a series. `begun` counts rounds."""

    contest = models.ForeignKey(
        Competition, models.PROTECT, related_name="editions", verbose_name=_("competition")
    )
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
        return Match.objects.filter(tournament__edition=self)

    def unfinished(self) -> MatchQuerySet:
        return self.matches().filter(status=Match.Status.PLAYING)


# Challenges


class Challenge(models.Model):
    """A challenge on a ladder, or a match for a crown.

    `settled_at` is when its result moved players; `succeeded`: the challenger took the place or the crown.
    """

    edition = models.ForeignKey(Edition, models.CASCADE, related_name="challenges", verbose_name=_("edition"))
    match = models.OneToOneField(Match, models.PROTECT, related_name="+", verbose_name=_("match"))
    challenger = models.ForeignKey(Player, models.PROTECT, related_name="+", verbose_name=_("challenger"))
    challenged = models.ForeignKey(Player, models.PROTECT, related_name="+", verbose_name=_("challenged"))
    made_at = models.DateTimeField(_("made"))
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    succeeded = models.BooleanField(_("succeeded"), default=False)

    class Meta:
        verbose_name = _("challenge of a ladder")
        verbose_name_plural = _("challenges of ladders")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.challenger} - {self.challenged}"


# Entrants


class Entrant(models.Model):
    """A player of an edition; without an edition, waiting for the next. `place` is written once, at its end.

    `division` is that of a league, or the organiser's group; `position` is that of a ladder or a hill;
    `played_at` is the last activity there.
    """

    class State(models.TextChoices):
        ENTERED = "entered", pgettext_lazy("a player, in a contest", "entered")
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")
        WITHDRAWN = "withdrawn", _("withdrawn")
        ERASED = "erased", _("withdrawn, and out of the table")
        LEFT = "left", _("left before it began")
        ASLEEP = "asleep", _("taken off, having lost on time")

    contest = models.ForeignKey(
        Competition, models.CASCADE, related_name="entrants", verbose_name=_("competition")
    )
    edition = models.ForeignKey(
        Edition, models.CASCADE, null=True, blank=True, related_name="entrants", verbose_name=_("edition")
    )
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="contest_entries", verbose_name=_("player")
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.ENTERED)
    always = models.BooleanField(_("in each edition"), default=False)
    entered_at = models.DateTimeField(_("entered"))
    rating = models.FloatField(_("rating"), default=1500.0)
    division = models.PositiveSmallIntegerField(_("division"), default=0)
    position = models.PositiveSmallIntegerField(_("position"), null=True, blank=True)
    played_at = models.DateTimeField(_("last played"), null=True, blank=True)
    byes = models.JSONField(_("rounds free"), default=list, blank=True)
    table = models.CharField(_("table"), max_length=10, blank=True)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    points = models.FloatField(_("points"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["edition", "player"], name="entrant_once"),
            models.UniqueConstraint(
                fields=["contest", "player"],
                name="entrant_waits_once",
                condition=models.Q(edition__isnull=True, state="entered"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.contest})"


__all__ = ["Challenge", "Competition", "Edition", "Entrant"]
