"""Rows about matches: the match itself, its two seats, its turns and everything that happened."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache, cached_property, lru_cache
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.protocol import Game, Outcome, Position, Side
from games.record import Record
from games.registry import find
from pbem.players.models import Address, Player, new_salt


class MatchQuerySet(models.QuerySet["Match"]):
    def of(self, player: Player) -> MatchQuerySet:
        return self.filter(seats__player=player)

    def alive(self) -> MatchQuerySet:
        return self.filter(status__in=(Match.Status.PROPOSED, Match.Status.PLAYING))

    def timed(self) -> MatchQuerySet:
        """Those that are being played under a deadline."""
        return self.filter(status=Match.Status.PLAYING, deadline__isnull=False)

    def overdue(self, before: datetime) -> MatchQuerySet:
        """Whose deadline was earlier than `before`, where the player to move gets our letters."""
        moving = Seat.objects.filter(match=models.OuterRef("pk"), side=models.OuterRef("to_move"))
        reached = moving.filter(player__addresses__in=Address.objects.working())
        return self.timed().filter(models.Exists(reached), deadline__lt=before)

    def locked(self) -> MatchQuerySet:
        """In the order that keeps two letters about the same matches from waiting for each other."""
        return self.order_by("pk").select_for_update(of=("self",))


class Match(models.Model):
    """A game between two players. A challenge is a match that nobody has accepted yet.

    The record (game, set-up, written moves) is the truth; `ply`, `position` and `to_move` repeat its end,
    so that reading a reply costs the same at ply 5 and at ply 500.
    """

    class Status(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        PLAYING = "playing", _("playing")
        OVER = "over", _("over")
        DECLINED = "declined", _("declined")

    game_name = models.CharField(_("game"), max_length=80)
    rules_version = models.PositiveSmallIntegerField(_("version of the rules"))
    setup = models.TextField(_("set-up"), blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.PROPOSED)
    ply = models.PositiveIntegerField(_("ply"), default=0, help_text=_("How many turns were played."))
    position = models.TextField(_("position"))
    to_move = models.PositiveSmallIntegerField(_("to move"), null=True, blank=True)
    proposer = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("challenger")
    )
    draw_offered_by = models.PositiveSmallIntegerField(_("draw offered by"), null=True, blank=True)
    winner = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=40, blank=True)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["to_move"], name="match_playing", condition=models.Q(status="playing")),
            models.Index(fields=["deadline"], name="match_deadline", condition=models.Q(status="playing")),
        ]

    def __str__(self) -> str:
        first, second = self.players
        return f"[{self.pk}] {self.title}: {first} - {second}"

    @property
    def game(self) -> Game[Any, Any, Any]:
        return self._found[0]

    @property
    def rules(self) -> Any:
        return self._found[1]

    @property
    def title(self) -> str:
        """The game's name as it stands in every subject: the same in all languages."""
        return str(self.game.phrases("en")["name"])

    @cached_property
    def seated(self) -> tuple[Seat, Seat]:
        """The seats, first to move first."""
        first, second = sorted(self.seats.select_related("player"), key=lambda seat: seat.side)
        for seat in (first, second):
            seat.match = self
        return first, second

    @property
    def players(self) -> tuple[str, str]:
        first, second = self.seated
        return first.player.name, second.player.name

    @property
    def moving(self) -> Seat | None:
        """Whose turn it is."""
        return None if self.to_move is None else self.seated[self.to_move]

    def current(self) -> Position:
        return self.at(self.position)

    def at(self, text: str) -> Position:
        """The position that a turn of this match has written down."""
        return _position(self.game_name, text)

    def start_position(self) -> Position:
        position: Position = self.game.start(self.rules, self.setup)
        return position

    def outcome(self) -> Outcome | None:
        if self.status != self.Status.OVER:
            return None
        return Outcome(None if self.winner is None else Side(self.winner), self.reason)

    def live_turns(self) -> models.QuerySet[Turn]:
        return self.turns.filter(undone_by__isnull=True).order_by("ply")

    def record(self) -> Record:
        """The game as a record: what replays to this match."""
        return Record(
            game=self.game_name,
            version=self.rules_version,
            setup=self.setup,
            moves=tuple(self.live_turns().values_list("move", flat=True)),
            result=self.outcome(),
            players=self.players,
            started=self.started_at.date() if self.started_at else None,
            ended=self.ended_at.date() if self.ended_at else None,
        )

    @cached_property
    def _found(self) -> tuple[Game[Any, Any, Any], Any]:
        return _find(self.game_name)


_find = cache(find)


@lru_cache(maxsize=4096)
def _position(name: str, text: str) -> Position:
    """The letters of a match show its last positions again and again."""
    game, rules = _find(name)
    position: Position = game.position(rules, text)
    return position


class Seat(models.Model):
    """A player's place in a match. Its salt makes his reply addresses; a new salt revokes them."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats", verbose_name=_("match"))
    side = models.PositiveSmallIntegerField(_("side"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats", verbose_name=_("player"))
    salt = models.BinaryField(max_length=16, default=new_salt, editable=False)
    revoked_salts = models.JSONField(default=list, editable=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [models.UniqueConstraint(fields=["match", "side"], name="seat_once")]

    def __str__(self) -> str:
        return f"{self.player} [{self.match_id}]"

    @property
    def opponent(self) -> Seat:
        return self.match.seated[1 - self.side]

    @property
    def is_to_move(self) -> bool:
        return self.match.to_move == self.side


class Turn(models.Model):
    """One move that was played, with the position after it. Never edited; taken back by `undone_by`."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="turns", verbose_name=_("match"))
    ply = models.PositiveIntegerField(_("ply"), help_text=_("From 0."))
    side = models.PositiveSmallIntegerField(_("side"))
    move = models.CharField(_("move"), max_length=200)
    position = models.TextField(_("position after it"))
    key = models.TextField(_("repetition key"), editable=False)
    written = models.TextField(_("as written"), blank=True)
    message = models.TextField(_("message to the opponent"), blank=True)
    played_at = models.DateTimeField(_("played"))
    undone_by = models.ForeignKey(
        "Event", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("taken back by")
    )

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        ordering = ["match", "ply"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "ply"], condition=models.Q(undone_by__isnull=True), name="turn_live_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.ply + 1}. {self.move}"


class Event(models.Model):
    """Something that happened to a match: the history, and what letters are told from.

    `side` is who did it (None: the organiser or the service), `ply` how many turns had been played then,
    `letter` the inbound letter that did it, `facts` what else the kind needs.
    """

    class Kind(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        DECLINED = "declined", _("declined")
        STARTED = "started", _("started")
        MOVED = "moved", _("moved")
        OFFERED = "offered", _("draw offered")
        REJECTED = "rejected", _("draw declined")
        SAID = "said", _("said")
        ENDED = "ended", _("ended")

    match = models.ForeignKey(Match, models.CASCADE, related_name="events", verbose_name=_("match"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    side = models.PositiveSmallIntegerField(_("side"), null=True, blank=True)
    ply = models.PositiveIntegerField(_("ply"))
    letter = models.BigIntegerField(_("letter"), null=True, blank=True)
    facts = models.JSONField(_("facts"), default=dict, blank=True)
    happened_at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} [{self.match_id}]"

    @property
    def actor(self) -> Seat | None:
        return None if self.side is None else self.match.seated[self.side]


class Part(models.TextChoices):
    """What has to live for a letter to be taken and opened."""

    WORKER = "worker", _("worker")
    DOOR = "door", _("mail door")
    MAILBOX = "mailbox", _("mailbox")


class Heartbeat(models.Model):
    """A sign of life of a part of the service: a row a minute, however many processes do its work."""

    part = models.CharField(_("part of the service"), max_length=10, choices=Part.choices)
    minute = models.DateTimeField(editable=False)
    beat_at = models.DateTimeField(_("last sign of life"))

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        constraints = [models.UniqueConstraint(fields=["part", "minute"], name="heartbeat_once")]

    def __str__(self) -> str:
        return f"{self.get_part_display()} {self.beat_at:%Y-%m-%d %H:%M}"


class Outage(models.Model):
    """A time without a sign of life, and what every clock was credited when it was over."""

    part = models.CharField(_("part of the service"), max_length=10, choices=Part.choices)
    since = models.DateTimeField(_("last sign of life"))
    until = models.DateTimeField(_("back again"))
    credited = models.DurationField(_("credited"), default=timedelta)

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering = ["-until"]
        constraints = [models.UniqueConstraint(fields=["part", "since"], name="outage_once")]

    def __str__(self) -> str:
        return f"{self.get_part_display()} {self.since:%Y-%m-%d %H:%M}"
