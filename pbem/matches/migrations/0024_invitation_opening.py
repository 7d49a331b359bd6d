from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0023_seek_band")]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="opening",
            field=models.JSONField(blank=True, default=dict, verbose_name="first move asked about"),
        ),
    ]
