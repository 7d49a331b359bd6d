"""Whether the last line is the name of the one who wrote."""

import pytest

from pbem.inbox.commands.signed import hails, unsigned

NAMES = ("tomcat", "Tom Smith")


@pytest.mark.parametrize(
    "below", ["Tom", "tom", "-- Tom", "Tom S.", "Ciao, Tom", "Tommaso", "Cheers\nTom", "Saluti,\nTom"]
)
def test_the_own_name_below_is_a_signature(below: str) -> None:
    assert unsigned(["b1-b3", "", *below.split("\n")], NAMES) == ("b1-b3", "")


@pytest.mark.parametrize(
    "below", ["Check", "Tom!", "Ciao!", "Tom resigned", "Anna", "thanks Tom", "To be continued"]
)
def test_nothing_else_is(below: str) -> None:
    assert unsigned(["b1-b3", below], NAMES) == ("b1-b3", below)


def test_without_a_name_nothing_is() -> None:
    assert unsigned(["Tom"], ()) == ("Tom",)


def test_a_salutation_has_a_name_and_says_nothing() -> None:
    assert hails("Hi Ben,", ["Ben"])
    assert not any(hails(said, ["Ben"]) for said in ("Hi!", "Hi Ben!", "Hi Ben, nice move", "Hello"))
