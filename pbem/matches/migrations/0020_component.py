"""What has to live for a message to be taken is a component in the tables as well."""

from django.db import migrations, models

CHOICES = [("worker", "worker"), ("door", "mail door"), ("mailbox", "mailbox")]


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_squashed_0019_recounted_to")]

    operations = [
        migrations.RemoveConstraint("heartbeat", "heartbeat_once"),
        migrations.RemoveConstraint("stoppage", "stoppage_outage_once"),
        migrations.RenameField("heartbeat", "part", "component"),
        migrations.RenameField("stoppage", "part", "component"),
        migrations.AlterField(
            "heartbeat",
            "component",
            models.CharField(choices=CHOICES, max_length=10, verbose_name="component"),
        ),
        migrations.AlterField(
            "stoppage",
            "component",
            models.CharField(blank=True, choices=CHOICES, max_length=10, verbose_name="component"),
        ),
        migrations.AddConstraint(
            "heartbeat", models.UniqueConstraint(fields=["component", "minute"], name="heartbeat_once")
        ),
        migrations.AddConstraint(
            "stoppage",
            models.UniqueConstraint(
                fields=["component", "since"],
                condition=models.Q(match__isnull=True, why="outage"),
                name="stoppage_outage_once",
            ),
        ),
    ]
