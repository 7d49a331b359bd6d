"""A small chaos; and the service broken on purpose, which the same eyes must see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.refusals import Code
from tests.chaos.controls import CONTROLS, SHUNTING
from tests.chaos.evidence import key_of
from tests.chaos.faults import FAULTS, chosen
from tests.chaos.rows import Tables
from tests.chaos.run import chaos, prepared, run
from tests.chaos.speed import AT, HURRIED, SLEEPY
from tests.servers import Postgres, postgres

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with postgres() as server:
        yield server


@pytest.fixture(scope="module")
def tables(server: Postgres) -> str:
    """A database with the tables of the service, to copy."""
    return prepared(server)


def test_nothing_is_lost_and_nothing_is_done_twice(server: Postgres, tables: str, tmp_path: Path) -> None:
    report = run(chaos(letters=200, kills=8, seed=1), server, server.database(tables), tmp_path)
    assert report.broken == {}, report
    assert report.deaths.total() >= 6, "a moment may come too late to die at"
    assert {"redis", "postmaster", "sender"} <= set(report.deaths)
    assert len(report.evidence.submissions) == 200
    assert len(report.evidence.rows.moved) > 40
    wished = Counter((wish.kind, wish.status) for wish in report.evidence.rows.wishes)
    assert any(status == "done" for _, status in wished), (
        f"robots look into what they are asked: {wished}, {report}"
    )


@pytest.mark.parametrize("name", CONTROLS)
def test_what_is_broken_on_purpose_is_found(server: Postgres, tables: str, tmp_path: Path, name: str) -> None:
    plan, statement, invariant = CONTROLS[name]
    database = server.database(tables)
    if statement:
        Tables(database).change(statement)
    report = run(plan, server, database, tmp_path)
    assert invariant in report.broken, report


def test_what_was_set_aside_across_a_deadline_is_opened_again_and_played(
    server: Postgres, tables: str, tmp_path: Path
) -> None:
    """The same story as that of the last control, and nothing is broken."""
    report = run(SHUNTING, server, server.database(tables), tmp_path)
    assert report.broken == {}, report
    evidence = report.evidence
    ends = {evidence.match_of[number]: number for number in (HURRIED, SLEEPY)}
    assert {ends[match.id]: match.reason for match in evidence.rows.matches} == {
        HURRIED: "resigned",
        SLEEPY: "time",
    }
    stumbled = {
        row.id
        for row in evidence.rows.inbox
        if (HURRIED, AT) in evidence.meant.get(key_of(row.recipient, row.raw), ())
    }
    assert len(stumbled) == 1
    assert [event.ply for event in evidence.rows.moved if event.letter in stumbled] == [AT + 1]
    told = [section.get("code") for row in evidence.rows.outbox for section in row.sections]
    assert told.count(Code.POISON) == 1, "whoever wrote it heard that the fault is ours"


def test_faults_are_chosen_by_name() -> None:
    assert chosen("all") == list(FAULTS)
    assert chosen("relay, stop") == ["relay", "stop"]
    assert chosen("") == []
    with pytest.raises(ValueError, match="flood"):
        chosen("stop,flood")
