import django.core.serializers.json
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("desk", "0001_audit"), ("desk", "0002_sign_in_attempts")]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("happened_at", models.DateTimeField(verbose_name="when")),
                ("who", models.CharField(max_length=150, verbose_name="who")),
                ("verb", models.CharField(max_length=60, verbose_name="verb")),
                (
                    "said",
                    models.CharField(
                        help_text="As it stood on the button.", max_length=200, verbose_name="what"
                    ),
                ),
                ("kind", models.CharField(max_length=100, verbose_name="kind")),
                ("row", models.BigIntegerField(verbose_name="number")),
                ("named", models.CharField(max_length=200, verbose_name="to whom or what")),
                ("reason", models.TextField(blank=True, verbose_name="reason")),
                (
                    "before",
                    models.JSONField(
                        default=dict,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        verbose_name="before",
                    ),
                ),
                (
                    "after",
                    models.JSONField(
                        default=dict,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        verbose_name="after",
                    ),
                ),
            ],
            options={
                "verbose_name": "audit entry",
                "verbose_name_plural": "audit",
                "ordering": ["-pk"],
                "default_permissions": ("view",),
                "indexes": [models.Index(fields=["kind", "row", "-id"], name="audit_of_row")],
            },
        ),
        migrations.CreateModel(
            name="SignInAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("account", models.CharField(max_length=150)),
                ("address", models.CharField(max_length=45)),
                ("at", models.DateTimeField()),
            ],
            options={
                "default_permissions": (),
                "indexes": [
                    models.Index(fields=["account", "at"], name="sign_in_account"),
                    models.Index(fields=["address", "at"], name="sign_in_address"),
                    models.Index(fields=["at"], name="sign_in_at"),
                ],
            },
        ),
    ]
