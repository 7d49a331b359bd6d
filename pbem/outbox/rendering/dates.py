"""Days, hours and how far off they are, as each language writes them: Tuesday 1 December, martedì 1º dicembre."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.conf import settings
from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone_name, localtime
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from pbem.outbox.rendering import durations
from pbem.players.languages import ZONES
from pbem.wording import SOURCE

_FIRST_OF_MONTH = {"it": "jº"}
_SMALL = ("it",)  # lun 18 mag: Django begins what is abbreviated with a capital in every language
# Django's own Italian begins them with a capital; ours is asked first.
NAMES = (
    *(_("January"), _("February"), _("March"), _("April"), _("May"), _("June"), _("July")),
    *(_("August"), _("September"), _("October"), _("November"), _("December")),
)


def dated(when: date, layout: str) -> str:
    """`when` in Django's letters for dates, in the active language."""
    first = _FIRST_OF_MONTH.get(str(get_language()), "j") if when.day == 1 else "j"
    said = date_format(when, layout.replace("j", first))
    return said.lower() if get_language() in _SMALL else said


def moment(when: datetime) -> str:
    """Weekday, date and hour in the reader's zone."""
    return dated(localtime(when), "l j F Y, H:i")


def by(when: datetime) -> str:
    """`Mon 23 Nov, 00:43`: a deadline in the reader's zone, where how far off it is has been said."""
    return _in_zone(dated(localtime(when), "D j M, H:i"))


def due(when: datetime, now: datetime) -> str:
    """`Mon 23 Nov, 00:43 (in 2 days)`: the same, and how far off it was at `now`."""
    said = by(when)
    if when - now < durations.MINUTE:
        return said
    return gettext("%(day)s (in %(span)s)") % {"day": said, "span": durations.brief(when - now)}


def left(when: datetime, now: datetime) -> str:
    return durations.left(when - now)


def when(until: date | datetime) -> str:
    """A day, or a moment, whichever it is, with whose time it is."""
    if isinstance(until, datetime):
        return _in_zone(moment(until))
    return dated(until, "l j F Y")


def hours(number: int) -> timedelta:
    return timedelta(hours=number)


def weekday(when: datetime) -> str:
    """With the date, in the reader's zone, at the beginning of a line."""
    said = dated(localtime(when), "l j F")
    return said[:1].upper() + said[1:]


def instant(written: str) -> datetime:
    """A moment that the facts of an event have."""
    return datetime.fromisoformat(written)


def day(when: datetime) -> str:
    """The date in the reader's zone."""
    return dated(localtime(when), "j F Y")


def roughly(length: timedelta) -> str:
    """How long in whole hours or, from two days on, in whole days; never less than an hour."""
    hours = max(1, round(length / timedelta(hours=1)))
    if hours < 48:
        return ngettext("%(hours)s hour", "%(hours)s hours", hours) % {"hours": hours}
    return gettext("%(days)s days") % {"days": round(hours / 24)}


def hour(when: datetime) -> str:
    """The day and the hour, short, in the reader's zone."""
    return dated(localtime(when), "j M Y, H:i")


def _in_zone(said: str) -> str:
    """With the zone, where the language does not tell it and the reader has not told another one yet."""
    zone = get_current_timezone_name()
    if (get_language() or SOURCE) in ZONES or zone != settings.TIME_ZONE:
        return said
    _area, slash, city = zone.rpartition("/")
    if not slash:  # UTC is no city
        return f"{said} {zone}"
    return gettext("%(time)s %(city)s time") % {"time": said, "city": city.replace("_", " ")}
