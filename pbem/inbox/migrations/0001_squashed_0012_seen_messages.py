import django.db.models.deletion
from django.db import migrations, models

import pbem.players.models.player


class Migration(migrations.Migration):
    replaces = [
        ("inbox", "0001_initial"),
        ("inbox", "0002_peer_and_helo"),
        ("inbox", "0003_deadlines"),
        ("inbox", "0004_doubted"),
        ("inbox", "0005_shunted"),
        ("inbox", "0006_caps"),
        ("inbox", "0007_addresses"),
        ("inbox", "0008_desk_permissions"),
        ("inbox", "0009_holds_and_faults"),
        ("inbox", "0010_message_key"),
        ("inbox", "0011_personal_messages"),
        ("inbox", "0012_seen_messages"),
    ]

    initial = True

    dependencies = [
        ("matches", "0001_squashed_0019_recounted_to"),
        ("players", "0001_squashed_0015_revoked_messages"),
    ]

    operations = [
        migrations.CreateModel(
            name="SeenMessage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("letter", models.BigIntegerField()),
                ("seen_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Answered",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("cap", models.CharField(max_length=20)),
                ("whom", models.CharField(max_length=340)),
                ("day", models.DateField()),
                ("number", models.PositiveSmallIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("cap", "whom", "day", "number"), name="answered_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="InboundMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("faulty_since", models.DateTimeField(blank=True, editable=False, null=True)),
                ("trouble", models.TextField(blank=True, verbose_name="what went wrong")),
                ("dropped_at", models.DateTimeField(blank=True, null=True, verbose_name="dropped")),
                ("dropped_why", models.TextField(blank=True, verbose_name="dropped, why and by whom")),
                ("raw", models.BinaryField(verbose_name="raw email")),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("sender", models.CharField(blank=True, max_length=320, verbose_name="envelope sender")),
                ("recipient", models.CharField(max_length=320, verbose_name="recipient")),
                ("peer", models.GenericIPAddressField(blank=True, null=True, verbose_name="handed over by")),
                ("helo", models.CharField(blank=True, max_length=255, verbose_name="HELO")),
                ("lane", models.CharField(max_length=340, verbose_name="lane")),
                ("account", models.CharField(blank=True, editable=False, max_length=340)),
                ("server", models.CharField(blank=True, editable=False, max_length=50)),
                ("message_key", models.CharField(blank=True, db_index=True, editable=False, max_length=64)),
                ("received_at", models.DateTimeField(verbose_name="received")),
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                ("leased_until", models.DateTimeField(blank=True, editable=False, null=True)),
                ("opened_at", models.DateTimeField(blank=True, null=True, verbose_name="opened")),
                ("verdict", models.CharField(blank=True, max_length=4, verbose_name="verdict")),
                ("reading", models.JSONField(blank=True, default=dict, verbose_name="what was read")),
                (
                    "holds",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="held_by_%(class)s",
                        to="matches.match",
                        verbose_name="stops the clock of",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="inbound",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "incoming email",
                "verbose_name_plural": "incoming emails",
                "ordering": ["-pk"],
                "permissions": [("read_inboundmail", "Can read emails as they came")],
                "indexes": [
                    models.Index(
                        condition=models.Q(("verdict", "")), fields=["lane", "id"], name="inbound_lane"
                    ),
                    models.Index(
                        condition=models.Q(("verdict", "")), fields=["received_at"], name="inbound_unopened"
                    ),
                    models.Index(
                        condition=models.Q(("verdict__in", ("S02", "S03", "O09"))),
                        fields=["verdict"],
                        name="inbound_shunted",
                    ),
                    models.Index(
                        condition=models.Q(("holds__isnull", False)), fields=["holds"], name="inbound_holds"
                    ),
                    models.Index(
                        condition=models.Q(("leased_until__isnull", False)),
                        fields=["leased_until"],
                        name="inbound_leased",
                    ),
                    models.Index(fields=["account", "received_at"], name="inbound_account"),
                    models.Index(fields=["server", "received_at"], name="inbound_server"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Confirmation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(max_length=254, verbose_name="asked of")),
                ("ply", models.PositiveIntegerField(blank=True, null=True)),
                ("lines", models.JSONField(verbose_name="commands")),
                ("has_move", models.BooleanField(default=False, verbose_name="with a move")),
                ("message", models.TextField(blank=True, verbose_name="message to the opponent")),
                ("language", models.CharField(max_length=8)),
                ("salt", models.BinaryField(default=pbem.players.models.player.new_salt, max_length=16)),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                ("used_at", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
                ("agreed", models.BooleanField(default=False, verbose_name="answered YES")),
                (
                    "doubted",
                    models.BooleanField(
                        default=False,
                        help_text="The email was held: somebody else may have written it.",
                        verbose_name="doubted",
                    ),
                ),
                (
                    "adds_address",
                    models.BooleanField(
                        default=False,
                        help_text="Asked of the new address itself.",
                        verbose_name="adds an address",
                    ),
                ),
                ("puts_first", models.BooleanField(default=False, editable=False)),
                (
                    "match",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="matches.match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                    ),
                ),
                (
                    "letter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="confirmations",
                        to="inbox.inboundmail",
                    ),
                ),
            ],
            options={
                "verbose_name": "confirmation",
                "verbose_name_plural": "confirmations",
            },
        ),
        migrations.CreateModel(
            name="PersonalMessage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=200, verbose_name="subject")),
                ("text", models.TextField(verbose_name="message")),
                ("doubted", models.BooleanField(default=False, verbose_name="doubted")),
                ("received_at", models.DateTimeField(verbose_name="received")),
                ("done_at", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
                (
                    "letter",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="personal",
                        to="inbox.inboundmail",
                        verbose_name="letter",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "message from a person",
                "verbose_name_plural": "messages from people",
                "ordering": ["-pk"],
                "default_permissions": ("view", "change"),
                "indexes": [
                    models.Index(
                        condition=models.Q(("done_at__isnull", True)),
                        fields=["received_at"],
                        name="personal_waiting",
                    )
                ],
            },
        ),
    ]
