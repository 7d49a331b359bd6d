"""Answers that go to From, `play@`, and not to the reply address: In-Reply-To says which match they mean."""

from collections.abc import Callable

import pytest

from pbem.inbox.models import Confirmation, InboundMail
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, play_address
from tests.players_fixtures import moves

Begin = Callable[..., Match]


@pytest.fixture
def several(begin: Begin) -> tuple[Match, Match]:
    return begin(), begin("loa")


def newest(who: Correspondent, match: Match) -> Delivery:
    return next(letter for letter in reversed(who.letters) if f"[{match.pk}]" in letter.subject)


def agrees(who: Correspondent, asked: InboundMail) -> None:
    """Where it had to be asked."""
    if asked.verdict == Code.CONFIRM_NEEDED:
        who.answers(who.letter, "YES")


@pytest.mark.parametrize("dmarc", ["pass", "none"])
def test_a_move_is_about_the_match_of_the_letter(
    several: tuple[Match, Match], alice: Correspondent, dmarc: str
) -> None:
    for match, move in zip(several, ("Wd4,a1", "b1-b3"), strict=True):
        row = alice.answers(newest(alice, match), f"{move}\n\nHave fun!", to=play_address(), dmarc=dmarc)
        assert row.verdict in ("ok", Code.CONFIRM_NEEDED)
        assert row.match == match
        agrees(alice, row)
        assert moves(match) == [move]


@pytest.mark.parametrize("dmarc", ["pass", "none"])
def test_so_is_the_talk(
    several: tuple[Match, Match], alice: Correspondent, bruno: Correspondent, dmarc: str
) -> None:
    for match, move in zip(several, ("Wd4,a1", "b1-b3"), strict=True):
        agrees(
            alice,
            alice.answers(newest(alice, match), f"{move}\n\nHave fun!", to=play_address(), dmarc=dmarc),
        )
        assert "  | Have fun!" in newest(bruno, match).text


def test_a_move_on_an_older_board_is_not_played_on_that_of_now(
    several: tuple[Match, Match], alice: Correspondent, bruno: Correspondent
) -> None:
    _, loa = several
    old = newest(alice, loa)
    alice.answers(old, "b1-b3")
    bruno.answers(newest(bruno, loa), "a3-c1")
    agrees(alice, alice.answers(old, "c1-c3", to=play_address()))
    assert len(moves(loa)) == 2


def test_what_is_refused_shows_that_match(several: tuple[Match, Match], alice: Correspondent) -> None:
    row = alice.answers(newest(alice, several[0]), "Seventeen camels, 17!", to=play_address())
    assert row.verdict == Code.NO_MOVE_FOUND
    assert f"[{several[0].pk}]" in alice.letter.subject


def test_nobody_takes_the_seat_of_another(
    several: tuple[Match, Match], alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    letter = newest(alice, several[0])
    for other in (bruno, charlie):
        other.answers(letter, "Wd4,a1", to=play_address())
        assert not Confirmation.objects.filter(match=several[0]).exists()
    assert moves(several[0]) == []
