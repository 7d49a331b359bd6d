"""A database of release 0.1 is refused in one sentence that says what to do."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from pbem.old_databases import FIRST, OLD, check_databases, is_old


def test_only_what_lacks_our_first_migration_is_old() -> None:
    assert not is_old([])
    assert not is_old([("auth", "0001_initial")])
    assert not is_old([FIRST, ("matches", "0002_later")])
    assert is_old([("matches", "0001_initial"), ("matches", "0001_squashed_0019_recounted_to")])


@pytest.mark.django_db
def test_migrate_refuses_a_database_of_an_earlier_release() -> None:
    assert check_databases(["default"]) == []
    MigrationRecorder.Migration.objects.filter(app="matches").delete()
    MigrationRecorder(connection).record_applied("matches", "0001_squashed_0019_recounted_to")
    assert check_databases(None) == []
    with pytest.raises(CommandError, match=OLD):
        call_command("migrate", skip_checks=False, stdout=StringIO(), stderr=StringIO())
