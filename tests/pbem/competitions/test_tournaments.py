"""Tournaments of the organiser's: one letter in place of many, a date, and players who leave."""

from datetime import timedelta
from random import Random

import pytest

from pbem.competitions.cross_table import standings
from pbem.competitions.tasks import begin_and_end
from pbem.competitions.tournaments import (
    begin,
    begin_later,
    begin_round,
    drawn,
    leaving,
    open_tournament,
    withdraw,
)
from pbem.matches.models import Match, Tournament
from pbem.matches.services import resign
from pbem.matches.terms import Terms
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.players.services import register
from pbem.ratings.models import RatedGame
from pbem.refusals import Code, Refused
from tests.mail_fixtures import MORNING

NAMES = ("Alice", "Bruno", "Carla", "Dino", "Emil")


@pytest.fixture
def cup(db: None) -> Tournament:
    players = [register(name=n, email=f"{n.lower()}@example.org", language="en", now=MORNING) for n in NAMES]
    cup = open_tournament(
        "Cup",
        game="loa",
        system="single",
        terms=Terms(clock="3d/move", rated=True),
        now=MORNING,
    )
    cup.enter(players)
    return cup


def begun(cup: Tournament, *, at_once: bool = True) -> list[Match]:
    lots = [player.pk for player in drawn(cup)]
    matches = begin(cup, lots, at_once=at_once, now=MORNING, rng=Random(1))
    cup.refresh_from_db()
    return matches


def lost(cup: Tournament, player: Player, count: int) -> None:
    """So many of their matches."""
    for match in list(cup.matches.filter(seats__player=player, status="playing").order_by("pk"))[:count]:
        resign(next(seat for seat in match.seated if seat.player == player), now=MORNING)


def letters(kind: str) -> dict[str, int]:
    names = OutboundMail.objects.filter(kind=kind).order_by("pk").values_list("player__name", flat=True)
    return {name: list(names).count(name) for name in names}


def test_one_letter_tells_of_all_opponents(cup: Tournament) -> None:
    assert len(begun(cup)) == 10
    assert letters("contest_begins") == dict.fromkeys(NAMES, 1)
    assert letters("turn") == {}


def test_round_by_round_each_match_has_its_letters(cup: Tournament) -> None:
    begun(cup, at_once=False)
    assert letters("contest_begins") == {}
    assert sum(letters("turn").values()) == 4


def test_it_begins_on_its_day(cup: Tournament) -> None:
    day = MORNING + timedelta(days=3)
    begin_later(cup, day, at_once=True)
    begin_and_end(now=day - timedelta(hours=1), rng=Random(1))
    assert not cup.matches.exists()
    begin_later(cup, None)
    begin_and_end(now=day, rng=Random(1))
    assert not cup.matches.exists(), "it was called off"
    begin_later(cup, day, at_once=True)
    for _ in range(2):
        begin_and_end(now=day, rng=Random(1))
    cup.refresh_from_db()
    assert (cup.matches.count(), cup.competition.begins_at, cup.begun) == (10, None, 5)
    with pytest.raises(Refused) as refused:
        begin_later(cup, day)
    assert refused.value.code == Code.NOT_NEXT_ROUND


def test_without_players_it_waits(cup: Tournament) -> None:
    cup.entries.all().delete()
    begin_later(cup, MORNING)
    begin_and_end(now=MORNING, rng=Random(1))
    cup.refresh_from_db()
    assert (cup.begun, cup.competition.begins_at) == (0, MORNING)


def test_an_early_withdrawal_takes_all_results_out(cup: Tournament) -> None:
    begun(cup)
    dino = Player.objects.get(name="Dino")
    lost(cup, dino, 1)
    [over] = cup.matches.filter(status="over")
    rated = set(RatedGame.objects.values_list("pk", flat=True))
    what = leaving(cup, dino)
    assert (what.erased, what.over, len(what.open), what.opponents) == (True, 1, 3, 3)
    assert withdraw(cup, dino, reason="Moved house", now=MORNING) == what
    assert {row.entrant.name for row in standings(cup)} == {*NAMES} - {"Dino"}
    assert all(row.won == 0 for row in standings(cup))
    assert set(cup.matches.filter(pk__in=what.open).values_list("status", flat=True)) == {"void"}
    assert Match.objects.get(pk=over.pk).status == "over", "it stays, and stays rated"
    assert set(RatedGame.objects.values_list("pk", flat=True)) == rated
    told = letters("contest_withdrawn")
    opponents = {name for m in Match.objects.filter(pk__in=what.open) for name in m.players}
    assert told == dict.fromkeys(opponents, 1)
    assert letters("voided") == {}
    with pytest.raises(Refused):
        withdraw(cup, dino, reason="again", now=MORNING)


def test_a_late_one_loses_what_is_open(cup: Tournament) -> None:
    begun(cup)
    dino = Player.objects.get(name="Dino")
    lost(cup, dino, 2)
    what = withdraw(cup, dino, reason="Moved house", now=MORNING)
    assert (what.erased, len(what.open)) == (False, 2)
    rows = {row.entrant.name: row for row in standings(cup)}
    assert (rows["Dino"].lost, sum(row.won for row in rows.values())) == (4, 4)
    assert "" not in set(RatedGame.objects.filter(match__in=what.open).values_list("uncounted", flat=True))
    assert letters("result") == letters("result") | {"Dino": 2}, "those that they resigned, and no more"


def test_who_has_left_is_not_paired_any_more(cup: Tournament) -> None:
    begun(cup, at_once=False)
    carla = Player.objects.get(name="Carla")
    withdraw(cup, carla, reason="Moved house", now=MORNING)
    for number in range(2, 6):
        matches = begin_round(cup, number=number, now=MORNING, rng=Random(1))
        assert all("Carla" not in match.players for match in matches)
    assert cup.matches.filter(status="playing").count() == 6, "everybody else meets everybody"


@pytest.mark.parametrize("at_once", [True, False])
def test_after_a_late_one_all_opponents_have_the_point(cup: Tournament, *, at_once: bool) -> None:
    """Those whom they would have met in later rounds too: the table is the one of all matches at once."""
    begun(cup, at_once=at_once)
    quits = cup.matches.order_by("pk")[0].seated[0].player
    while cup.begun < 3:
        begin_round(cup, number=cup.begun + 1, now=MORNING, rng=Random(1))
    lost(cup, quits, 2 if at_once else 3)
    before = {row.entrant: row.points for row in standings(cup)}
    withdraw(cup, quits, reason="", now=MORNING)
    while cup.begun < 5:
        begin_round(cup, number=cup.begun + 1, now=MORNING, rng=Random(1))
    rows = {row.entrant: row for row in standings(cup)}
    assert rows[quits].points == 0
    assert {name: rows[name].signs(quits) for name in rows if name != quits} == dict.fromkeys(
        set(rows) - {quits}, "1"
    )
    assert sum(row.points for row in rows.values()) == 4 >= sum(before.values())
    assert not cup.matches.filter(round__gt=3, seats__player=quits, status="playing").exists()


def test_after_an_early_one_nobody_has_a_point_for_it(cup: Tournament) -> None:
    begun(cup, at_once=False)
    quits = cup.matches.order_by("pk")[0].seated[0].player
    withdraw(cup, quits, reason="", now=MORNING)
    for number in (2, 3, 4, 5):
        begin_round(cup, number=number, now=MORNING, rng=Random(1))
    assert sum(row.points for row in standings(cup)) == 0
    assert quits not in {row.entrant for row in standings(cup)}


def test_before_it_begins_they_are_off_the_list(cup: Tournament) -> None:
    withdraw(cup, Player.objects.get(name="Bruno"), reason="Moved house", now=MORNING)
    assert "Bruno" not in {player.name for player in cup.players()}
    assert letters("contest_withdrawn") == {"Bruno": 1}
    cup.enter([Player.objects.get(name="Bruno")])
    assert len(begun(cup)) == 10
