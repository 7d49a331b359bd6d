from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0021_half_moves")]

    operations = [
        migrations.AddField(
            model_name="invitation",
            name="message",
            field=models.TextField(blank=True, verbose_name="message"),
        ),
    ]
