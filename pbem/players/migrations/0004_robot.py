from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0003_listed")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="robot",
            field=models.PositiveSmallIntegerField(
                blank=True, editable=False, null=True, unique=True, verbose_name="robot of level"
            ),
        ),
    ]
