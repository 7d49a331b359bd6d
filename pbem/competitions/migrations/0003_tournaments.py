"""Tournaments of organisers become competitions; those of contests get their edition and the label of their group.

No number of a contest or a tournament changes: players write the first, letters that wait hold the second.
"""

from itertools import chain, count

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def gather(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    using = schema_editor.connection.alias
    tables = apps.get_model("contests", "Table").objects.using(using)
    for table in tables.select_related("edition", "tournament"):
        tournament = table.tournament
        tournament.competition_id, tournament.edition = table.edition.contest_id, table.edition
        tournament.label = table.label
        tournament.save(using=using, update_fields=["competition", "edition", "label"])
    competitions = apps.get_model("contests", "Competition").objects.using(using)
    tournaments = apps.get_model("matches", "Tournament").objects.using(using)
    taken = set(competitions.values_list("name", flat=True))
    for tournament in tournaments.filter(competition=None).order_by("pk"):
        numbered = (f"{tournament.name[:74]} ({number})" for number in count(2))
        name = next(each for each in chain([tournament.name], numbered) if each not in taken)
        taken.add(name)
        tournament.competition = competitions.create(
            name=name,
            system=tournament.system,
            game_name=tournament.game_name,
            terms=tournament.terms,
            settings={"at_once": True} if tournament.begins_at_once else {},
            begins_at=tournament.begins_at,
            created_at=tournament.created_at,
        )
        tournament.save(using=using, update_fields=["competition"])


def rename(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Renames the table in the audit, and in permissions that accounts may have."""
    using = schema_editor.connection.alias
    entries = apps.get_model("desk", "AuditEntry").objects.using(using)
    entries.filter(kind="contests.contest").update(kind="contests.competition")
    permissions = apps.get_model("auth", "Permission").objects.using(using)
    for permission in permissions.filter(content_type__app_label="contests", codename__endswith="_contest"):
        permission.codename = permission.codename.removesuffix("contest") + "competition"
        permission.save(using=using, update_fields=["codename"])


class Migration(migrations.Migration):
    dependencies = [
        ("contests", "0002_competitions"),
        ("matches", "0002_tournaments_of_competitions"),
        ("desk", "0001_models"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.RunPython(gather, migrations.RunPython.noop),
        migrations.RunPython(rename, migrations.RunPython.noop),
    ]
