"""A right set-up on PostgreSQL and Redis is clean; each of the two is named when it is away."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.journeys.conftest import migrate, models_of
from tests.nameserver import served
from tests.pbem.operator.installation import Installation, settings_of, zone
from tests.relay import Relay
from tests.servers import Redis, postgres

pytestmark = pytest.mark.prove


def test_postgres_and_redis(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> None:
    var = tmp_path / "var"
    var.mkdir()
    redis = Redis(tmp_path)
    try:
        with (
            postgres() as server,
            served(zone()) as names,
            Relay().open() as relay,
            django_db_blocker.unblock(),
        ):
            url = server.database()
            env = settings_of(var, relay, names) | {"DATABASE_URL": url, "CELERY_BROKER_URL": redis.url}
            well = Installation(tmp_path, env, names)
            [empty] = well.problems()
            assert "the database is empty" in empty.problem
            migrate(url, django_db_blocker)
            with models_of(url, django_db_blocker):  # as in a process of its own, whose one database it is
                assert list(map(str, well.problems())) == []
            redis.kill()
            server.kill()
            assert [problem.setting for problem in well.problems()] == ["DATABASE_URL", "CELERY_BROKER_URL"]
            server.start()
    finally:
        redis.kill()
