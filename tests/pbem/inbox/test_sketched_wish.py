"""Against whom somebody wants to play who says it in words of their own, and what."""

import pytest

from pbem.inbox.commands import newcomers
from pbem.inbox.sketched_wish import Wish, wish_in

OWN = "owen@example.org"
WISHES = {
    ("", "Ian here. I want to play ben@example.net at Emergo"): Wish("ben@example.net", game="emergo"),
    ("emergo", "I'd like to play with ben@example.net"): Wish("ben@example.net", game="emergo"),
    ("emergo", "vorrei giocare a zertz contro il computer"): Wish(robot=True, game="zertz"),
    ("", "Cerco un avversario per lines of action"): Wish(anybody=True, game="loa"),
    ("", "ben@example.net and tom@example.net want to play"): Wish(),
    ("", "non voglio giocare a zertz con ben@example.net"): Wish(),
    ("", f"write to me, {OWN}"): Wish(),
}


@pytest.mark.parametrize(("subject", "body"), WISHES)
def test_a_wish(subject: str, body: str) -> None:
    assert wish_in(body.splitlines(), OWN, subject=subject) == WISHES[subject, body]


@pytest.mark.django_db
def test_its_line_in_both_languages() -> None:
    wish = Wish("ben@example.net", game="zertz")
    assert (wish.line("en"), wish.line("it")) == (
        "CHALLENGE ben@example.net zertz",
        "SFIDA ben@example.net zertz",
    )
    assert Wish(robot=True).line("en") == "CHALLENGE Robot-1 loa"
    assert Wish(anybody=True, game="loa").line("it") == "OFFRO loa"
    assert Wish(anybody=True).line("en") == ""
    assert Wish(game="loa").line("en") == ""


@pytest.mark.parametrize(
    ("subject", "lines", "alone"),
    [
        ("", ["zertz?"], True),
        ("zertz", [""], True),
        ("", ["Hi,", "", "Lines of Action?"], True),
        ("hello", ["emergo please"], True),
        ("", ["zertz is on the shelf"], False),
        ("", ["I lost my zertz board"], False),
        ("", [""], False),
        ("", ["hello"], False),
    ],
)
def test_a_game_and_nothing_else(subject: str, lines: list[str], alone: bool) -> None:
    assert newcomers.is_only_game(subject, lines) is alone


@pytest.mark.parametrize(
    "line",
    [
        "Please insert your card and write to sales@example.com",
        "Our computers insert ads, see www.example.com",
        "We sell zertz boards with a robot for 10 €",
        "Dear friend, I am a banker from Ghana, write to me@example.com",
    ],
)
def test_people_who_sell_ask_nothing(line: str) -> None:
    assert not newcomers.asks("", [line])
