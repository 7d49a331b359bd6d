"""Tournaments: begun from a list or as a round robin, all or nothing, and how everybody stands."""

from random import Random

import pytest
from django.utils.translation import override

from games.protocol import Outcome, Side
from pbem.competitions.cross_table import standings
from pbem.competitions.models import Competition
from pbem.competitions.tournaments import (
    begin_list,
    begin_round,
    begin_round_robin,
    by_lot,
    open_tournament,
    rounds_of,
)
from pbem.matches.lifecycle import finish
from pbem.matches.models import Event, Match, Tournament
from pbem.matches.offers import Mistaken
from pbem.matches.services import play, resign, start
from pbem.matches.terms import Terms
from pbem.outbox.models import DigestItem, OutboundMail
from pbem.outbox.rendering.spreadsheets import as_csv, match_lines, table_lines
from pbem.players.models import Player
from pbem.refusals import Refused
from tests.mail_fixtures import MORNING

System = Competition.System
LIST = "Alice,Bruno\nDora,Emil,insert\nBruno,Dora"


def opened(system: System = System.PAIRINGS, name: str = "Autumn cup") -> Tournament:
    return open_tournament(name, game="loa", system=system, terms=Terms(forced=True), now=MORNING)


def begun(system: System, players: list[Player], *, at_once: bool = False) -> Tournament:
    tournament = opened(system)
    begin_round_robin(tournament, players, at_once=at_once, now=MORNING, rng=Random(1))
    return tournament


def test_a_list_begins_a_match_for_each_line(players: list[Player]) -> None:
    tournament = opened()
    matches = begin_list(tournament, LIST, number=1, now=MORNING, rng=Random(1))
    assert [str(match) for match in Match.objects.order_by("pk")] == [str(match) for match in matches]
    assert [(m.players, m.game_name, m.round, m.agreed.forced, m.status, m.to_move) for m in matches] == [
        (("Alice", "Bruno"), "loa", 1, True, "playing", 0),
        (("Dora", "Emil"), "insert", 1, True, "playing", 0),
        (("Bruno", "Dora"), "loa", 1, True, "playing", 0),
    ]
    assert matches[1].setup
    assert [entry.player.name for entry in tournament.entries.all()] == ["Alice", "Bruno", "Dora", "Emil"]


def test_each_player_gets_the_letter_of_each_of_his_matches(players: list[Player]) -> None:
    (match,) = begin_list(opened(), "Alice,Bruno", number=1, now=MORNING, rng=Random(1))
    one_by_one = Event.objects.get()
    assert (one_by_one.match, one_by_one.kind, one_by_one.side, one_by_one.ply) == (match, "started", None, 0)
    letters = OutboundMail.objects.order_by("pk")
    assert [(row.player, row.language, row.address, row.match, row.ply, row.kind) for row in letters] == [
        (players[0], "en", "alice@example.org", match, 0, "turn"),
        (players[1], "it", "bruno@example.org", match, 0, "turn"),
    ]
    assert {row.sections[0]["event"] for row in letters} == {one_by_one.pk}
    assert all(row.domain == "example.org" and row.message_id and row.status == "waiting" for row in letters)


def test_whoever_wants_no_turn_letters_gets_none(players: list[Player]) -> None:
    Player.objects.filter(name="Bruno").update(turns=False)
    begin_list(opened(), LIST, number=1, now=MORNING, rng=Random(1))
    assert not OutboundMail.objects.filter(player__name="Bruno").exists()
    assert OutboundMail.objects.filter(player__name="Dora").count() == 2


def test_whoever_gets_a_letter_a_day_hears_of_his_matches_in_it(players: list[Player]) -> None:
    Player.objects.filter(name="Bruno").update(cadence=Player.Cadence.DAILY)
    begin_list(opened(), LIST, number=1, now=MORNING, rng=Random(1))
    assert not OutboundMail.objects.filter(player__name="Bruno").exists()
    assert DigestItem.objects.filter(player__name="Bruno").count() == 2


def test_a_match_of_a_list_is_played_as_any_other(players: list[Player]) -> None:
    match = begin_list(opened(), LIST, number=1, now=MORNING, rng=Random(1))[0]
    play(match.seated[0], "b1-b3", now=MORNING)
    assert Match.objects.get(pk=match.pk).record().moves == ("b1-b3",)


def test_the_clocks_of_a_list_begin_as_any_other(players: list[Player]) -> None:
    terms = Terms(clock="10d+36h<=10d")
    Player.objects.filter(name="Alice").update(free_weekdays="56")
    players[0].refresh_from_db()
    alone = start(first=players[0], second=players[1], game="loa", terms=terms, now=MORNING, rng=Random(1))
    tournament = open_tournament("Timed cup", game="loa", terms=terms, now=MORNING)
    listed = begin_list(tournament, "Alice,Bruno\nAlice,Dora", number=1, now=MORNING, rng=Random(1))
    assert alone.deadline is not None
    for match in Match.objects.filter(pk__in=[match.pk for match in listed]):
        assert match.deadline == alone.deadline
        assert [seat.bank for seat in match.seated] == [seat.bank for seat in alone.seated]


def test_one_bad_line_and_nothing_begins(players: list[Player]) -> None:
    tournament = opened()
    with pytest.raises(Mistaken):
        begin_list(tournament, f"{LIST}\nAlice,Nobody", number=1, now=MORNING, rng=Random(1))
    assert not Match.objects.exists()
    assert not tournament.entries.exists()
    tournament.refresh_from_db()
    assert tournament.begun == 0


def test_a_list_may_be_followed_by_the_list_of_the_next_round(players: list[Player]) -> None:
    tournament = opened()
    begin_list(tournament, "Alice,Bruno\nDora,Emil", number=1, now=MORNING, rng=Random(1))
    begin_list(tournament, "Bruno,Dora", number=2, now=MORNING, rng=Random(1))
    assert [match.round for match in tournament.matches.order_by("pk")] == [1, 1, 2]
    assert tournament.entries.count() == 4
    assert rounds_of(tournament) == ()


@pytest.mark.parametrize(("system", "matches", "rounds"), [(System.SINGLE, 6, 3), (System.DOUBLE, 12, 6)])
def test_a_round_robin_begins_round_by_round(
    players: list[Player], system: System, matches: int, rounds: int
) -> None:
    tournament = begun(system, players)
    assert tournament.matches.count() == 2
    assert len(rounds_of(tournament)) - tournament.begun == rounds - 1
    for number in range(2, rounds + 1):
        begin_round(tournament, number=number, now=MORNING, rng=Random(1))
    assert tournament.matches.count() == matches
    assert len(rounds_of(tournament)) - tournament.begun == 0
    pairs = {match.players for match in tournament.matches.all()}
    assert len(pairs) == matches


def test_a_round_robin_may_begin_at_once(players: list[Player]) -> None:
    tournament = begun(System.SINGLE, players, at_once=True)
    assert sorted(tournament.matches.values_list("round", flat=True)) == [1, 1, 2, 2, 3, 3]
    assert len(rounds_of(tournament)) - tournament.begun == 0


def test_the_numbers_are_drawn_by_lot(players: list[Player]) -> None:
    names = [f"Cup {number}" for number in range(8)]
    orders = {name: tuple(by_lot(players, name)) for name in names}
    assert len(set(orders.values())) > 2
    for name in names:
        assert tuple(by_lot(reversed(players), name)) == orders[name]
    tournament = opened(System.SINGLE)
    begin_round_robin(tournament, orders["Cup 3"], at_once=False, now=MORNING, rng=Random(1))
    assert tuple(tournament.players()) == orders["Cup 3"]


def test_of_two_who_begin_the_same_round_one_is_told(players: list[Player]) -> None:
    tournament = begun(System.SINGLE, players)
    begin_round(tournament, number=2, now=MORNING, rng=Random(1))
    for number in (0, 1, 2, 4):
        with pytest.raises(Refused, match="not_next_round"):
            begin_round(tournament, number=number, now=MORNING, rng=Random(1))
    assert tournament.matches.count() == 4


def test_what_cannot_be_opened_is_refused(players: list[Player]) -> None:
    opened()
    with pytest.raises(Refused, match="tournament_exists"):
        opened()
    with pytest.raises(Refused, match="no_such_game"):
        open_tournament("Spring cup", game="ludo", now=MORNING)
    with pytest.raises(Refused, match="too_few_players"):
        begin_round_robin(Tournament.objects.get(), players[:1], at_once=False, now=MORNING, rng=Random(1))


def test_hundreds_of_matches_begin_in_a_few_statements(
    players: list[Player], django_assert_max_num_queries: object
) -> None:
    tournament = opened()
    text = "\n".join(
        f"{first},{second},{game}"
        for game in ("loa", "loa:6x6", "zertz", "emergo", "gemma", "trapdoor")
        for first in ("Alice", "Bruno", "Dora", "Emil")
        for second in ("Alice", "Bruno", "Dora", "Emil")
        if first != second
    )
    with django_assert_max_num_queries(24):  # type: ignore[operator]
        assert len(begin_list(tournament, text, number=1, now=MORNING, rng=Random(1))) == 72
    assert OutboundMail.objects.count() == 144


@pytest.fixture
def cup(players: list[Player]) -> Tournament:
    """Alice beat Bruno, drew with Dora; Dora plays Emil still."""
    tournament = opened()
    games = begin_list(tournament, "Alice,Bruno\nDora,Alice\nDora,Emil", number=1, now=MORNING, rng=Random(1))
    resign(games[0].seated[1], now=MORNING)
    finish(games[1], Outcome(None, "agreed"), now=MORNING, side=None)
    return tournament


def test_the_table_is_that_of_the_moment(cup: Tournament, django_assert_num_queries: object) -> None:
    with django_assert_num_queries(2):  # type: ignore[operator]
        rows = standings(cup)
    assert [(row.place, row.entrant.name, row.points) for row in rows] == [
        (1, "Alice", 1.5),
        (2, "Dora", 0.5),
        (3, "Bruno", 0),
        (3, "Emil", 0),
    ]
    goes_on = cup.matches.get(status="playing")
    finish(goes_on, Outcome(Side.SECOND, "time"), now=MORNING, side=None)
    assert [row.entrant.name for row in standings(cup)] == ["Alice", "Emil", "Dora", "Bruno"]


def test_whoever_sits_at_a_board_stands_in_the_table(cup: Tournament) -> None:
    cup.entries.filter(player__name="Emil").delete()
    assert [row.entrant.name for row in standings(cup)] == ["Alice", "Dora", "Bruno", "Emil"]


def test_spreadsheets_get_the_table_and_the_matches(cup: Tournament) -> None:
    assert as_csv(table_lines(standings(cup))).splitlines() == [
        "\ufeffNumber;Place;Name;1;2;3;4;Points;Sonneborn-Berger;Won;Drawn;Lost",
        "1;1;Alice;x;½;1;;1.5;0.25;1;1;0",
        "2;2;Dora;½;x;;·;0.5;0.75;0;1;0",
        "3;3;Bruno;0;;x;;0;0;0;0;1",
        "4;3;Emil;;·;;x;0;0;0;0;0",
    ]
    with override("it"):
        head, alice = as_csv(table_lines(standings(cup))).splitlines()[:2]
        assert head.startswith("\ufeffNumero;Posto;Nome;1;2;3;4;Punti;")
        assert alice == "1;1;Alice;x;½;1;;1,5;0,25;1;1;0"
        assert "1-0;Bruno abbandona: vince Alice.;0;" in as_csv(match_lines(cup))
    first, second, third = cup.matches.order_by("pk")
    assert as_csv(match_lines(cup)).splitlines() == [
        "\ufeffFirst;Second;Game;Round;Match;Result;Reason;Moves;Started;Ended",
        f"Alice;Bruno;loa;1;{first.pk};1-0;Bruno resigns, and Alice wins.;0;2026-05-04;2026-05-04",
        f"Dora;Alice;loa;1;{second.pk};1/2;A draw by agreement.;0;2026-05-04;2026-05-04",
        f"Dora;Emil;loa;1;{third.pk};*;;0;2026-05-04;",
    ]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@A1"])
def test_no_field_is_a_formula(cup: Tournament, name: str) -> None:
    Player.objects.filter(name="Dora").update(name=name)
    for sheet in (as_csv(table_lines(standings(cup))), as_csv(match_lines(cup))):
        assert f"'{name};" in sheet
        assert f";{name};" not in sheet
