"""What the nightly sweep may empty is found by an index, also on the many nights on which that is little."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("inbox", "0014_near_misses")]

    operations = [
        migrations.AddIndex(
            "inboundmail",
            models.Index(
                fields=["received_at", "verdict"], name="inbound_kept", condition=~models.Q(raw=b"")
            ),
        ),
    ]
