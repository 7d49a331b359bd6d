import datetime

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import pbem.matches.models.event
import pbem.players.models.player


class Migration(migrations.Migration):
    replaces = [
        ("matches", "0001_initial"),
        ("matches", "0002_heartbeats"),
        ("matches", "0003_mailbox_beats"),
        ("matches", "0004_terms"),
        ("matches", "0005_notes_and_watchers"),
        ("matches", "0006_clocks"),
        ("matches", "0007_offers"),
        ("matches", "0008_tournaments"),
        ("matches", "0009_reminded"),
        ("matches", "0010_seeks"),
        ("matches", "0011_desk_lists"),
        ("matches", "0012_conditional_lines"),
        ("matches", "0013_invitations"),
        ("matches", "0014_running_seats"),
        ("matches", "0015_pairs"),
        ("matches", "0016_guests"),
        ("matches", "0017_clock_ledger"),
        ("matches", "0018_to_move_since"),
        ("matches", "0019_recounted_to"),
    ]

    initial = True

    dependencies = [
        ("players", "0001_squashed_0015_revoked_messages"),
    ]

    operations = [
        migrations.CreateModel(
            name="Tournament",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80, unique=True, verbose_name="name")),
                (
                    "system",
                    models.CharField(
                        choices=[
                            ("pairings", "list of pairings"),
                            ("single", "round robin"),
                            ("double", "double round robin"),
                        ],
                        default="pairings",
                        max_length=10,
                        verbose_name="system",
                    ),
                ),
                (
                    "game_name",
                    models.CharField(
                        help_text="Of matches for which none is named.", max_length=80, verbose_name="game"
                    ),
                ),
                ("terms", models.JSONField(blank=True, default=dict, verbose_name="terms")),
                ("begun", models.PositiveSmallIntegerField(default=0, verbose_name="rounds begun")),
                (
                    "created_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False, verbose_name="created"
                    ),
                ),
            ],
            options={
                "verbose_name": "tournament",
                "verbose_name_plural": "tournaments",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "part",
                    models.CharField(
                        choices=[("worker", "worker"), ("door", "mail door"), ("mailbox", "mailbox")],
                        max_length=10,
                        verbose_name="part of the service",
                    ),
                ),
                ("minute", models.DateTimeField(editable=False)),
                ("beat_at", models.DateTimeField(verbose_name="last sign of life")),
                ("starts", models.BooleanField(default=False, editable=False)),
            ],
            options={
                "verbose_name": "heartbeat",
                "verbose_name_plural": "heartbeats",
                "constraints": [models.UniqueConstraint(fields=("part", "minute"), name="heartbeat_once")],
            },
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game_name", models.CharField(max_length=80, verbose_name="game")),
                ("rules_version", models.PositiveSmallIntegerField(verbose_name="version of the rules")),
                ("setup", models.TextField(blank=True, verbose_name="set-up")),
                ("round", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="round")),
                ("terms", models.JSONField(blank=True, default=dict, verbose_name="terms")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("proposed", "proposed"),
                            ("playing", "playing"),
                            ("over", "over"),
                            ("declined", "declined"),
                            ("void", "void"),
                        ],
                        default="proposed",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                (
                    "ply",
                    models.PositiveIntegerField(
                        default=0, help_text="How many plies were played.", verbose_name="ply"
                    ),
                ),
                ("position", models.TextField(verbose_name="position")),
                ("to_move", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="to move")),
                ("to_move_since", models.DateTimeField(blank=True, null=True, verbose_name="to move since")),
                ("unclocked_remind_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "draw_offered_by",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="draw offered by"),
                ),
                ("winner", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="winner")),
                ("reason", models.CharField(blank=True, max_length=40, verbose_name="reason")),
                ("deadline", models.DateTimeField(blank=True, null=True, verbose_name="deadline")),
                (
                    "watchers",
                    models.PositiveSmallIntegerField(default=0, editable=False, verbose_name="watchers"),
                ),
                (
                    "stopped",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Why the clock stands still.",
                        verbose_name="clock stopped",
                    ),
                ),
                (
                    "flagged_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="The time of the player to move is over, and somebody has to decide what follows.",
                        null=True,
                        verbose_name="time over since",
                    ),
                ),
                ("paused_until", models.DateTimeField(blank=True, null=True, verbose_name="paused until")),
                (
                    "remind_at",
                    models.DateTimeField(blank=True, editable=False, null=True, verbose_name="next reminder"),
                ),
                ("reminded", models.JSONField(default=dict, editable=False)),
                (
                    "created_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False, verbose_name="created"
                    ),
                ),
                ("started_at", models.DateTimeField(blank=True, null=True, verbose_name="started")),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                (
                    "proposer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="players.player",
                        verbose_name="challenger",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches",
                        to="matches.tournament",
                        verbose_name="tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "match",
                "verbose_name_plural": "matches",
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(fields=["status", "-id"], name="match_status"),
                    models.Index(
                        condition=models.Q(("status", "playing")), fields=["to_move"], name="match_playing"
                    ),
                    models.Index(
                        condition=models.Q(("status", "playing")), fields=["deadline"], name="match_deadline"
                    ),
                    models.Index(
                        condition=models.Q(("flagged_at__isnull", False)),
                        fields=["flagged_at"],
                        name="match_flagged",
                    ),
                    models.Index(
                        condition=models.Q(("status", "playing")), fields=["remind_at"], name="match_remind"
                    ),
                    models.Index(
                        condition=models.Q(("status", "playing")),
                        fields=["to_move_since", "id"],
                        name="match_awaited",
                    ),
                    models.Index(
                        condition=models.Q(("unclocked_remind_at__isnull", False)),
                        fields=["unclocked_remind_at"],
                        name="match_unclocked",
                    ),
                    models.Index(
                        condition=models.Q(("paused_until__isnull", False)),
                        fields=["paused_until"],
                        name="match_paused",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(db_index=True, max_length=254, verbose_name="address")),
                ("game_name", models.CharField(max_length=80, verbose_name="game")),
                ("setup", models.TextField(blank=True, verbose_name="set-up")),
                ("side", models.PositiveSmallIntegerField(verbose_name="side")),
                ("terms", models.JSONField(blank=True, default=dict, verbose_name="terms")),
                ("salt", models.BinaryField(default=pbem.players.models.player.new_salt, max_length=16)),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                ("told", models.BooleanField(default=False, verbose_name="told")),
                ("answered_at", models.DateTimeField(blank=True, null=True, verbose_name="answered")),
                (
                    "challenger",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="players.player",
                        verbose_name="challenger",
                    ),
                ),
                (
                    "match",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="invitation",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
            ],
            options={
                "verbose_name": "invitation",
                "verbose_name_plural": "invitations",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=pbem.matches.models.event.kinds, max_length=20, verbose_name="kind"
                    ),
                ),
                ("side", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="side")),
                ("ply", models.PositiveIntegerField(verbose_name="ply")),
                ("letter", models.BigIntegerField(blank=True, null=True, verbose_name="letter")),
                ("facts", models.JSONField(blank=True, default=dict, verbose_name="facts")),
                ("happened_at", models.DateTimeField(verbose_name="when")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
            ],
            options={
                "verbose_name": "event",
                "verbose_name_plural": "events",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ply", models.PositiveIntegerField(verbose_name="ply")),
                ("text", models.TextField(verbose_name="note")),
                ("written_at", models.DateTimeField(verbose_name="when")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notes",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notes",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "note",
                "verbose_name_plural": "notes",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Pair",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "first",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pair_as_first",
                        to="matches.match",
                        verbose_name="first match",
                    ),
                ),
                (
                    "second",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pair_as_second",
                        to="matches.match",
                        verbose_name="second match",
                    ),
                ),
            ],
            options={
                "verbose_name": "pair of matches",
                "verbose_name_plural": "pairs of matches",
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("side", models.PositiveSmallIntegerField(verbose_name="side")),
                ("salt", models.BinaryField(default=pbem.players.models.player.new_salt, max_length=16)),
                ("revoked_salts", models.JSONField(default=list, editable=False)),
                (
                    "bank_left",
                    models.DurationField(
                        blank=True,
                        help_text="When its clock began to run, or will begin with.",
                        null=True,
                        verbose_name="time left",
                    ),
                ),
                ("bank_used", models.DurationField(default=datetime.timedelta, verbose_name="time used")),
                (
                    "running_since",
                    models.DateTimeField(blank=True, null=True, verbose_name="clock runs since"),
                ),
                ("free", models.JSONField(default=list, editable=False)),
                ("calendar_since", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "conditionals",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="How many its player has ever given.",
                        verbose_name="conditional lines",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "seat",
                "verbose_name_plural": "seats",
                "indexes": [
                    models.Index(
                        condition=models.Q(("running_since__isnull", False)),
                        fields=["running_since"],
                        name="seat_running",
                    )
                ],
                "constraints": [models.UniqueConstraint(fields=("match", "side"), name="seat_once")],
            },
        ),
        migrations.CreateModel(
            name="ConditionalLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("ply", models.PositiveIntegerField(verbose_name="ply")),
                ("position", models.TextField(verbose_name="position")),
                ("moves", models.JSONField(verbose_name="moves")),
                ("known", models.PositiveSmallIntegerField(verbose_name="known moves")),
                ("language", models.CharField(max_length=8, verbose_name="language")),
                ("coordinates", models.CharField(max_length=8, verbose_name="coordinates")),
                ("said_at", models.DateTimeField(verbose_name="said")),
                ("letter", models.BigIntegerField(blank=True, null=True, verbose_name="letter")),
                (
                    "fate",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("played", "played"),
                            ("missed", "the opponent played otherwise"),
                            ("failed", "could not be played"),
                            ("cleared", "taken away"),
                            ("replaced", "replaced"),
                            ("undone", "its turn was taken back"),
                        ],
                        max_length=10,
                        verbose_name="outcome",
                    ),
                ),
                ("left_at", models.PositiveIntegerField(blank=True, null=True, verbose_name="left at ply")),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lines",
                        to="matches.seat",
                        verbose_name="seat",
                    ),
                ),
            ],
            options={
                "verbose_name": "conditional line",
                "verbose_name_plural": "conditional lines",
                "ordering": ["pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("fate", "")), fields=["seat"], name="conditional_line_waiting"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("seat", "number"), name="conditional_line_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="ClockTurn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("left", models.DurationField()),
                ("used", models.DurationField()),
                ("lasted", models.DurationField(default=datetime.timedelta)),
                ("after", models.DurationField()),
                ("moved", models.BooleanField()),
                ("free", models.JSONField(default=list)),
                ("least", models.DurationField(null=True)),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="clock_turns",
                        to="matches.seat",
                    ),
                ),
            ],
            options={
                "verbose_name": "move by the clock",
                "verbose_name_plural": "moves by the clock",
                "indexes": [models.Index(fields=["seat", "until"], name="clock_turn_until")],
            },
        ),
        migrations.CreateModel(
            name="Seek",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game_name", models.CharField(max_length=80, verbose_name="game")),
                ("setup", models.TextField(blank=True, null=True, verbose_name="set-up")),
                ("side", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="side")),
                ("terms", models.JSONField(blank=True, default=dict, verbose_name="terms")),
                (
                    "on_time",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="moves in time, at least (%)"
                    ),
                ),
                ("language", models.CharField(blank=True, max_length=8, verbose_name="language")),
                (
                    "keep",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="matches at a time"),
                ),
                ("created_at", models.DateTimeField(verbose_name="created")),
                ("until", models.DateTimeField(verbose_name="open until")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seeks",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "open offer",
                "verbose_name_plural": "open offers",
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("closed_at__isnull", True)),
                        fields=["until"],
                        name="seek_standing",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Stoppage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField(verbose_name="from")),
                ("until", models.DateTimeField(blank=True, null=True, verbose_name="until")),
                (
                    "why",
                    models.CharField(
                        choices=[
                            ("night", "night"),
                            ("weekday", "free weekday"),
                            ("holiday", "holiday"),
                            ("absence", "absence"),
                            ("transit", "messages on their way"),
                            ("outage", "outage"),
                            ("restore", "restored from a backup"),
                            ("mailbox", "mailbox out of reach"),
                            ("paused", "paused"),
                            ("agreed", "pause agreed on"),
                            ("organiser", "stopped by the organiser"),
                            ("shunted", "message set aside"),
                        ],
                        max_length=10,
                        verbose_name="why",
                    ),
                ),
                (
                    "part",
                    models.CharField(
                        blank=True,
                        choices=[("worker", "worker"), ("door", "mail door"), ("mailbox", "mailbox")],
                        max_length=10,
                        verbose_name="part of the service",
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=200, verbose_name="note")),
                (
                    "created_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False, verbose_name="written"
                    ),
                ),
                ("recounted_to", models.BigIntegerField(editable=False, null=True)),
                (
                    "match",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stoppages",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stoppages",
                        to="matches.seat",
                        verbose_name="seat",
                    ),
                ),
            ],
            options={
                "verbose_name": "stoppage",
                "verbose_name_plural": "stoppages",
                "ordering": ["since", "pk"],
                "indexes": [
                    models.Index(fields=["match", "until"], name="stoppage_until"),
                    models.Index(
                        condition=models.Q(("recounted_to__isnull", False)),
                        fields=["recounted_to"],
                        name="stoppage_recounting",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("match__isnull", True), ("why", "outage")),
                        fields=("part", "since"),
                        name="stoppage_outage_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("until__isnull", True)),
                        fields=("match", "why"),
                        name="stoppage_open_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[],
            options={
                "verbose_name": "outage",
                "verbose_name_plural": "outages",
                "ordering": ["-until"],
                "proxy": True,
                "indexes": [],
                "constraints": [],
            },
            bases=("matches.stoppage",),
        ),
        migrations.CreateModel(
            name="Taken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="taken",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "seek",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="taken",
                        to="matches.seek",
                        verbose_name="open offer",
                    ),
                ),
            ],
            options={
                "verbose_name": "offer taken",
                "verbose_name_plural": "offers taken",
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(verbose_name="number")),
                (
                    "guest",
                    models.BooleanField(
                        default=False,
                        help_text="Took a place in a match, and is not paired in later rounds.",
                        verbose_name="guest",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="matches.tournament",
                        verbose_name="tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "entry",
                "verbose_name_plural": "entries",
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "player"), name="entry_once"),
                    models.UniqueConstraint(fields=("tournament", "number"), name="entry_number_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Announcement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("words", models.JSONField(blank=True, default=dict, verbose_name="words")),
                ("standings", models.BooleanField(default=False, verbose_name="with the cross-table")),
                ("written_at", models.DateTimeField(verbose_name="written")),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="announcements",
                        to="matches.tournament",
                        verbose_name="tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "letter to all",
                "verbose_name_plural": "letters to all",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ply", models.PositiveIntegerField(help_text="From 0.", verbose_name="ply")),
                ("side", models.PositiveSmallIntegerField(verbose_name="side")),
                ("move", models.CharField(max_length=200, verbose_name="move")),
                ("position", models.TextField(verbose_name="position after it")),
                ("key", models.TextField(editable=False, verbose_name="repetition key")),
                ("written", models.TextField(blank=True, verbose_name="as written")),
                ("message", models.TextField(blank=True, verbose_name="message to the opponent")),
                (
                    "how",
                    models.CharField(
                        blank=True,
                        choices=[("conditional", "conditional"), ("forced", "forced")],
                        default="",
                        max_length=12,
                        verbose_name="how",
                    ),
                ),
                (
                    "entered",
                    models.BooleanField(
                        default=False,
                        help_text="The organiser played it for the player.",
                        verbose_name="entered",
                    ),
                ),
                ("played_at", models.DateTimeField(verbose_name="played")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="matches.event",
                        verbose_name="taken back by",
                    ),
                ),
            ],
            options={
                "verbose_name": "ply",
                "verbose_name_plural": "plies",
                "ordering": ["match", "ply"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_by__isnull", True)),
                        fields=("match", "ply"),
                        name="turn_live_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Watching",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "delay",
                    models.PositiveSmallIntegerField(default=0, help_text="In plies.", verbose_name="delay"),
                ),
                ("daily", models.BooleanField(default=False, verbose_name="daily")),
                ("told", models.PositiveIntegerField(default=0, verbose_name="turns told")),
                ("due_at", models.DateTimeField(blank=True, null=True, verbose_name="next daily letter")),
                ("since", models.DateTimeField(verbose_name="since")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="watchings",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="watchings",
                        to="players.player",
                        verbose_name="player",
                    ),
                ),
            ],
            options={
                "verbose_name": "watcher",
                "verbose_name_plural": "watchers",
                "ordering": ["pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="watching_due"
                    )
                ],
                "constraints": [models.UniqueConstraint(fields=("match", "player"), name="watching_once")],
            },
        ),
        migrations.CreateModel(
            name="Offer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("pause", "pause"), ("undo", "takeback")], max_length=10, verbose_name="kind"
                    ),
                ),
                ("side", models.PositiveSmallIntegerField(verbose_name="side")),
                ("facts", models.JSONField(blank=True, default=dict, verbose_name="facts")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                (
                    "ply",
                    models.PositiveIntegerField(
                        help_text="How many plies had been played.", verbose_name="ply"
                    ),
                ),
                ("until_ply", models.PositiveIntegerField(verbose_name="until ply")),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="offers",
                        to="matches.match",
                        verbose_name="match",
                    ),
                ),
            ],
            options={
                "verbose_name": "offer",
                "verbose_name_plural": "offers",
                "constraints": [models.UniqueConstraint(fields=("match", "side"), name="offer_once")],
            },
        ),
    ]
