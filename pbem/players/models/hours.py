"""The hours at which a player's clocks stand still."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.calendar import MOST_FREE_WEEKDAYS, Night


def check_weekdays(days: str) -> None:
    if not set(days) <= set("0123456") or len(set(days)) < len(days):
        raise ValidationError(_("%(days)s are no weekdays; write 56 for the weekend."), params={"days": days})


class Hours(models.Model):
    """The columns of Player from which their calendar is made, and whether they want deadlines as calendar files."""

    free_weekdays = models.CharField(
        _("free weekdays"),
        max_length=MOST_FREE_WEEKDAYS,
        blank=True,
        default="",
        validators=[check_weekdays],
        help_text=_("Their clocks stand still then: 0 is Monday, 6 Sunday; 56 is the weekend."),
    )
    night_begins = models.TimeField(_("night begins"), null=True, blank=True)
    night_ends = models.TimeField(
        _("night ends"), null=True, blank=True, help_text=_("Their clocks stand still at night.")
    )
    calendar_since = models.DateTimeField(
        _("calendar since"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("When they last began to change their time zone, weekend or night."),
    )
    calendar_files = models.BooleanField(
        _("calendar files"), default=False, help_text=_("Deadlines as attachments that a calendar reads.")
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
                raise ValidationError(_("A night lasts ten hours at the most.")) from None
