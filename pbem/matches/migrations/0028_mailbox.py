from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

import pbem.players.models.address


def by_mailbox(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for row in apps.get_model("matches", "Invitation").objects.iterator():
        row.save(update_fields=["mailbox"])


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0027_sweep"),
        ("players", "0009_mailbox"),
    ]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="mailbox",
            field=pbem.players.models.address.Mailbox(
                db_default="", db_index=True, editable=False, max_length=254, of="address"
            ),
        ),
        migrations.RunPython(by_mailbox, migrations.RunPython.noop),
    ]
