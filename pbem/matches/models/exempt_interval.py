"""The ledger of time that does not count, recorded turns of clocks, and heartbeats."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pbem.matches.models.event import Event
from pbem.players.models import Player

# Heartbeats and sweeps


class Component(models.TextChoices):
    """The components needed to receive and process letters."""

    WORKER = "worker", _("worker")
    DOOR = "door", _("mail door")
    MAILBOX = "mailbox", _("mailbox")


class Heartbeat(models.Model):
    """A heartbeat of a component: a row per minute, for all its processes."""

    component = models.CharField(_("component"), max_length=10, choices=Component.choices)
    minute = models.DateTimeField(editable=False)
    beat_at = models.DateTimeField(_("last seen"))
    starts = models.BooleanField(default=False, editable=False)  # the component's first beat

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        constraints = [models.UniqueConstraint(fields=["component", "minute"], name="heartbeat_once")]

    def __str__(self) -> str:
        return f"{self.get_component_display()} {self.beat_at:%Y-%m-%d %H:%M}"


class Sweep(models.Model):
    """The last completed run of a sweep; interrupted ones do not count."""

    name = models.CharField(primary_key=True, max_length=20)
    done_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.done_at:%Y-%m-%d %H:%M:%S}"


class Reason(models.TextChoices):
    """The reasons why a clock stands still; the first three come from calendars and are never rows."""

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


class ExemptIntervalQuerySet(models.QuerySet["ExemptInterval"]):
    def overlapping(self, since: datetime, until: datetime) -> ExemptIntervalQuerySet:
        return self.after(since).filter(since__lt=until).order_by("since")

    def after(self, moment: datetime) -> ExemptIntervalQuerySet:
        """Returns the rows not over at `moment`."""
        return self.filter(models.Q(until__isnull=True) | models.Q(until__gt=moment))


class ExemptInterval(models.Model):
    """A row of the ledger: a clock stands still from `since` to before `until` (None: still).

    Without a match it applies to all clocks, without a seat to both. Rows may overlap: a turn costs its
    length minus their union.
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
    # For rows without a match: the last match recomputed. None: all are.
    recounted_to = models.BigIntegerField(null=True, editable=False)

    objects = ExemptIntervalQuerySet.as_manager()

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


class Outage(ExemptInterval):
    """A time without heartbeats; applies to all clocks."""

    objects = OutageManager()  # type: ignore[assignment,misc]

    class Meta:
        proxy = True
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering = ["-until"]

    def __str__(self) -> str:
        return f"{self.get_component_display()} {self.since:%Y-%m-%d %H:%M}"


class ClockTurn(models.Model):
    """A finished turn on a seat's clock, with all that is needed to recompute its cost.

    `left` and `used` are the bank at its beginning (later gifts included in `left`); `lasted` is the charge;
    `after` is the bank at its end. `free` is what the calendar excluded; `least` is what a takeback topped
    the bank up to.
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


# Facts from events: changed sides, hints, replacements


def swapped(match: int) -> bool:
    """Returns whether the second player took over the first move."""
    return Event.objects.filter(match=match, kind=Event.Kind.SWAPPED).exists()


def hinted(match: int) -> list[int]:
    """Returns the plies before which a robot was asked for a hint."""
    told = Event.objects.filter(match=match, kind=Event.Kind.HINTED)
    return sorted(set(told.values_list("ply", flat=True)))


def replaced(match: int) -> list[tuple[int, str, str]]:
    """Returns the replacements: (turns played, predecessor, successor)."""
    told = Event.objects.filter(match=match, kind=Event.Kind.REPLACED).order_by("pk")
    events = list(told.values_list("ply", "facts"))
    names = Player.objects.in_bulk({facts[who] for _, facts in events for who in ("before", "after")})
    return [
        (ply, str(names.get(facts["before"], "?")), str(names.get(facts["after"], "?")))
        for ply, facts in events
    ]
