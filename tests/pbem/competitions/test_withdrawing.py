"""Withdrawals from a contest: before the half and after it, and what is rated."""

import pytest

from pbem.competitions.entries import leave, withdraw_entrant
from pbem.competitions.models import Edition, Entrant
from pbem.competitions.standings import lines
from pbem.matches.arbitration import replace
from pbem.matches.models import Match
from pbem.players.services import register
from pbem.ratings.models import RatedGame
from pbem.refusals import Refused
from tests.mail_fixtures import MORNING
from tests.pbem.competitions.played import end, opened, people, swept

pytestmark = pytest.mark.django_db
State = Entrant.State


def of_first() -> list[Match]:
    return list(Match.objects.filter(seats__player__name="Player01").order_by("pk"))


def test_before_the_half_all_results_leave_the_table() -> None:
    players = people(5)
    contest = opened("round_robin", players)
    swept()
    end(of_first()[0], None)
    entrant = Entrant.objects.get(player=players[0])
    withdraw_entrant(entrant, reason="No time", now=MORNING)
    entrant.refresh_from_db()
    assert (entrant.state, entrant.reason) == (State.ERASED, "No time")
    assert [match.status for match in of_first()] == ["over", "void", "void", "void"]
    table = lines(Edition.objects.get())
    assert len(table) == 4
    assert not any(line.points for line in table)
    with pytest.raises(Refused, match="not_entered"):
        withdraw_entrant(entrant, reason="", now=MORNING)
    assert contest.entrants.count() == 5


def test_after_it_what_is_open_is_lost_and_not_rated() -> None:
    players = people(5)
    contest = opened("round_robin", players)
    contest.terms = {"rated": True}
    contest.save()
    swept()
    for match in of_first()[:2]:
        end(match, int(match.seated[1].player == players[0]))
    leave(contest, players[0], now=MORNING)
    table = {line.player: line.points for line in lines(Edition.objects.get())}
    assert table[players[0].pk] == 2.0
    assert sum(table.values()) == 4.0
    lost = of_first()[2:]
    assert [match.reason for match in lost] == ["adjudicated"] * 2
    assert {row.uncounted for row in RatedGame.objects.filter(match__in=lost)} <= {"short", "decided"}
    assert "" not in {row.uncounted for row in RatedGame.objects.filter(match__in=lost)}


def test_of_a_swiss_the_results_stay() -> None:
    players = people(6)
    opened("swiss", players, length=3)
    swept()
    (match,) = of_first()
    withdraw_entrant(Entrant.objects.get(player=players[0]), reason="", now=MORNING)
    match.refresh_from_db()
    assert (match.status, match.reason) == ("over", "adjudicated")
    assert Entrant.objects.get(player=players[0]).state == State.WITHDRAWN
    for other in Match.objects.filter(status="playing"):
        end(other, 0)
    swept()
    assert not Match.objects.filter(round=2, seats__player=players[0]).exists()
    assert [len(entrant.byes) for entrant in Entrant.objects.all()].count(1) == 1


def test_a_substitute_plays_for_whoever_entered() -> None:
    players = people(3)
    opened("round_robin", players)
    swept()
    helper, another = (
        register(name=name, email=f"{name}@example.org", language="en", now=MORNING)
        for name in ("Helga", "Hugo")
    )
    (match, *_) = of_first()
    for gone, substitute in ((players[0], helper), (helper, another)):
        seat = next(seat for seat in match.seated if seat.player == gone)
        replace(seat, substitute, reason="", now=MORNING)
    end(match, next(seat.side for seat in match.seated if seat.player == another))
    table = {line.player: line.points for line in lines(Edition.objects.get())}
    assert table == {players[0].pk: 1.0, players[1].pk: 0.0, players[2].pk: 0.0}
