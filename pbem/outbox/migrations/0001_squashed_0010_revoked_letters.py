import django.db.models.deletion
from django.db import migrations, models

import pbem.outbox.models
import pbem.players.models.player
import pbem.queue.timer


class Migration(migrations.Migration):
    replaces = [
        ("outbox", "0001_initial"),
        ("outbox", "0002_letter_of_reader"),
        ("outbox", "0003_bounces"),
        ("outbox", "0004_sending"),
        ("outbox", "0005_desk_lists"),
        ("outbox", "0006_desk_permissions"),
        ("outbox", "0007_digest_items"),
        ("outbox", "0008_delivered"),
        ("outbox", "0009_holds_and_faults"),
        ("outbox", "0010_revoked_letters"),
    ]

    initial = True

    dependencies = [
        ("matches", "0001_squashed_0019_recounted_to"),
        ("players", "0001_squashed_0015_revoked_messages"),
    ]

    operations = [
        migrations.CreateModel(
            name="SlowDomain",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("domain", models.CharField(max_length=254, unique=True, verbose_name="domain")),
                ("since", models.DateTimeField(verbose_name="since")),
                ("until", models.DateTimeField(verbose_name="until")),
                ("times", models.PositiveSmallIntegerField(default=1, verbose_name="times")),
                ("answer", models.TextField(blank=True, verbose_name="what the relay said")),
                (
                    "silent_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="When there was no reply about a letter to it.",
                        null=True,
                        verbose_name="silent",
                    ),
                ),
            ],
            options={
                "verbose_name": "slow domain",
                "verbose_name_plural": "slow domains",
                "ordering": ["domain"],
            },
        ),
        migrations.CreateModel(
            name="DigestItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("section", models.JSONField(verbose_name="section")),
                ("kept_at", models.DateTimeField(verbose_name="since")),
                ("due_at", models.DateTimeField(db_index=True, verbose_name="due")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="digest_items",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "what waits for a digest",
                "verbose_name_plural": "what waits for digests",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="OutboundMail",
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
                ("cause", models.CharField(max_length=120, verbose_name="cause")),
                ("kind", models.CharField(max_length=20, verbose_name="kind")),
                ("address", models.EmailField(max_length=254, verbose_name="to")),
                ("domain", pbem.outbox.models.DomainOfAddress(default="", editable=False, max_length=254)),
                ("language", models.CharField(max_length=8, verbose_name="language")),
                ("ply", models.PositiveIntegerField(blank=True, null=True, verbose_name="ply")),
                ("sections", models.JSONField(default=list, verbose_name="sections")),
                ("salt", models.BinaryField(default=pbem.players.models.player.new_salt, max_length=16)),
                ("revoked_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("created_at", models.DateTimeField(verbose_name="written")),
                ("arrived_at", models.DateTimeField(default=pbem.queue.timer.arrival_or_now, editable=False)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sent", "sent"),
                            ("failed", "failed"),
                            ("suppressed", "suppressed"),
                            ("held", "held"),
                        ],
                        default="waiting",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("verdict", models.CharField(blank=True, max_length=4, verbose_name="verdict")),
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                (
                    "failures",
                    models.PositiveSmallIntegerField(default=0, verbose_name="failures of our own program"),
                ),
                ("replies_lost", models.PositiveSmallIntegerField(default=0, verbose_name="replies lost")),
                ("leased_until", models.DateTimeField(blank=True, editable=False, null=True)),
                ("next_try_at", models.DateTimeField(verbose_name="next attempt")),
                ("sent_at", models.DateTimeField(blank=True, null=True, verbose_name="sent")),
                (
                    "delivered_at",
                    models.DateTimeField(
                        blank=True, help_text="Only some providers tell.", null=True, verbose_name="delivered"
                    ),
                ),
                ("answer", models.TextField(blank=True, verbose_name="what the relay said")),
                ("message_id", models.CharField(max_length=120, verbose_name="Message-ID")),
                ("text", models.TextField(blank=True, verbose_name="text as sent")),
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
                        related_name="letters",
                        to="matches.match",
                    ),
                ),
                (
                    "overtaken_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="outbox.outboundmail",
                        verbose_name="replaced by",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="letters",
                        to="players.player",
                    ),
                ),
            ],
            options={
                "verbose_name": "outgoing letter",
                "verbose_name_plural": "outgoing letters",
                "ordering": ["-pk"],
                "permissions": [("read_outboundmail", "Can read the reply addresses in letters")],
                "indexes": [
                    models.Index(fields=["cause"], name="letter_cause"),
                    models.Index(
                        condition=models.Q(("status", "waiting")),
                        fields=["next_try_at"],
                        name="letter_waiting",
                    ),
                    models.Index(
                        condition=models.Q(("status__in", ("held", "failed"))),
                        fields=["status", "-id"],
                        name="letter_stuck",
                    ),
                    models.Index(
                        condition=models.Q(("leased_until__isnull", False)),
                        fields=["domain"],
                        name="letter_on_its_way",
                    ),
                    models.Index(
                        condition=models.Q(("verdict__in", ("S02", "S03", "O09"))),
                        fields=["verdict"],
                        name="letter_shunted",
                    ),
                    models.Index(
                        condition=models.Q(("status", "waiting")), fields=["arrived_at"], name="letter_newest"
                    ),
                    models.Index(
                        condition=models.Q(("holds__isnull", False)), fields=["holds"], name="letter_holds"
                    ),
                    models.Index(
                        condition=models.Q(("status", "waiting")),
                        fields=["match", "address"],
                        name="letter_order",
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("message_id",), name="letter_once")],
            },
        ),
        migrations.CreateModel(
            name="BouncedMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(db_index=True, max_length=254, verbose_name="address")),
                ("fate", models.CharField(max_length=4, verbose_name="verdict")),
                ("reply", models.TextField(blank=True, verbose_name="what was said")),
                ("points", models.PositiveSmallIntegerField(default=0, verbose_name="points")),
                (
                    "report",
                    models.BigIntegerField(
                        blank=True,
                        help_text="Empty: our relay refused it at once.",
                        null=True,
                        verbose_name="incoming email",
                    ),
                ),
                ("happened_at", models.DateTimeField(verbose_name="when")),
                (
                    "letter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bounces",
                        to="outbox.outboundmail",
                        verbose_name="outgoing letter",
                    ),
                ),
            ],
            options={
                "verbose_name": "bounce",
                "verbose_name_plural": "bounces",
                "ordering": ["-pk"],
            },
        ),
    ]
