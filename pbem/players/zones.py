"""Time zones by the names that people write: Europe/Rome, rome, Roma, new york."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale
from babel.core import get_global
from django.conf import settings

from pbem.players.names import ZONES

# Large cities and spoken names that Babel does not have.
OTHER_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("milano", "milan", "torino", "turin", "napoli", "naples"), "Europe/Rome"),
    **dict.fromkeys(("firenze", "florence", "venezia", "venice", "genova", "genoa"), "Europe/Rome"),
    **dict.fromkeys(("bologna", "palermo", "bari", "catania", "verona", "padova"), "Europe/Rome"),
    **dict.fromkeys(("trieste", "cagliari", "perugia", "sicilia", "sardegna", "toscana"), "Europe/Rome"),
    **dict.fromkeys(("uk", "england", "inghilterra", "great britain", "gran bretagna"), "Europe/London"),
    **dict.fromkeys(("munich", "hamburg", "amburgo"), "Europe/Berlin"),
    **dict.fromkeys(("barcelona", "barcellona"), "Europe/Madrid"),
    **dict.fromkeys(("holland", "olanda"), "Europe/Amsterdam"),
    **dict.fromkeys(("boston", "washington"), "America/New_York"),
    **dict.fromkeys(("san francisco", "seattle"), "America/Los_Angeles"),
    **dict.fromkeys(("beijing", "pechino"), "Asia/Shanghai"),
}
MAINLANDS = {"CN": "Asia/Shanghai", "DE": "Europe/Berlin", "ES": "Europe/Madrid", "PT": "Europe/Lisbon"}

LANGUAGES = ("en", "it")

# Ambiguous: the player has to name a city.
ABBREVIATIONS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("est", "edt", "et"), ("America/New_York", "America/Toronto", "Australia/Sydney")),
    **dict.fromkeys(("cst", "cdt", "ct"), ("America/Chicago", "America/Mexico_City", "Asia/Shanghai")),
    **dict.fromkeys(("mst", "mdt", "mt"), ("America/Denver", "America/Phoenix")),
    **dict.fromkeys(("pst", "pdt", "pt"), ("America/Los_Angeles", "America/Vancouver")),
    **dict.fromkeys(("gmt", "bst", "wet", "west"), ("Europe/London", "Europe/Lisbon")),
    **dict.fromkeys(("cet", "cest", "met", "mez", "mesz"), ("Europe/Rome", "Europe/Paris", "Europe/Berlin")),
    **dict.fromkeys(("eet", "eest", "msk"), ("Europe/Athens", "Europe/Helsinki", "Europe/Moscow")),
    "ist": ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"),
    **dict.fromkeys(("jst", "kst"), ("Asia/Tokyo", "Asia/Seoul")),
    **dict.fromkeys(("aest", "aedt"), ("Australia/Sydney", "Australia/Brisbane", "Australia/Melbourne")),
    **dict.fromkeys(("brt", "art"), ("America/Sao_Paulo", "America/Argentina/Buenos_Aires")),
}


# Guesses from the Date of a newcomer's email, which has the offset of their clock at that time. The first zone
# with this offset is taken: of the language, of the service, then of the world.
# By language, the likeliest first. Italian at 0 is no place: some web mail writes every date in UTC.
HOMES: Mapping[str, tuple[str, ...]] = {
    "it": ("Europe/Rome", "America/New_York", "America/Argentina/Buenos_Aires", "Australia/Melbourne"),
    "en": (
        "America/New_York",
        "Europe/London",
        "America/Los_Angeles",
        "America/Chicago",  # in summer it has the offset of New York in winter
        "America/Denver",
        "Australia/Sydney",
        "Asia/Kolkata",
        "Pacific/Auckland",
    ),
}
# One large city for each other offset. None at 0, as above.
WORLD: tuple[str, ...] = (
    "Europe/Paris",
    "Europe/Athens",
    "Europe/Moscow",
    "Asia/Dubai",
    "Asia/Karachi",
    "Asia/Dhaka",
    "Asia/Bangkok",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "America/Sao_Paulo",
    "America/Halifax",
    "America/St_Johns",
    "America/Anchorage",
    "Pacific/Honolulu",
)
_OFFERED = 3  # zones in the welcome


def likely_zones(language: str, sent: datetime | None) -> tuple[str, ...]:
    """Returns three zones where a newcomer may live who wrote in the language at `sent`, the likeliest first.

    Without an offset, or with an unknown one, the first is the service's.
    """
    usual = ZONES.get(language) or settings.TIME_ZONE
    homes = HOMES.get(language, ())
    fitting = [zone for zone in (*homes, usual, *WORLD) if sent and _shows(zone, sent)]
    return tuple(dict.fromkeys((*fitting[:2], usual, *homes, *HOMES["en"])))[:_OFFERED]


def _shows(zone: str, sent: datetime) -> bool:
    """Tells whether clocks in the zone showed the offset of `sent` at that time."""
    return sent.astimezone(ZoneInfo(zone)).utcoffset() == sent.utcoffset()


def city_of(zone: str, language: str) -> str:
    """Returns the city of a zone as it is called in the language; the zone itself when it names none."""
    _area, slash, city = zone.rpartition("/")
    named = Locale.parse(language).time_zones.get(zone, {}).get("city")
    return str(named or city.replace("_", " ")) if slash else zone


def find_zone(text: str) -> str | None:
    """Returns the zone named by its full name, its last part, or another name. None when unknown."""
    return _names().get(_fold(text))


def near_zones(text: str) -> tuple[str, ...]:
    """Returns up to three zones that an abbreviation may mean, or with similar names."""
    if meant := ABBREVIATIONS.get(_fold(text)):
        return meant
    near = get_close_matches(_fold(text), _names(), n=6, cutoff=0.7)
    return tuple(dict.fromkeys(_names()[name] for name in near))[:3]


@cache
def _names() -> Mapping[str, str]:
    """Returns all names of zones; full names take precedence."""
    zones = sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc"))
    # Among zones with the same last part, the longest name is the current spelling.
    cities = {
        _fold(zone.rpartition("/")[2]): zone for zone in sorted(zones, key=lambda zone: zone.count("/"))
    }
    translated = {name: zone for language in LANGUAGES for name, zone in _names_in(Locale(language))}
    return {**cities, **translated, **OTHER_NAMES} | {_fold(zone): zone for zone in [*zones, "UTC"]}


def _names_in(locale: Locale) -> Iterator[tuple[str, str]]:
    """Yields the names of countries with one zone, then those of cities."""
    territories: Mapping[str, list[str]] = get_global("territory_zones")
    known = available_timezones()
    for code, zones in territories.items():
        zone = MAINLANDS.get(code) or zones[0]
        if zone in known and (len(zones) == 1 or code in MAINLANDS):
            yield _fold(locale.territories.get(code, code)), zone
    current = get_global("zone_aliases")
    for zone, names in locale.time_zones.items():
        if zone in known and "city" in names:
            yield _fold(names["city"]), current.get(zone, zone)


def _fold(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold().replace("_", " "))
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())
