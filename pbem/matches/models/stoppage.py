"""Time that is charged to nobody: what is written down of it, and what each turn has cost."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pbem.matches.models.heartbeat import Component


class Reason(models.TextChoices):
    """Why a clock stands still. The first three follow from a player's calendar, and are never rows."""

    NIGHT = "night", _("night")
    WEEKDAY = "weekday", _("free weekday")
    HOLIDAY = "holiday", _("holiday")
    ABSENCE = "absence", _("absence")
    TRANSIT = "transit", _("messages on their way")
    OUTAGE = "outage", _("outage")
    RESTORE = "restore", _("restored from a backup")
    MAILBOX = "mailbox", _("mailbox out of reach")
    PAUSED = "paused", _("paused")
    AGREED = "agreed", _("pause agreed on")
    ORGANISER = "organiser", _("stopped by the organiser")
    SHUNTED = "shunted", _("message set aside")


class StoppageQuerySet(models.QuerySet["Stoppage"]):
    def overlapping(self, since: datetime, until: datetime) -> StoppageQuerySet:
        return self.after(since).filter(since__lt=until).order_by("since")

    def after(self, moment: datetime) -> StoppageQuerySet:
        """Those that were not over then."""
        return self.filter(models.Q(until__isnull=True) | models.Q(until__gt=moment))


class Stoppage(models.Model):
    """A row of the ledger: from `since` to before `until` (None: to this day) a clock stood still.

    Without a match it is the clock of everybody, without a seat that of both players. Rows may overlap: what a
    turn has cost is its length minus the union of all of them.
    """

    match = models.ForeignKey(
        "Match", models.CASCADE, null=True, blank=True, related_name="stoppages", verbose_name=_("match")
    )
    seat = models.ForeignKey(
        "Seat", models.CASCADE, null=True, blank=True, related_name="stoppages", verbose_name=_("seat")
    )
    since = models.DateTimeField(_("from"))
    until = models.DateTimeField(_("until"), null=True, blank=True)
    why = models.CharField(_("why"), max_length=10, choices=Reason.choices)
    component = models.CharField(_("component"), max_length=10, choices=Component.choices, blank=True)
    note = models.CharField(_("note"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("written"), default=timezone.now, editable=False)
    # Of everybody's: the last match whose deadline was worked out again since. None: all of them.
    recounted_to = models.BigIntegerField(null=True, editable=False)

    objects = StoppageQuerySet.as_manager()

    class Meta:
        verbose_name = _("stoppage")
        verbose_name_plural = _("stoppages")
        ordering = ["since", "pk"]
        indexes = [
            models.Index(fields=["match", "until"], name="stoppage_until"),
            models.Index(
                fields=["recounted_to"],
                name="stoppage_recounting",
                condition=models.Q(recounted_to__isnull=False),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["component", "since"],
                condition=models.Q(match__isnull=True, why="outage"),
                name="stoppage_outage_once",
            ),
            models.UniqueConstraint(
                fields=["match", "why"],
                condition=models.Q(until__isnull=True),
                name="stoppage_open_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_why_display()} {self.since:%Y-%m-%d %H:%M}"


class OutageManager(models.Manager["Outage"]):
    def get_queryset(self) -> models.QuerySet[Outage]:
        return super().get_queryset().filter(match__isnull=True, why__in=(Reason.OUTAGE, Reason.RESTORE))


class Outage(Stoppage):
    """A time without a sign of life: a row that counts for every clock."""

    objects = OutageManager()  # type: ignore[assignment,misc]

    class Meta:
        proxy = True
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering = ["-until"]

    def __str__(self) -> str:
        return f"{self.get_component_display()} {self.since:%Y-%m-%d %H:%M}"


class ClockTurn(models.Model):
    """A turn by the clock of a seat, once it is over: all that it takes to reckon its cost again.

    `left` and `used` are those of the bank when it began (time that was given since is in `left`), `lasted` is what
    it was charged, and `after` what its bank held then. `free` is what the calendar of that time left out, and `least`
    what a takeback filled the bank up to.
    """

    seat = models.ForeignKey("Seat", models.CASCADE, related_name="clock_turns")
    since = models.DateTimeField()
    until = models.DateTimeField()
    left = models.DurationField()
    used = models.DurationField()
    lasted = models.DurationField(default=timedelta)
    after = models.DurationField()
    moved = models.BooleanField()
    free = models.JSONField(default=list)
    least = models.DurationField(null=True)

    class Meta:
        verbose_name = _("move by the clock")
        verbose_name_plural = _("moves by the clock")
        indexes = [models.Index(fields=["seat", "until"], name="clock_turn_until")]

    def __str__(self) -> str:
        return f"{self.seat_id}: {self.since:%Y-%m-%d %H:%M}"
