from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker


@pytest.fixture(scope="session")
def migrated(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """An SQLite file with the tables of the test database, to copy."""
    path = tmp_path_factory.mktemp("migrated") / "pbem.sqlite3"
    with django_db_blocker.unblock(), closing(sqlite3.connect(path)) as file:
        connection.ensure_connection()
        connection.connection.backup(file)
    return path
