"""What automatic answers say about an absence, and all that is no day."""

from __future__ import annotations

from datetime import date

import pytest

from pbem.inbox.commands.out_of_office import announced, days_away

TODAY = date(2026, 8, 1)
AUGUST = {number: date(2026, 8, number) for number in range(1, 32)}


def away(*lines: str) -> tuple[int, int] | None:
    found = days_away(announced(lines), TODAY)
    return (found[0].day, found[1].day) if found else None


@pytest.mark.parametrize(
    ("lines", "days"),
    [
        (["I am out of the office until 20 August 2026 with no access to mail."], (1, 20)),
        (["I will be away from 3 August to 20 August.", "For urgent matters call Carla."], (3, 20)),
        (["I am on holiday and will be back on Monday, 17 August."], (1, 16)),
        (["I'm away 3/8. I return on 2026-08-10, best wishes"], (1, 9)),
        (["Sono in ferie fino al 20 agosto."], (1, 20)),
        (["Sarò assente dal 3 agosto al 20 agosto 2026 compresi."], (3, 20)),
        (["Sono fuori ufficio; rientrerò il 17 agosto."], (1, 16)),
        (["Assente fino all'8 agosto. Rientro il 9 agosto."], (1, 8)),
        (["Out of office until 20 August", "I am out until August 20."], (1, 20)),
    ],
)
def test_one_clear_absence(lines: list[str], days: tuple[int, int]) -> None:
    assert away(*lines) == days


@pytest.mark.parametrize(
    "lines",
    [
        ["I am out of the office."],
        ["Sono in ferie fino al 30."],
        ["I am away until Monday."],
        ["Away until 20 August, then again from 1 September to 9 September."],
        ["Until 20 August write to Carla; I am back on 25 August."],
        ["I am away until 20 January 2027."],
        ["I was away until 20 July 2026."],
        ["Away until 31/12."],
        ["Fino al 31 giugno sono via."],
        ["The offer is valid from 10 to 12."],
        [],
    ],
)
def test_in_doubt_nothing(lines: list[str]) -> None:
    assert away(*lines) is None


@pytest.mark.prove
def test_an_absence_in_the_middle_of_a_long_letter_takes_no_time() -> None:
    assert away(*["from the until back " * 200] * 400) is None
