"""Names that differ in accents alone look alike; of those who have such names already, all keep theirs."""

from itertools import count

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from pbem.players.names import accented_skeleton, skeleton


def leave_accents_out(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    players = apps.get_model("players", "Player").objects
    for pk, name in players.order_by("pk").values_list("pk", "name").iterator():
        look = skeleton(name)
        if look == accented_skeleton(name):
            continue
        numbered = (look if number == 1 else f"{look}#{number}" for number in count(1))
        free = next(each for each in numbered if not players.filter(skeleton=each).exists())
        players.filter(pk=pk).update(skeleton=free)


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0009_mailbox"),
    ]

    operations = [
        migrations.RunPython(leave_accents_out, migrations.RunPython.noop),
    ]
