"""The column that says after which others a message is opened takes the name that mail systems have for it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inbox", "0001_squashed_0012_seen_messages")]

    operations = [
        migrations.RemoveIndex("inboundmail", "inbound_lane"),
        migrations.RenameField("inboundmail", "lane", "queue_key"),
        migrations.AlterField(
            "inboundmail", "queue_key", models.CharField(max_length=340, verbose_name="queue")
        ),
        migrations.AddIndex(
            "inboundmail",
            models.Index(fields=["queue_key", "id"], name="inbound_queue", condition=models.Q(verdict="")),
        ),
    ]
