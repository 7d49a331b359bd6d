from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def forget_the_default(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    # True was the default, and cannot be told from a choice.
    apps.get_model("players", "Player").objects.filter(receipts=True).update(receipts=None)


def set_the_default(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("players", "Player").objects.filter(receipts=None).update(receipts=True)


class Migration(migrations.Migration):
    dependencies = [("players", "0002_state_in_the_subject")]

    operations = [
        migrations.AlterField(
            model_name="player",
            name="receipts",
            field=models.BooleanField(
                blank=True,
                help_text="A letter after each of their own moves; unknown: after a newcomer's first three.",
                null=True,
                verbose_name="receipts",
            ),
        ),
        migrations.RunPython(forget_the_default, set_the_default),
    ]
