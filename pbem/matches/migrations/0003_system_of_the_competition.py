from django.db import migrations, models
from django.db.models import deletion


class Migration(migrations.Migration):
    dependencies = [("matches", "0002_tournaments_of_competitions"), ("contests", "0004_no_tables")]

    operations = [
        migrations.AlterField(
            model_name="tournament",
            name="competition",
            field=models.ForeignKey(
                on_delete=deletion.PROTECT,
                related_name="tournaments",
                to="contests.competition",
                verbose_name="competition",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="edition",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=deletion.PROTECT,
                related_name="tables",
                to="contests.edition",
                verbose_name="edition",
            ),
        ),
        migrations.RemoveField(model_name="tournament", name="system"),
        migrations.RemoveField(model_name="tournament", name="begins_at"),
        migrations.RemoveField(model_name="tournament", name="begins_at_once"),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.UniqueConstraint(
                fields=("edition", "label"), name="tournament_of_edition_once"
            ),
        ),
    ]
