from django.db import migrations, models
from django.db.models import deletion


class Migration(migrations.Migration):
    dependencies = [("contests", "0001_models")]

    operations = [
        migrations.RenameModel(old_name="Contest", new_name="Competition"),
        migrations.AlterModelOptions(
            name="competition",
            options={
                "ordering": ["-pk"],
                "verbose_name": "competition",
                "verbose_name_plural": "competitions",
            },
        ),
        migrations.AlterField(
            model_name="competition",
            name="name",
            field=models.CharField(max_length=80, unique=True, verbose_name="name"),
        ),
        migrations.AlterField(
            model_name="competition",
            name="system",
            field=models.CharField(
                choices=[
                    ("pairings", "list of pairings"),
                    ("single", "round robin by hand"),
                    ("double", "double round robin by hand"),
                    ("round_robin", "round robin"),
                    ("groups", "groups and final"),
                    ("league", "league"),
                    ("self_starting", "self-starting series"),
                    ("swiss", "Swiss system"),
                    ("knockout", "knockout"),
                    ("ladder", "ladder"),
                    ("hill", "king of the hill"),
                ],
                max_length=15,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="edition",
            name="contest",
            field=models.ForeignKey(
                on_delete=deletion.PROTECT,
                related_name="editions",
                to="contests.competition",
                verbose_name="competition",
            ),
        ),
        migrations.AlterField(
            model_name="entrant",
            name="contest",
            field=models.ForeignKey(
                on_delete=deletion.CASCADE,
                related_name="entrants",
                to="contests.competition",
                verbose_name="competition",
            ),
        ),
    ]
