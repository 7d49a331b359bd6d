"""A database in which contests and tournaments were two lists becomes one of competitions, and loses no row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django.plugin import DjangoDbBlocker

from pbem.competitions.cross_table import standings
from pbem.competitions.models import Competition, Entrant
from pbem.matches.models import Match, Tournament
from tests.journeys.conftest import models_of
from tests.mail_fixtures import MORNING

BEFORE = [
    ("contests", "0001_models"),
    ("matches", "0001_models"),
    ("players", "0003_receipts_of_newcomers"),
    ("bulletin", "0001_models"),
    ("desk", "0001_models"),
    ("auth", "0012_alter_user_first_name_max_length"),
]
ROWS = ("Entry", "TournamentInvitation", "Announcement", "Match", "Seat")
Columns = dict[str, dict[int, dict[str, Any]]]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.prove)])
def old(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker, request: pytest.FixtureRequest
) -> Iterator[MigrationExecutor]:
    """The schema of before, in a database of its own."""
    with ExitStack() as servers:
        url = f"sqlite:///{tmp_path / 'old.sqlite3'}"
        if request.param == "postgresql":
            from tests.servers import postgres  # noqa: PLC0415 - its wheel is not there for every platform

            url = servers.enter_context(postgres()).database()
        servers.enter_context(models_of(url, django_db_blocker))
        executor = MigrationExecutor(connection)
        executor.migrate(BEFORE)
        yield executor


def filled(apps: Any) -> None:
    """Three tournaments of an organiser, one of them named as a contest is; a contest in groups; all with matches."""

    def create(app: str, table: str, /, **columns: Any) -> Any:
        return apps.get_model(app, table).objects.create(**columns)

    names = ("Ada", "Bice", "Ciro", "Dario")
    players = [
        create("players", "Player", name=n, folded=n.lower(), skeleton=n.lower(), created_at=MORNING)
        for n in names
    ]

    def tournament(name: str, **columns: Any) -> Any:
        made = create(
            "matches", "Tournament", name=name, game_name="loa", terms={"clock": "3d/move"}, **columns
        )
        for number, player in enumerate(players, start=1):
            create("matches", "Entry", tournament=made, player=player, number=number)
        return made

    def played(made: Any, first: int, second: int, winner: int | None, number: int = 1) -> None:
        match = create(
            "matches",
            "Match",
            tournament=made,
            round=number,
            game_name="loa",
            status="over",
            winner=winner,
            position="",
            rules_version=1,
            created_at=MORNING,
        )
        for side, player in enumerate((first, second)):
            create(
                "matches",
                "Seat",
                match=match,
                side=side,
                player=players[player],
                salt=f"{match.pk}{side}".encode(),
            )

    cup = tournament("Coppa", system="single", begun=1)
    played(cup, 0, 1, 0)
    played(cup, 2, 3, None)
    contest = create(
        "contests", "Contest", name="Coppa", system="groups", game_name="loa", settings={"size": 4}
    )
    edition = create("contests", "Edition", contest=contest, number=1, begun=1, began_at=MORNING)
    for label in "AB":
        table = tournament(f"Coppa {label}", begun=1)
        create("contests", "Table", edition=edition, label=label, tournament=table)
        played(table, 0, 1, 1)
    for player in players:
        create("contests", "Entrant", contest=contest, edition=edition, player=player, entered_at=MORNING)
    tournament("Lista", begun=2)
    later = tournament("Doppio", system="double", begins_at=MORNING + timedelta(days=9), begins_at_once=True)
    create("matches", "TournamentInvitation", tournament=later, address="elio@example.it", asked_at=MORNING)
    create("matches", "Announcement", tournament=cup, words={"it": "Ciao"}, written_at=MORNING)
    create("bulletin", "Bulletin", tournament=cup, number=1, until=MORNING)
    for kind, row in (("contests.contest", contest), ("matches.tournament", cup)):
        create(
            "desk",
            "AuditEntry",
            happened_at=MORNING,
            who="lea",
            verb="add",
            kind=kind,
            row=row.pk,
            said="",
            named="",
        )
    kind = create("contenttypes", "ContentType", app_label="contests", model="contest")
    create("auth", "Permission", codename="view_contest", name="", content_type=kind)


def columns(apps: Any) -> Columns:
    rows = [("matches", name) for name in ROWS] + [("contests", "Entrant"), ("contests", "Edition")]
    return {
        name: {row["id"]: row for row in apps.get_model(app, name).objects.order_by("pk").values()}
        for app, name in (*rows, ("bulletin", "Bulletin"))
    }


def test_no_row_is_lost_and_no_number_changes(old: MigrationExecutor) -> None:
    apps = old.loader.project_state(BEFORE).apps
    filled(apps)
    before = columns(apps)
    tournaments = dict(apps.get_model("matches", "Tournament").objects.values_list("pk", "name"))
    contest = apps.get_model("contests", "Contest").objects.get()
    again = MigrationExecutor(connection)
    again.migrate(again.loader.graph.leaf_nodes())
    after = again.loader.project_state(again.loader.graph.leaf_nodes()).apps
    assert columns(after) == before
    assert dict(Tournament.objects.values_list("pk", "name")) == tournaments
    made = {row.pk: (row.name, row.system, row.begins_at, row.settings) for row in Competition.objects.all()}
    first = contest.pk
    assert made == {
        first: ("Coppa", "groups", None, {"size": 4}),
        first + 1: ("Coppa (2)", "single", None, {}),
        first + 2: ("Lista", "pairings", None, {}),
        first + 3: ("Doppio", "double", MORNING + timedelta(days=9), {"at_once": True}),
    }
    of = {row.name: (row.competition_id, row.edition_id, row.label) for row in Tournament.objects.all()}
    edition = next(iter(before["Edition"]))
    assert of == {
        "Coppa": (first + 1, None, ""),
        "Coppa A": (first, edition, "A"),
        "Coppa B": (first, edition, "B"),
        "Lista": (first + 2, None, ""),
        "Doppio": (first + 3, None, ""),
    }
    audited = after.get_model("desk", "AuditEntry").objects.order_by("pk").values_list("kind", "row")
    cup = Tournament.objects.get(name="Coppa")
    assert list(audited) == [("contests.competition", first), ("matches.tournament", cup.pk)]
    assert list(after.get_model("auth", "Permission").objects.values_list("codename")) == [
        ("view_competition",)
    ]
    tables = {
        each.name: [(row.entrant.name, row.points, row.place) for row in standings(each)]
        for each in Tournament.objects.filter(begun=1)
    }
    assert tables["Coppa"] == [("Ada", 1.0, 1), ("Ciro", 0.5, 2), ("Dario", 0.5, 2), ("Bice", 0.0, 4)]
    assert tables["Coppa A"] == [("Bice", 1.0, 1), ("Ada", 0.0, 2), ("Ciro", 0.0, 2), ("Dario", 0.0, 2)]
    assert {row.contest_id for row in Entrant.objects.all()} == {first}
    assert Match.objects.filter(tournament__edition=edition).count() == 2
