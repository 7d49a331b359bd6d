from datetime import timedelta
from typing import Any

from django.db import migrations, models
from django.db.models.functions import Coalesce


def fill(apps: Any, schema_editor: Any) -> None:
    """From the turns: of a match under way, whoever is to move has been so since the last of them."""
    matches, turns = apps.get_model("matches", "Match").objects, apps.get_model("matches", "Turn").objects
    last = turns.filter(match=models.OuterRef("pk"), undone_by=None).order_by("-ply")
    playing = matches.filter(status="playing", to_move__isnull=False)
    since = Coalesce(models.Subquery(last.values("played_at")[:1]), "started_at", "created_at")
    playing.update(to_move_since=since)
    week = models.ExpressionWrapper(
        models.F("to_move_since") + timedelta(days=7), output_field=models.DateTimeField()
    )
    timed = models.Q(terms__has_key="clock") | models.Q(terms__has_key="total")
    playing.exclude(timed).update(unclocked_remind_at=week)


class Migration(migrations.Migration):
    dependencies = [("matches", "0017_clock_ledger")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="to_move_since",
            field=models.DateTimeField(blank=True, null=True, verbose_name="to move since"),
        ),
        migrations.AddField(
            model_name="match",
            name="unclocked_remind_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "playing")),
                fields=["to_move_since", "id"],
                name="match_awaited",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("unclocked_remind_at__isnull", False)),
                fields=["unclocked_remind_at"],
                name="match_unclocked",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
