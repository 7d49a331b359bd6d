"""Changes verbose names only."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("robots", "0002_seconds")]
    operations = [
        migrations.AlterModelOptions(
            name="think",
            options={
                "ordering": ["-pk"],
                "verbose_name": "a robot's thinking",
                "verbose_name_plural": "robots' thinking",
            },
        )
    ]
