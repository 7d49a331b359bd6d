"""Preferences for letters and hours of rest, as columns of Player."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.calendar import MOST_FREE_WEEKDAYS, Night


def check_weekdays(days: str) -> None:
    if not set(days) <= set("0123456") or len(set(days)) < len(days):
        raise ValidationError(
            _("%(days)s are not weekdays; write 56 for the weekend."), params={"days": days}
        )


class Hours(models.Model):
    """The columns of Player that define their calendar, and the choice of calendar files."""

    free_weekdays = models.CharField(
        _("free weekdays"),
        max_length=MOST_FREE_WEEKDAYS,
        blank=True,
        default="",
        validators=[check_weekdays],
        help_text=_("Their clocks are stopped then: 0 is Monday, 6 Sunday; 56 is the weekend."),
    )
    night_begins = models.TimeField(_("night begins"), null=True, blank=True)
    night_ends = models.TimeField(
        _("night ends"), null=True, blank=True, help_text=_("Their clocks are stopped at night.")
    )
    calendar_since = models.DateTimeField(
        _("calendar since"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("When they last began to change their time zone, weekend or night."),
    )
    calendar_files = models.BooleanField(
        _("calendar files"), default=False, help_text=_("Deadlines as calendar attachments.")
    )

    class Meta:
        abstract = True

    @property
    def night(self) -> Night | None:
        if self.night_begins is None or self.night_ends is None:
            return None
        return Night(self.night_begins, self.night_ends)

    def clean(self) -> None:
        if (self.night_begins is None) != (self.night_ends is None):
            raise ValidationError(_("A night has a beginning and an end."))
        if self.night_begins is not None and self.night_ends is not None:
            try:
                Night(self.night_begins, self.night_ends)
            except ValueError:
                raise ValidationError(_("A night lasts at most ten hours.")) from None


class Preferences(models.Model):
    """The columns of Player that SET writes and that change no match."""

    class Theme(models.TextChoices):
        DEFAULT = "default", _("light")
        DARK = "dark", _("dark")
        PRINT = "print", _("for printing")

    class PictureSize(models.IntegerChoices):
        """The width in pixels."""

        SMALL = 400, _("small")
        NORMAL = 520, _("normal")
        LARGE = 640, _("large")

    class Cadence(models.TextChoices):
        MOVE = "move", _("a letter for each move")
        DAILY = "daily", _("one letter a day")
        WEEKLY = "weekly", _("one letter a week")

    class Weekday(models.IntegerChoices):
        """As in `datetime.weekday`."""

        MONDAY = 0, _("Monday")
        TUESDAY = 1, _("Tuesday")
        WEDNESDAY = 2, _("Wednesday")
        THURSDAY = 3, _("Thursday")
        FRIDAY = 4, _("Friday")
        SATURDAY = 5, _("Saturday")
        SUNDAY = 6, _("Sunday")

    class Site(models.TextChoices):
        """What the public pages show of a player, from nothing to all."""

        NO = "no", _("nothing")
        UNNAMED = "unnamed", _("finished matches, without the name")
        NAMED = "named", _("name and matches")
        INDEXED = "indexed", _("name and matches, for search engines too")

    theme = models.CharField(_("colours"), max_length=8, choices=Theme.choices, default=Theme.DEFAULT)
    picture_size = models.PositiveSmallIntegerField(
        _("size of the picture"), choices=PictureSize.choices, default=PictureSize.NORMAL
    )
    own_side = models.BooleanField(
        _("board from own side"),
        default=True,
        help_text=_("Where the sides sit opposite each other, the second player sees the board turned."),
    )
    text_only = models.BooleanField(
        _("text only"), default=False, help_text=_("Letters without HTML and pictures.")
    )
    low_bandwidth = models.BooleanField(
        _("low bandwidth"), default=False, help_text=_("For slow connections: short text-only emails.")
    )
    status_subject = models.BooleanField(
        _("state in the subject"),
        default=False,
        db_default=False,  # while processes of the release before write players
        help_text=_(
            "Whose turn it is, in the subject: mail programs may not keep the letters of a match together."
        ),
    )
    move_links = models.BooleanField(
        _("links for moves"), default=True, help_text=_("A link for each move where there are few.")
    )
    board_links = models.BooleanField(
        _("link to the board"),
        default=True,
        db_default=True,  # while processes of the release before write players
        help_text=_("A link to the board on the site, where the move can be clicked."),
    )
    cadence = models.CharField(_("how often"), max_length=8, choices=Cadence.choices, default=Cadence.MOVE)
    digest_hour = models.PositiveSmallIntegerField(
        _("hour of the digest"),
        default=8,
        validators=[MaxValueValidator(23)],
        help_text=_("In the player's time zone."),
    )
    digest_day = models.PositiveSmallIntegerField(
        _("day of the weekly digest"), choices=Weekday.choices, default=Weekday.MONDAY
    )
    listed = models.BooleanField(
        _("listed"),
        default=False,
        help_text=_("PLAYERS shows others the name, what is played, and how soon answers come."),
    )
    site = models.CharField(
        _("on the site"),
        max_length=8,
        choices=Site.choices,
        default=Site.UNNAMED,
        db_default=Site.UNNAMED,  # while processes of the release before write players
        help_text=_("What the public pages show of them. Their name only if they agreed."),
    )
    site_asked_at = models.DateTimeField(
        _("asked about the site"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("Nothing about them is shown before, nor for 30 days after without a yes."),
    )
    digests = models.BooleanField(
        _("digests"), default=True, help_text=_("The daily or weekly letter, if they have asked for one.")
    )

    class Meta:
        abstract = True


# Hours of rest
