"""Formats durations, clocks and dates in the active language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone_name, localtime
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext
from django.utils.translation import gettext_lazy as _

from pbem.matches.clock.control import NOTHING, Control, preset
from pbem.matches.terms import Terms
from pbem.players.names import ZONES
from pbem.wording import SOURCE, wording

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


MINUTE = timedelta(minutes=1)
_DAY = 1440  # minutes
_ALMOST = 5  # minutes of tolerance: a clock of ten days that has just started still reads ten days

# Effects of running out of time.
POLICIES: Mapping[str, StrPromise] = {
    "loss": gettext_lazy("Running out of time loses."),
    "claim": gettext_lazy(
        "If a player runs out of time, the opponent may claim the win; until then a late move counts."
    ),
    "absence": gettext_lazy(
        "A player who runs out of time uses days of absence, and loses when none are left."
    ),
    "adjudicate": gettext_lazy("If somebody runs out of time, the organiser decides."),
}


def in_words(length: timedelta) -> str:
    """Returns the two largest units, rounded: `9 days and 4 hours`, `5 hours and 12 minutes`."""
    minutes = max(0, round(length / MINUTE))
    if minutes >= _DAY:
        minutes = round(minutes / 60) * 60
    days, hours, minutes = minutes // _DAY, minutes // 60 % 24, minutes % 60
    said = []
    if days:
        said.append(ngettext("%(days)s day", "%(days)s days", days) % {"days": days})
    if hours:
        said.append(ngettext("%(hours)s hour", "%(hours)s hours", hours) % {"hours": hours})
    if not days and (minutes or not hours):
        said.append(ngettext("%(minutes)s minute", "%(minutes)s minutes", minutes) % {"minutes": minutes})
    return gettext(" and ").join(said)


def brief(length: timedelta) -> str:
    """Returns one unit, days from the second on, rounded up by at most one hour: `2 days`, `36 hours`."""
    return _brief(length)[0]


def left(length: timedelta) -> str:
    """Returns `2 days left`, for the preview of a letter."""
    if length < MINUTE:
        return gettext("no time left")
    span, number = _brief(length)
    return ngettext("%(span)s left", "%(span)s left", number) % {"span": span}


def _brief(length: timedelta) -> tuple[str, int]:
    minutes = max(0, round(length / MINUTE))
    if (hours := (minutes + _ALMOST) // 60) >= 48:
        days = (hours + 1) // 24
        return ngettext("%(days)s day", "%(days)s days", days) % {"days": days}, days
    if hours:
        return ngettext("%(hours)s hour", "%(hours)s hours", hours) % {"hours": hours}, hours
    return ngettext("%(minutes)s minute", "%(minutes)s minutes", minutes) % {"minutes": minutes}, minutes


def clock_in_words(terms: Terms) -> str:
    """Returns all agreed time rules in sentences."""
    label = gettext("Clock: ") if terms.control and preset(terms.control, get_language() or SOURCE) else ""
    return f"{label}{unlabelled(terms)}"


def unlabelled(terms: Terms) -> str:
    """Returns the time rules without the label "Clock"."""
    control = terms.control
    if control is None:
        return gettext("There is no clock, so no time limit.")
    said = [f"{_name(control)}{_bank(control)}", _ceiling(control), str(POLICIES[terms.policy])]
    if terms.nonstop:
        said.append(gettext("Nights, weekends, holidays and absences count like any other time."))
    return " ".join(filter(None, said))


def clock_in_brief(terms: Terms) -> str:
    """Returns the clock's name, or its rules when it has none, for readers who know the terms."""
    name = preset(terms.control, get_language() or SOURCE) if terms.control else ""
    return gettext("Clock: %(name)s. CLOCK explains it.") % {"name": name} if name else clock_in_words(terms)


def in_short(terms: Terms) -> str:
    """Returns the clock's name or notation."""
    if terms.control is None:
        return gettext("no clock")
    return preset(terms.control, get_language() or SOURCE) or as_written(terms)


def as_written(terms: Terms) -> str:
    """Returns the clock in the notation of the player's language."""
    words = wording("pbem.matches").of(get_language() or SOURCE, "clock")
    units = {"d": words["day"], "h": words["hour"]}
    spans = re.sub(r"(?<=[0-9])[dh]", lambda unit: units[unit[0]], str(terms.control or ""))
    return spans.replace("/move", f"/{words['move']}").replace("total=", f"{words['total']}=")


def _name(control: Control) -> str:
    name = preset(control, get_language() or SOURCE)
    return gettext("%(name)s, which is ") % {"name": name} if name else ""


def _bank(control: Control) -> str:
    bank = in_words(control.bank)
    if control.is_fixed:
        return gettext("%(bank)s per move.") % {"bank": bank}
    if control.increment == NOTHING:
        return gettext("%(bank)s for all moves together.") % {"bank": bank}
    facts = {"bank": bank, "increment": in_words(control.increment), "cap": in_words(control.cap)}
    return (
        gettext("%(bank)s to start, plus %(increment)s per move, never more than %(cap)s saved up.") % facts
    )


def _ceiling(control: Control) -> str:
    if control.ceiling is None or control.increment == NOTHING:
        return ""
    return gettext("At most %(total)s in the whole match.") % {"total": in_words(control.ceiling)}


# Dates, by language: Tuesday 1 December, martedì 1º dicembre

_FIRST_OF_MONTH = {"it": "jº"}
_SMALL = ("it",)  # lun 18 mag: Django capitalises abbreviations in every language
# Translated here, since Django's Italian capitalises them.
NAMES = (
    *(_("January"), _("February"), _("March"), _("April"), _("May"), _("June"), _("July")),
    *(_("August"), _("September"), _("October"), _("November"), _("December")),
)


def dated(when: date, layout: str) -> str:
    """Formats `when` by a Django date format, in the active language."""
    first = _FIRST_OF_MONTH.get(str(get_language()), "j") if when.day == 1 else "j"
    said = date_format(when, layout.replace("j", first))
    return said.lower() if get_language() in _SMALL else said


def moment(when: datetime) -> str:
    """Returns weekday, date and time in the reader's zone."""
    return dated(localtime(when), "l j F Y, H:i")


def by(when: datetime) -> str:
    """Returns a deadline in the reader's zone: `Mon 23 Nov, 00:43`."""
    return _in_zone(dated(localtime(when), "D j M, H:i"))


def due(when: datetime, now: datetime) -> str:
    """Returns a deadline with the time left at `now`: `Mon 23 Nov, 00:43 (in 2 days)`."""
    said = by(when)
    if when - now < MINUTE:
        return said
    return gettext("%(day)s (in %(span)s)") % {"day": said, "span": brief(when - now)}


def left_until(when: datetime, now: datetime) -> str:
    return left(when - now)


def when(until: date | datetime) -> str:
    """Returns a day, or a moment with its zone."""
    if isinstance(until, datetime):
        return _in_zone(moment(until))
    return dated(until, "l j F Y")


def hours(number: int) -> timedelta:
    return timedelta(hours=number)


def weekday(when: datetime) -> str:
    """Returns weekday and date in the reader's zone, capitalised."""
    said = dated(localtime(when), "l j F")
    return said[:1].upper() + said[1:]


def instant(written: str) -> datetime:
    """Parses a moment from the facts of an event."""
    return datetime.fromisoformat(written)


def day(when: datetime) -> str:
    """Returns the date in the reader's zone."""
    return dated(localtime(when), "j F Y")


def roughly(length: timedelta) -> str:
    """Returns whole hours or, from two days on, whole days; at least one hour."""
    hours = max(1, round(length / timedelta(hours=1)))
    if hours < 48:
        return ngettext("%(hours)s hour", "%(hours)s hours", hours) % {"hours": hours}
    return gettext("%(days)s days") % {"days": round(hours / 24)}


def hour(when: datetime) -> str:
    """Returns date and time in short, in the reader's zone."""
    return dated(localtime(when), "j M Y, H:i")


def _in_zone(said: str) -> str:
    """Appends the zone, unless the language implies it or the reader has set their own."""
    zone = get_current_timezone_name()
    if (get_language() or SOURCE) in ZONES or zone != settings.TIME_ZONE:
        return said
    _area, slash, city = zone.rpartition("/")
    if not slash:  # UTC is not a city
        return f"{said} {zone}"
    return gettext("%(time)s %(city)s time") % {"time": said, "city": city.replace("_", " ")}
