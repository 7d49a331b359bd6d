from django.db import migrations, models
from django.db.models import deletion


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_models"), ("contests", "0002_competitions")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="competition",
            field=models.ForeignKey(
                null=True,
                on_delete=deletion.PROTECT,
                related_name="tournaments",
                to="contests.competition",
                verbose_name="competition",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="edition",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=deletion.PROTECT,
                related_name="+",  # `tables` until now are the rows that the next migration reads
                to="contests.edition",
                verbose_name="edition",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="label",
            field=models.CharField(blank=True, default="", max_length=10, verbose_name="label"),
            preserve_default=False,
        ),
    ]
