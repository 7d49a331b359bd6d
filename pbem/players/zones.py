"""Time zones as people name them: Europe/Rome, rome, Roma, new york."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

# Cities that are called otherwise in Italian, and whole countries of one zone.
OTHER_NAMES: Mapping[str, str] = {
    "roma": "Europe/Rome",
    "italia": "Europe/Rome",
    "italy": "Europe/Rome",
    "milano": "Europe/Rome",
    "milan": "Europe/Rome",
    "londra": "Europe/London",
    "inghilterra": "Europe/London",
    "england": "Europe/London",
    "dublino": "Europe/Dublin",
    "lisbona": "Europe/Lisbon",
    "parigi": "Europe/Paris",
    "francia": "Europe/Paris",
    "france": "Europe/Paris",
    "bruxelles": "Europe/Brussels",
    "berlino": "Europe/Berlin",
    "germania": "Europe/Berlin",
    "germany": "Europe/Berlin",
    "monaco di baviera": "Europe/Berlin",
    "zurigo": "Europe/Zurich",
    "svizzera": "Europe/Zurich",
    "switzerland": "Europe/Zurich",
    "praga": "Europe/Prague",
    "varsavia": "Europe/Warsaw",
    "copenaghen": "Europe/Copenhagen",
    "stoccolma": "Europe/Stockholm",
    "lubiana": "Europe/Ljubljana",
    "zagabria": "Europe/Zagreb",
    "belgrado": "Europe/Belgrade",
    "atene": "Europe/Athens",
    "mosca": "Europe/Moscow",
    "il cairo": "Africa/Cairo",
    "gerusalemme": "Asia/Jerusalem",
    "pechino": "Asia/Shanghai",
    "beijing": "Asia/Shanghai",
    "citta del messico": "America/Mexico_City",
    "san paolo": "America/Sao_Paulo",
    "boston": "America/New_York",
    "washington": "America/New_York",
    "san francisco": "America/Los_Angeles",
}


def find_zone(text: str) -> str | None:
    """The zone that `text` names: in full, by its last part, or by another name."""
    return _names().get(_fold(text))


def near_zones(text: str) -> tuple[str, ...]:
    """Up to three that look like it."""
    near = get_close_matches(_fold(text), _names(), n=6, cutoff=0.7)
    return tuple(dict.fromkeys(_names()[name] for name in near))[:3]


@cache
def _names() -> Mapping[str, str]:
    """Every name of every zone, the full names winning."""
    zones = sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc"))
    # Where several have the same last part, all but the longest are old spellings of it.
    cities = {
        _fold(zone.rpartition("/")[2]): zone for zone in sorted(zones, key=lambda zone: zone.count("/"))
    }
    return {**cities, **OTHER_NAMES} | {_fold(zone): zone for zone in [*zones, "UTC"]}


def _fold(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold().replace("_", " "))
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())
