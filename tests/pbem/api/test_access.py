"""Tokens, scopes and limits, and that every error is a problem."""

from __future__ import annotations

import json
import logging

import pytest
from django.db import OperationalError
from django.utils import timezone

from pbem.admin.people.services import suspend
from pbem.api import resources
from pbem.inbox.rate_limits.table import CAPS
from pbem.players.models import ApiToken, Player
from tests.pbem.api.conftest import ROOT, Program, is_problem
from tests.pbem.site.conftest import LATER, match


def test_a_token_has_to_be_valid(alice: Player, visitor: Program) -> None:
    answer = visitor.get("/me/turns")
    is_problem(answer, 401)
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    program = Program(alice)
    for wrong in ("", "Basic abc", "Bearer", "Bearer pbem_x", program.headers["Authorization"] + "a"):
        is_problem(visitor.get("/me/turns", Authorization=wrong), 401)
    assert program.get("/me/turns").status_code == 200
    ApiToken.objects.update(expires_at=LATER)
    is_problem(program.get("/me/turns"), 401)


def test_a_suspension_ends_it(alice: Player) -> None:
    program = Program(alice)
    suspend(alice, now=timezone.now())
    is_problem(program.get("/me/turns"), 401)


def test_a_wrong_token_reads_as_a_visitor_does(alice: Player, bruno: Player, visitor: Program) -> None:
    played = match(alice, bruno)
    answer = visitor.get(f"/matches/{played.pk}", Authorization="Bearer pbem_nothing")
    assert answer.status_code == 200
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_visitors_have_a_limit_by_address(visitor: Program) -> None:
    for _ in range(CAPS["visitor"].most):
        assert visitor.get("/games/loa").status_code == 200
    answer = visitor.get("/games/loa")
    is_problem(answer, 429)
    assert 0 < int(answer.headers["Retry-After"]) <= 60
    assert visitor.client.get(f"{ROOT}/games/loa", REMOTE_ADDR="192.0.2.7").status_code == 200


def test_a_token_has_a_limit_but_may_always_ask_once_a_minute(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, other = Program(alice), Program(alice)
    now = [1_000_000_020.0]
    monkeypatch.setattr("pbem.api.access.time.time", lambda: now[0])
    for _ in range(CAPS["token"].most):
        assert program.get("/games/loa").status_code == 200
    is_problem(program.get("/games/loa"), 429)
    assert other.get("/games/loa").status_code == 200, "each token has its own"
    assert program.get("/me/turns").status_code == 200
    is_problem(program.get("/me/turns"), 429)
    now[0] += 60
    assert program.get("/me/turns").status_code == 200
    assert program.get("/games/loa").status_code == 200


def test_what_is_not_there(visitor: Program, alice: Player) -> None:
    for path in (
        "/",
        "/nothing",
        "/matches/0",
        "/matches/x",
        "/matches/" + "9" * 40,
        "/competitions/7",
        "/me",
    ):
        is_problem(visitor.get(path), 404)
    is_problem(visitor.get("/players/%00"), 404)
    is_problem(Program(alice).post("/matches/1/nothing"), 404)


def test_methods_that_are_not(visitor: Program, alice: Player) -> None:
    for path, allowed in (("/games", "GET"), ("/matches/1/draw", "POST"), ("/matches/1/moves/0", "PUT")):
        answer = visitor.client.delete(f"{ROOT}{path}")
        is_problem(answer, 405)
        assert answer.headers["Allow"] == allowed


def test_bodies_that_are_none(alice: Player) -> None:
    program = Program(alice)
    path = "/matches/1/moves/0"
    is_problem(program.put(path, "move=a1", content_type="application/x-www-form-urlencoded"), 415)
    is_problem(program.put(path, "{", content_type="application/json"), 400)
    told = is_problem(program.put(path, {"move": 7}), 422)
    assert told["errors"][0]["where"].endswith("move")
    for odd in (
        '{"move": "\\u0000"}',
        '{"move": "\\ud800"}',
        "[]",
        "7",
        "null",
        '{"move": "' + "a" * 500 + '"}',
    ):
        is_problem(program.put(path, odd), 422)


def test_bodies_that_are_too_much(alice: Player) -> None:
    program, path = Program(alice), "/matches/1/moves/0"
    is_problem(program.put(path, '{"move": "' + "a" * 70_000 + '"}'), 413)
    is_problem(program.put(path, "[" * 60_000), 400)


def test_a_lock_that_is_not_free_in_time_is_no_fault(
    visitor: Program, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def waits() -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(resources, "games", waits)
    answer = visitor.get("/games")
    is_problem(answer, 503)
    assert answer.headers["Retry-After"] == "1"


def test_our_own_failure_is_one_too(
    visitor: Program, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks() -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(resources, "games", breaks)
    with caplog.at_level(logging.ERROR):
        told = is_problem(visitor.get("/games"), 500)
    assert "secret" not in json.dumps(told)
    assert "secret" in caplog.text


def test_problems_speak_the_language_that_is_asked_for(visitor: Program) -> None:
    english, italian = (
        visitor.get("/me/turns", **{"Accept-Language": language}).json() for language in ("en", "it")
    )
    assert english["type"] == italian["type"]
    assert english["detail"] != italian["detail"]


def test_no_answer_sets_a_cookie_or_reads_one(visitor: Program, alice: Player) -> None:
    for answer in (visitor.get("/games"), Program(alice).get("/me/turns"), visitor.get("/nothing")):
        assert not answer.cookies
        assert answer.headers["Vary"] == "Authorization, Accept-Language"


def test_the_document_says_all(visitor: Program, db: None) -> None:
    answer = visitor.get("/openapi.json")
    told = answer.json()
    assert told["openapi"].startswith("3.1")
    assert len(told["paths"]) == 16
    assert told["components"]["securitySchemes"]
    for operations in told["paths"].values():
        for operation in operations.values():
            assert "application/problem+json" in operation["responses"]["default"]["content"]
    assert visitor.get("/openapi.json", **{"If-None-Match": answer.headers["ETag"]}).status_code == 304
