"""Time zones by the names that people write: Europe/Rome, rome, Roma, new york."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

# Cities without a zone of their name, Italian names, and countries with one zone.
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
    "torino": "Europe/Rome",
    "turin": "Europe/Rome",
    "napoli": "Europe/Rome",
    "naples": "Europe/Rome",
    "firenze": "Europe/Rome",
    "florence": "Europe/Rome",
    "venezia": "Europe/Rome",
    "venice": "Europe/Rome",
    "bologna": "Europe/Rome",
    "genova": "Europe/Rome",
    "genoa": "Europe/Rome",
    "palermo": "Europe/Rome",
    "bari": "Europe/Rome",
    "catania": "Europe/Rome",
    "verona": "Europe/Rome",
    "padova": "Europe/Rome",
    "trieste": "Europe/Rome",
    "parma": "Europe/Rome",
    "perugia": "Europe/Rome",
    "cagliari": "Europe/Rome",
    "manchester": "Europe/London",
    "birmingham": "Europe/London",
    "liverpool": "Europe/London",
    "leeds": "Europe/London",
    "bristol": "Europe/London",
    "edinburgh": "Europe/London",
    "edimburgo": "Europe/London",
    "glasgow": "Europe/London",
    "cardiff": "Europe/London",
    "oxford": "Europe/London",
    "cambridge": "Europe/London",
    "scotland": "Europe/London",
    "scozia": "Europe/London",
    "wales": "Europe/London",
    "galles": "Europe/London",
    "uk": "Europe/London",
    "united kingdom": "Europe/London",
    "great britain": "Europe/London",
    "gran bretagna": "Europe/London",
    "regno unito": "Europe/London",
    "munich": "Europe/Berlin",
    "monaco": "Europe/Berlin",
    "hamburg": "Europe/Berlin",
    "amburgo": "Europe/Berlin",
    "cologne": "Europe/Berlin",
    "colonia": "Europe/Berlin",
    "frankfurt": "Europe/Berlin",
    "francoforte": "Europe/Berlin",
    "stuttgart": "Europe/Berlin",
    "leipzig": "Europe/Berlin",
    "lipsia": "Europe/Berlin",
    "lyon": "Europe/Paris",
    "lione": "Europe/Paris",
    "marseille": "Europe/Paris",
    "marsiglia": "Europe/Paris",
    "toulouse": "Europe/Paris",
    "nice": "Europe/Paris",
    "nizza": "Europe/Paris",
    "barcelona": "Europe/Madrid",
    "barcellona": "Europe/Madrid",
    "spain": "Europe/Madrid",
    "spagna": "Europe/Madrid",
    "valencia": "Europe/Madrid",
    "siviglia": "Europe/Madrid",
    "sevilla": "Europe/Madrid",
    "ireland": "Europe/Dublin",
    "irlanda": "Europe/Dublin",
    "portugal": "Europe/Lisbon",
    "portogallo": "Europe/Lisbon",
    "porto": "Europe/Lisbon",
    "rotterdam": "Europe/Amsterdam",
    "holland": "Europe/Amsterdam",
    "olanda": "Europe/Amsterdam",
    "netherlands": "Europe/Amsterdam",
    "paesi bassi": "Europe/Amsterdam",
    "belgium": "Europe/Brussels",
    "belgio": "Europe/Brussels",
    "austria": "Europe/Vienna",
    "geneva": "Europe/Zurich",
    "ginevra": "Europe/Zurich",
    "bern": "Europe/Zurich",
    "berna": "Europe/Zurich",
    "basel": "Europe/Zurich",
    "basilea": "Europe/Zurich",
    "lugano": "Europe/Zurich",
    "poland": "Europe/Warsaw",
    "polonia": "Europe/Warsaw",
    "krakow": "Europe/Warsaw",
    "cracovia": "Europe/Warsaw",
    "czechia": "Europe/Prague",
    "sweden": "Europe/Stockholm",
    "svezia": "Europe/Stockholm",
    "denmark": "Europe/Copenhagen",
    "danimarca": "Europe/Copenhagen",
    "norway": "Europe/Oslo",
    "norvegia": "Europe/Oslo",
    "finland": "Europe/Helsinki",
    "finlandia": "Europe/Helsinki",
    "greece": "Europe/Athens",
    "grecia": "Europe/Athens",
    "philadelphia": "America/New_York",
    "filadelfia": "America/New_York",
    "miami": "America/New_York",
    "atlanta": "America/New_York",
    "seattle": "America/Los_Angeles",
    "san diego": "America/Los_Angeles",
    "california": "America/Los_Angeles",
    "las vegas": "America/Los_Angeles",
    "houston": "America/Chicago",
    "dallas": "America/Chicago",
    "austin": "America/Chicago",
    "texas": "America/Chicago",
    "japan": "Asia/Tokyo",
    "giappone": "Asia/Tokyo",
    "osaka": "Asia/Tokyo",
    "india": "Asia/Kolkata",
    "mumbai": "Asia/Kolkata",
    "delhi": "Asia/Kolkata",
    "new delhi": "Asia/Kolkata",
    "bangalore": "Asia/Kolkata",
    "cina": "Asia/Shanghai",
    "china": "Asia/Shanghai",
}


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
    return {**cities, **OTHER_NAMES} | {_fold(zone): zone for zone in [*zones, "UTC"]}


def _fold(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold().replace("_", " "))
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())
