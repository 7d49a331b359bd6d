from collections import defaultdict
from typing import Any

from django.db import migrations

import pbem.players.models
from pbem.players.names import skeleton


def fill(apps: Any, schema_editor: Any) -> None:
    """Everybody keeps their name. Of several that look alike the oldest has the plain look, the others a number."""
    players = apps.get_model("players", "Player")
    seen: dict[str, int] = defaultdict(int)
    for pk, name in players.objects.order_by("pk").values_list("pk", "name").iterator():
        look = skeleton(name)
        players.objects.filter(pk=pk).update(skeleton=f"{look}#{pk}" if seen[look] else look)
        seen[look] += 1


class Migration(migrations.Migration):
    dependencies = [("players", "0013_restores")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="skeleton",
            field=pbem.players.models.Skeleton(editable=False, max_length=200, null=True, unique=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
