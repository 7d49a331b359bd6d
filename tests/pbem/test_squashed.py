"""A database from before the migrations were squashed is taken as it is, or told which version to go by."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from pbem.squashed import check_databases, missing, replaced_by


def as_before(*, without: frozenset[tuple[str, str]] = frozenset()) -> None:
    """What a database knows of itself that was migrated one by one; where some are missing, so are all later ones."""
    rows = MigrationRecorder.Migration.objects.filter(app__in={app for app, _ in replaced_by()})
    (rows if without else rows.filter(name__in={name for _, name in replaced_by()})).delete()
    recorder = MigrationRecorder(connection)
    for replaced in replaced_by().values():
        for app, name in replaced:
            if (app, name) not in without:
                recorder.record_applied(app, name)


def test_nothing_is_missing_where_all_or_none_were_applied() -> None:
    one_by_one = [name for replaced in replaced_by().values() for name in replaced]
    assert list(missing(one_by_one)) == []
    assert list(missing([])) == []
    assert list(missing(list(replaced_by()))) == []


@pytest.mark.django_db
def test_what_was_migrated_one_by_one_is_up_to_date() -> None:
    as_before()
    said = StringIO()
    assert check_databases(["default"]) == []
    call_command("migrate", skip_checks=False, no_color=True, stdout=said)
    assert "No migrations to apply." in said.getvalue()


@pytest.mark.django_db
def test_what_is_older_is_told_by_which_version_to_go() -> None:
    as_before(without=frozenset({("matches", "0018_to_move_since"), ("matches", "0019_recounted_to")}))
    with pytest.raises(CommandError, match=r"the last version that has matches\.0019_recounted_to"):
        call_command("migrate", skip_checks=False, stdout=StringIO(), stderr=StringIO())


@pytest.mark.django_db
def test_nothing_is_asked_of_a_database_that_is_not_named() -> None:
    as_before(without=frozenset({("matches", "0019_recounted_to")}))
    assert check_databases(None) == []
