"""What everybody may read: the record of a match, its legal moves, players, ratings, competitions, page after page."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.utils import timezone

from games.export import from_json
from pbem.api import resources
from pbem.competitions.models import Competition
from pbem.matches.models import Match
from pbem.matches.plies import asked
from pbem.matches.services import propose
from pbem.players.models import Player
from pbem.ratings.models import Rating
from tests.pbem.api.conftest import Program, is_problem
from tests.pbem.competitions.played import opened, swept
from tests.pbem.site.conftest import LATER, MOVES, match


def test_a_match_is_its_record_and_more(visitor: Program, alice: Player, bruno: Player) -> None:
    played = match(alice, bruno)
    told = visitor.get(f"/matches/{played.pk}").json()
    record = from_json(
        json.dumps({key: told[key] for key in ("layout", "game", "rules", "result", "moves", "first")})
    )
    assert record.moves == MOVES
    assert (told["first"], told["second"], told["ended"], told["started"]) == (
        "Alice",
        "Bruno",
        "2026-03-03",
        "2026-03-02",
    )
    assert (told["result"], told["reason"], told["ply"]) == ("0-1", "resigned", 6)
    assert told["position"] == played.position
    assert "legal" not in told
    assert "to_move" not in told
    assert "SECRET" not in json.dumps(told)


def test_legal_moves_are_those_of_the_position_that_is_shown(
    visitor: Program, alice: Player, bruno: Player
) -> None:
    going = match(alice, bruno, over=False)
    told = visitor.get(f"/matches/{going.pk}?legal=1").json()
    assert (told["ply"], told["result"], told["moves"]) == (3, "*", list(MOVES[:3]))
    shown = going.at(going.live_turns().get(ply=2).position)
    assert told["position"] == str(shown)
    assert told["legal"] == [str(move) for move in shown.moves()]
    assert told["to_move"] == going.game.sides[1]


def test_what_a_reader_has_is_not_sent_again(
    visitor: Program, alice: Player, bruno: Player, django_assert_max_num_queries
) -> None:
    path = f"/matches/{match(alice, bruno).pk}"
    first = visitor.get(path)
    assert first.headers["Access-Control-Allow-Origin"] == "*"
    assert "max-age" in first.headers["Cache-Control"]
    with django_assert_max_num_queries(2):
        again = visitor.get(path, **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    games = visitor.get("/games")
    assert visitor.get("/games", **{"If-None-Match": games.headers["ETag"]}).status_code == 304
    head = visitor.client.head(f"/api/v1{path}")
    assert (head.status_code, head.content, head.headers["ETag"]) == (200, b"", first.headers["ETag"])


def test_pages_follow_each_other(
    visitor: Program, alice: Player, bruno: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "MOST", 2)
    numbers = [match(alice, bruno).pk for _ in range(5)]
    path, seen = "/matches?game=loa&player=Alice", []
    while path:
        answer = visitor.get(path)
        seen += [row["match"] for row in answer.json()["items"]]
        url = answer.json().get("next", "")
        assert answer.headers.get("Link", "") == (f'<{url}>; rel="next"' if url else "")
        path = url.partition("/api/v1")[2]
    assert seen == numbers[::-1]
    assert visitor.get("/matches?game=zertz").json()["items"] == []
    for wrong in ("game=nothing", "player=Nobody"):
        is_problem(visitor.get(f"/matches?{wrong}"), 404)


def test_games(visitor: Program) -> None:
    told = visitor.get("/games", **{"Accept-Language": "it"}).json()["items"]
    one = next(game for game in told if game["game"] == "loa")
    assert one == visitor.get("/games/loa", **{"Accept-Language": "it"}).json()
    assert "loa:scrambled" in one["variants"]
    assert one["page"].endswith("/it/games/loa/")
    is_problem(visitor.get("/games/chess"), 404)


def test_players_and_ratings(
    visitor: Program, alice: Player, bruno: Player, carla: Player, dora: Player
) -> None:
    for player in (alice, bruno, carla, dora):
        Rating.objects.create(
            player=player, pool="loa", rating=1600, deviation=50, volatility=0.06, matches=9, at=LATER
        )
    told = visitor.get("/players/alice").json()
    assert (told["player"], told["program"], told["ratings"][0]["rating"]) == ("Alice", False, 1600)
    assert "example.org" not in json.dumps(told)
    listed = visitor.get("/ratings/loa").json()
    assert {row["player"] for row in listed["items"]} == {"Alice", "Bruno"}
    for hidden in ("Carla", "Dora", "Nobody"):
        is_problem(visitor.get(f"/players/{hidden}"), 404)
    is_problem(visitor.get("/ratings/chess"), 404)


def test_competitions(visitor: Program, alice: Player, bruno: Player, carla: Player) -> None:
    opened("round_robin", [alice, bruno, carla])
    swept()
    number = Competition.objects.get().pk
    is_problem(visitor.get(f"/competitions/{number}"), 404)
    Competition.objects.update(public=True)
    told = visitor.get(f"/competitions/{number}").json()
    assert {"Alice", "Bruno"} < set(told["players"])
    assert "Carla" not in json.dumps(told)
    [table] = visitor.get(f"/competitions/{number}/table").json()["items"]
    assert len(table["rows"]) == 3
    assert "Carla" not in json.dumps(table)


def test_my_turns_are_the_state(alice: Player, bruno: Player, django_assert_max_num_queries) -> None:
    going = match(alice, bruno, over=False, private=True)
    match(alice, bruno)
    program, other = Program(alice), Program(bruno)
    answer = program.get("/me/turns")
    [turn] = answer.json()["items"]
    assert (turn["match"], turn["ply"], turn["opponent"], turn["your_turn"]) == (going.pk, 6, "Bruno", True)
    assert turn["question"] == asked(going)
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert other.get("/me/turns").json() == {"items": []}
    with django_assert_max_num_queries(2):
        again = program.get("/me/turns", **{"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert program.put(f"/matches/{going.pk}/moves/6", {"move": turn_of(going)}).status_code == 201
    assert program.get("/me/turns", **{"If-None-Match": answer.headers["ETag"]}).json() == {"items": []}
    [turn] = other.get("/me/turns").json()["items"]
    assert turn["ply"] == 7
    assert Program(alice).post(f"/matches/{going.pk}/draw").status_code == 200
    [turn] = other.get("/me/turns").json()["items"]
    assert turn["offer"] == "draw"


def turn_of(going: Match) -> str:
    return str(next(iter(Match.objects.get(pk=going.pk).current().moves())))


def test_my_matches_challenges_and_settings(
    alice: Player, bruno: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "MOST", 2)
    numbers = [match(alice, bruno, over=over).pk for over in (True, False, True)]
    made = propose(
        challenger=bruno, opponent=alice, game="loa", options=["3d/move"], now=timezone.now(), rng=Random(1)
    )
    program = Program(alice)
    first = program.get("/me/matches").json()
    second = program.get(first["next"].partition("/api/v1")[2]).json()
    told = [*first["items"], *second["items"]]
    assert [each["match"] for each in told] == [made.pk, *numbers[::-1]]
    assert [each["status"] for each in told] == ["proposed", "over", "playing", "over"]
    assert "next" not in second
    [challenge] = program.get("/me/challenges").json()["items"]
    assert (challenge["match"], challenge["offer"]) == (made.pk, "challenge")
    [own] = Program(bruno).get("/me/challenges").json()["items"]
    assert (own["status"], own["opponent"], "offer" in own) == ("proposed", "Alice", False)
    assert program.get("/me/settings").json()["site"] == "yes"


def test_deadlines_are_moments(alice: Player, bruno: Player) -> None:
    made = propose(
        challenger=bruno, opponent=alice, game="loa", options=["3d/move"], now=timezone.now(), rng=Random(1)
    )
    Program(alice).post(f"/matches/{made.pk}/accept", {"offer": "challenge"})
    turns = [each for player in (alice, bruno) for each in Program(player).get("/me/turns").json()["items"]]
    assert datetime.fromisoformat(turns[0]["deadline"]) == LATER.astimezone(UTC) + timedelta(days=3)
