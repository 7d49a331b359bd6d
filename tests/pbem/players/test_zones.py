"""Where a newcomer probably lives: from the offset in the Date of their email, and the language that they write."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from zoneinfo import available_timezones

import pytest

from games.protocol import LANGUAGES
from pbem.players.zones import HOMES, WORLD, city_of, find_zone, likely_zones

WINTER, SUMMER = "Mon, 23 Nov 2026 20:15:00", "Mon, 6 Jul 2026 20:15:00"


@pytest.mark.parametrize(
    ("language", "date", "zone"),
    [
        ("it", f"{WINTER} +0100", "Europe/Rome"),
        ("it", f"{SUMMER} +0200", "Europe/Rome"),
        ("it", f"{SUMMER} -0300", "America/Argentina/Buenos_Aires"),
        ("en", f"{WINTER} -0500", "America/New_York"),
        ("en", f"{SUMMER} -0400", "America/New_York"),
        ("en", f"{SUMMER} -0500", "America/Chicago"),
        ("en", f"{WINTER} +0000", "Europe/London"),
        ("en", f"{SUMMER} +0100", "Europe/London"),
        ("en", f"{WINTER} -0800", "America/Los_Angeles"),
        ("en", f"{WINTER} +1100", "Australia/Sydney"),
        ("en", f"{WINTER} +0530", "Asia/Kolkata"),
        ("en", f"{WINTER} +0900", "Asia/Tokyo"),
    ],
)
def test_the_zone_whose_clocks_show_the_offset_at_that_time(language: str, date: str, zone: str) -> None:
    assert likely_zones(language, parsedate_to_datetime(date))[0] == zone


def test_the_zone_of_the_service_comes_before_others_with_the_offset(settings: object) -> None:
    settings.TIME_ZONE = "Europe/Berlin"  # type: ignore[attr-defined]
    assert likely_zones("en", parsedate_to_datetime(f"{WINTER} +0100"))[0] == "Europe/Berlin"
    assert likely_zones("en", parsedate_to_datetime(f"{WINTER} -0500"))[0] == "America/New_York"


@pytest.mark.parametrize("date", [f"{SUMMER} +0000", f"{WINTER} +1234", f"{WINTER} -1200", None])
def test_otherwise_the_usual_one(settings: object, date: str | None) -> None:
    settings.TIME_ZONE = "Europe/Berlin"  # type: ignore[attr-defined]
    sent = parsedate_to_datetime(date) if date else None
    assert [likely_zones(language, sent)[0] for language in LANGUAGES] == ["Europe/Berlin", "Europe/Rome"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_are_offered_and_each_can_be_written(language: str) -> None:
    for date in (f"{WINTER} -0500", f"{SUMMER} +0200", None):
        assert len(set(likely_zones(language, parsedate_to_datetime(date) if date else None))) == 3
    for zone in {*HOMES["en"], *HOMES["it"], *WORLD}:
        assert zone in available_timezones()
        assert find_zone(city_of(zone, language)) == zone
