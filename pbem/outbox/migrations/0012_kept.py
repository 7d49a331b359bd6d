"""What the nightly sweep may empty is found by an index, also on the many nights on which that is little.

What was emptied before, or by the program before, is emptied once more: nothing has to be written here.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("outbox", "0011_half_moves")]

    operations = [
        migrations.AddField(
            "outboundmail", "emptied_at", models.DateTimeField(blank=True, editable=False, null=True)
        ),
        migrations.AddIndex(
            "outboundmail",
            models.Index(
                fields=["created_at"], name="letter_kept", condition=models.Q(emptied_at__isnull=True)
            ),
        ),
    ]
