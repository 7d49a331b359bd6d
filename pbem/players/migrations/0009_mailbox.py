from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

import pbem.players.models.address
from pbem.mail.mailbox import mailbox_of


def by_mailbox(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for row in apps.get_model("players", "Address").objects.iterator():
        row.save(update_fields=["mailbox"])
    peaceful = apps.get_model("players", "Undisturbed").objects
    for row in list(peaceful.order_by("pk")):
        mailbox = mailbox_of(row.email)
        if row.email != mailbox and peaceful.filter(email=mailbox).exists():
            row.delete()
        else:
            peaceful.filter(pk=row.pk).update(email=mailbox)


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0008_address_changes"),
    ]

    operations = [
        migrations.AddField(
            model_name="address",
            name="mailbox",
            field=pbem.players.models.address.Mailbox(
                db_default="", db_index=True, editable=False, max_length=254, of="email"
            ),
        ),
        migrations.RunPython(by_mailbox, migrations.RunPython.noop),
    ]
