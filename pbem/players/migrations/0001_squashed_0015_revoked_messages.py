import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import pbem.players.models.free_time
import pbem.players.models.player
import pbem.players.models.preferences


class Migration(migrations.Migration):
    replaces = [
        ("players", "0001_initial"),
        ("players", "0002_bounces_and_subscriptions"),
        ("players", "0003_shared_mailboxes"),
        ("players", "0004_unreachable_since"),
        ("players", "0005_messages"),
        ("players", "0006_preferences"),
        ("players", "0007_calendars"),
        ("players", "0008_refusing"),
        ("players", "0009_presence"),
        ("players", "0010_invitations"),
        ("players", "0011_desk_permissions"),
        ("players", "0012_holidays"),
        ("players", "0013_restores"),
        ("players", "0014_skeletons"),
        ("players", "0015_revoked_messages"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Holiday",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField(unique=True, verbose_name="day")),
            ],
            options={
                "verbose_name": "holiday",
                "verbose_name_plural": "holidays",
                "ordering": ["day"],
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "free_weekdays",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Their clocks stand still then: 0 is Monday, 6 Sunday; 56 is the weekend.",
                        max_length=2,
                        validators=[pbem.players.models.preferences.check_weekdays],
                        verbose_name="free weekdays",
                    ),
                ),
                ("night_begins", models.TimeField(blank=True, null=True, verbose_name="night begins")),
                (
                    "night_ends",
                    models.TimeField(
                        blank=True,
                        help_text="Their clocks stand still at night.",
                        null=True,
                        verbose_name="night ends",
                    ),
                ),
                (
                    "calendar_since",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="When they last began to change their time zone, weekend or night.",
                        null=True,
                        verbose_name="calendar since",
                    ),
                ),
                (
                    "calendar_files",
                    models.BooleanField(
                        default=False,
                        help_text="Deadlines as attachments that a calendar reads.",
                        verbose_name="calendar files",
                    ),
                ),
                (
                    "theme",
                    models.CharField(
                        choices=[("default", "light"), ("dark", "dark"), ("print", "for printing")],
                        default="default",
                        max_length=8,
                        verbose_name="colours",
                    ),
                ),
                (
                    "picture_size",
                    models.PositiveSmallIntegerField(
                        choices=[(400, "small"), (640, "normal"), (960, "large")],
                        default=640,
                        verbose_name="size of the picture",
                    ),
                ),
                (
                    "text_only",
                    models.BooleanField(
                        default=False,
                        help_text="Letters without HTML and pictures.",
                        verbose_name="text only",
                    ),
                ),
                (
                    "low_bandwidth",
                    models.BooleanField(
                        default=False,
                        help_text="For slow connections: short text-only emails.",
                        verbose_name="low bandwidth",
                    ),
                ),
                (
                    "move_links",
                    models.BooleanField(
                        default=True,
                        help_text="A link for each move where there are few.",
                        verbose_name="links for moves",
                    ),
                ),
                (
                    "cadence",
                    models.CharField(
                        choices=[
                            ("move", "a letter for each move"),
                            ("daily", "one letter a day"),
                            ("weekly", "one letter a week"),
                        ],
                        default="move",
                        max_length=8,
                        verbose_name="how often",
                    ),
                ),
                (
                    "digest_hour",
                    models.PositiveSmallIntegerField(
                        default=8,
                        help_text="In the player's time zone.",
                        validators=[django.core.validators.MaxValueValidator(23)],
                        verbose_name="hour of the digest",
                    ),
                ),
                (
                    "digest_day",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (0, "Monday"),
                            (1, "Tuesday"),
                            (2, "Wednesday"),
                            (3, "Thursday"),
                            (4, "Friday"),
                            (5, "Saturday"),
                            (6, "Sunday"),
                        ],
                        default=0,
                        verbose_name="day of the weekly digest",
                    ),
                ),
                (
                    "digests",
                    models.BooleanField(
                        default=True,
                        help_text="The daily or weekly letter, if they have asked for one.",
                        verbose_name="digests",
                    ),
                ),
                (
                    "reminders",
                    models.CharField(
                        choices=[
                            ("all", "half of the time, 80%, 24 hours, 3 hours"),
                            ("last", "24 hours and 3 hours before the deadline"),
                            ("none", "none"),
                        ],
                        default="all",
                        max_length=4,
                        verbose_name="reminders",
                    ),
                ),
                (
                    "automatic_absence",
                    models.BooleanField(
                        default=True,
                        help_text="A day of absence is taken when their time is nearly over.",
                        verbose_name="automatic absence",
                    ),
                ),
                (
                    "absence_from_mail",
                    models.BooleanField(
                        default=False,
                        help_text="The automatic answer of their mail program makes them absent here too.",
                        verbose_name="absence from automatic answers",
                    ),
                ),
                ("away", models.JSONField(default=list, editable=False)),
                ("name", models.CharField(max_length=40, verbose_name="name")),
                (
                    "folded",
                    pbem.players.models.player.FoldedName(editable=False, max_length=120, unique=True),
                ),
                (
                    "skeleton",
                    pbem.players.models.player.Skeleton(
                        editable=False, max_length=200, null=True, unique=True
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("it", "Italiano")],
                        default=pbem.players.models.player.default_language,
                        max_length=8,
                        verbose_name="language",
                    ),
                ),
                (
                    "zone",
                    models.CharField(
                        default=pbem.players.models.player.default_zone,
                        max_length=64,
                        validators=[pbem.players.models.player.check_zone],
                        verbose_name="time zone",
                    ),
                ),
                (
                    "coordinates",
                    models.CharField(
                        choices=[("seed", "oblique (PerGioco)"), ("gipf", "by column (gipf.com)")],
                        default="seed",
                        max_length=8,
                        verbose_name="hexagon coordinates",
                    ),
                ),
                (
                    "strict",
                    models.BooleanField(
                        default=False,
                        help_text="Asks for a YES to every email whose sender their provider does not confirm.",
                        verbose_name="strict",
                    ),
                ),
                (
                    "receipts",
                    models.BooleanField(
                        default=True,
                        help_text="A letter for each move of their own.",
                        verbose_name="receipts",
                    ),
                ),
                (
                    "turns",
                    models.BooleanField(
                        default=True,
                        help_text="The board whenever it is their turn, offers, results.",
                        verbose_name="turn letters",
                    ),
                ),
                (
                    "messages",
                    models.BooleanField(
                        default=True, help_text="What their opponents write to them.", verbose_name="messages"
                    ),
                ),
                (
                    "challenges",
                    models.BooleanField(
                        default=True,
                        help_text="Challenges, and what became of their own.",
                        verbose_name="challenges",
                    ),
                ),
                (
                    "news",
                    models.BooleanField(
                        default=True,
                        help_text="Whether an opponent can be reached, and other news.",
                        verbose_name="news",
                    ),
                ),
                (
                    "silent_since",
                    models.DateTimeField(
                        blank=True,
                        help_text="Unsubscribed: gets answers to their own emails only.",
                        null=True,
                        verbose_name="silent since",
                    ),
                ),
                (
                    "complained_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Reported one of our letters as spam.",
                        null=True,
                        verbose_name="complained",
                    ),
                ),
                ("complaint_mentioned", models.BooleanField(default=True, editable=False)),
                (
                    "unreachable_since",
                    models.DateTimeField(
                        blank=True,
                        help_text="The letters to all their addresses come back.",
                        null=True,
                        verbose_name="unreachable since",
                    ),
                ),
                ("suspended_at", models.DateTimeField(blank=True, null=True, verbose_name="suspended")),
                ("salt", models.BinaryField(default=pbem.players.models.player.new_salt, max_length=16)),
                (
                    "created_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False, verbose_name="since"
                    ),
                ),
            ],
            options={
                "verbose_name": "player",
                "verbose_name_plural": "players",
                "ordering": ["name"],
                "permissions": [("erase_player", "Can erase players")],
            },
        ),
        migrations.CreateModel(
            name="Restore",
            fields=[
                ("number", models.BigIntegerField(primary_key=True, serialize=False, verbose_name="epoch")),
                (
                    "since",
                    models.DateTimeField(blank=True, null=True, verbose_name="last sign of life before"),
                ),
                ("restored_at", models.DateTimeField(verbose_name="restored")),
            ],
            options={
                "verbose_name": "restore",
                "verbose_name_plural": "restores",
                "ordering": ["-number"],
            },
        ),
        migrations.CreateModel(
            name="Undisturbed",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(max_length=254, unique=True, verbose_name="email")),
                ("since", models.DateTimeField(verbose_name="since")),
            ],
            options={
                "verbose_name": "address left in peace",
                "verbose_name_plural": "addresses left in peace",
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(verbose_name="text")),
                ("salt", models.BinaryField(default=pbem.players.models.player.new_salt, max_length=16)),
                ("revoked_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("written_at", models.DateTimeField(verbose_name="written")),
                (
                    "reader",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                        verbose_name="to",
                    ),
                ),
                (
                    "sender",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                        verbose_name="from",
                    ),
                ),
            ],
            options={
                "verbose_name": "message",
                "verbose_name_plural": "messages",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Limit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game", models.CharField(blank=True, max_length=40, verbose_name="game")),
                ("most", models.PositiveSmallIntegerField(verbose_name="most")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="limits",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "limit",
                "verbose_name_plural": "limits",
                "constraints": [models.UniqueConstraint(fields=("player", "game"), name="limit_once")],
            },
        ),
        migrations.CreateModel(
            name="Address",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(max_length=254, verbose_name="email")),
                ("verified_at", models.DateTimeField(blank=True, null=True, verbose_name="verified")),
                ("put_first_at", models.DateTimeField(blank=True, null=True, verbose_name="put first")),
                ("bounce_score", models.PositiveSmallIntegerField(default=0, verbose_name="bounce score")),
                ("bounced_at", models.DateTimeField(blank=True, null=True, verbose_name="last bounce")),
                ("paused_at", models.DateTimeField(blank=True, null=True, verbose_name="paused")),
                (
                    "probes",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="Since it was paused.", verbose_name="probes"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="addresses",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "address",
                "verbose_name_plural": "addresses",
                "ordering": [
                    models.OrderBy(models.F("put_first_at"), descending=True, nulls_last=True),
                    "verified_at",
                    "pk",
                ],
                "indexes": [models.Index(fields=["email"], name="address_of_writer")],
                "constraints": [models.UniqueConstraint(fields=("player", "email"), name="address_once")],
            },
        ),
        migrations.CreateModel(
            name="Absence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField(verbose_name="from")),
                ("until", models.DateTimeField(verbose_name="until")),
                (
                    "kind",
                    models.CharField(
                        choices=pbem.players.models.free_time.kinds,
                        default="planned",
                        max_length=20,
                        verbose_name="kind",
                    ),
                ),
                ("message", models.TextField(blank=True, verbose_name="message to the opponents")),
                (
                    "created_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False, verbose_name="announced"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absences",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "absence",
                "verbose_name_plural": "absences",
                "ordering": ["since"],
                "indexes": [models.Index(fields=["player", "until"], name="absence_of_player")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("until__gte", models.F("since"))), name="absence_forwards"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Refusing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game", models.CharField(blank=True, max_length=40, verbose_name="game")),
                (
                    "blocked",
                    models.BooleanField(
                        default=False, help_text="No messages either.", verbose_name="blocked"
                    ),
                ),
                ("since", models.DateTimeField(verbose_name="since")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refusings",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "refused",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                        verbose_name="refused",
                    ),
                ),
            ],
            options={
                "verbose_name": "refused player",
                "verbose_name_plural": "refused players",
                "constraints": [
                    models.UniqueConstraint(fields=("player", "refused", "game"), name="refusing_once")
                ],
            },
        ),
    ]
