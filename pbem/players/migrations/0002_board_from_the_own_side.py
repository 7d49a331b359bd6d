"""The board from a player's own side; the sizes of pictures since the board is as wide as they are."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

NOW = ((640, 520), (960, 640))  # normal, large


def smaller(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    resize(apps, NOW)


def larger(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    resize(apps, [(new, old) for old, new in reversed(NOW)])


def resize(apps: StateApps, pairs: Sequence[tuple[int, int]]) -> None:
    players = apps.get_model("players", "Player").objects
    for before, after in pairs:
        players.filter(picture_size=before).update(picture_size=after)


class Migration(migrations.Migration):
    dependencies = [("players", "0001_squashed_0015_revoked_messages")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="own_side",
            field=models.BooleanField(
                default=True,
                help_text="Where the sides sit opposite each other, the second player sees the board turned.",
                verbose_name="board from the own side",
            ),
        ),
        migrations.AlterField(
            model_name="player",
            name="picture_size",
            field=models.PositiveSmallIntegerField(
                choices=[(400, "small"), (520, "normal"), (640, "large")],
                default=520,
                verbose_name="size of the picture",
            ),
        ),
        migrations.RunPython(smaller, larger),
    ]
