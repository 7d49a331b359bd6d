"""Schemathesis calls the API with what its document allows, and with what it does not: each error is a problem."""

from __future__ import annotations

import os
from random import Random

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from pbem.api.access import COUNTS
from pbem.api.app import api
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.players.models import Player
from tests.pbem.api.conftest import Program
from tests.pbem.site.conftest import NOON, match

QUICK, ALL = 4, int(os.environ.get("CALLS", "100"))  # pairs of calls of each of sixteen operations
PARTS = 2  # of all calls, for as many processes


def called(times: int, program: Program, part: slice = slice(None)) -> int:
    """Calls each operation of the part twice so many times; returns how many calls there were."""
    document = api.get_openapi_schema(path_prefix="/api/v1/")
    schema = schemathesis.openapi.from_dict(document)
    schema.app = get_wsgi_application()
    counted = 0
    for found in [*schema.get_all_operations()][part]:
        operation = found.ok()
        cases = st.one_of(
            operation.as_strategy(generation_mode=GenerationMode.POSITIVE),
            operation.as_strategy(generation_mode=GenerationMode.NEGATIVE),
        )

        @settings(
            max_examples=times,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=cases)
        def one(case: schemathesis.Case) -> None:
            """Twice: as drawn, and of what there is; without a token where nothing is named."""
            nonlocal counted
            for known in (False, True):
                counted += 1
                COUNTS.clear()
                there = {"number": 1 + counted % 3, "name": ("loa", "Alice")[counted % 4 // 2], "pool": "loa"}
                named = case.path_parameters or {}
                named |= {key: there[key] for key in named if known and key in there}
                answer = case.call(headers={} if known and not named else program.headers)
                assert answer.status_code < 500, (case, answer.content)
                if answer.status_code >= 400:
                    assert answer.headers["content-type"] == ["application/problem+json"], case
                    assert answer.json()["status"] == answer.status_code

        one()
    return counted


@pytest.fixture
def program(alice: Player, bruno: Player) -> Program:
    """A program of a player with matches 1 to 3; two go on."""
    match(alice, bruno)
    match(alice, bruno, over=False)
    start(first=alice, second=bruno, game="zertz", terms=Terms(), now=NOON, rng=Random(1))
    assert Match.objects.count() == 3
    return Program(alice)


def test_whatever_is_sent_the_answer_is_one_that_the_document_has(program: Program) -> None:
    assert called(QUICK, program) >= 100


@pytest.mark.prove
@pytest.mark.parametrize("part", range(PARTS))
def test_many_calls(program: Program, part: int) -> None:
    assert called(ALL, program, slice(part, None, PARTS)) >= ALL * 26 / PARTS
