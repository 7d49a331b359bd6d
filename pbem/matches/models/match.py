"""Matches, with their notes, offers and pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache, cached_property, lru_cache
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.move_numbers import mark
from games.protocol import Game, Outcome, Position, Side
from games.record import Record
from games.registry import find
from pbem.matches.models.exempt_interval import hinted, replaced, swapped
from pbem.matches.models.seat import Seat
from pbem.matches.models.tournament import Tournament
from pbem.matches.models.turn import Turn
from pbem.matches.terms import Terms
from pbem.players.models import Address, Player, player
from pbem.queue.sql import compiled_query

# Remarks in a record


def remarks(
    entered: Sequence[int],
    replaced: Iterable[tuple[int, str, str]],
    *,
    swapped: bool = False,
    hinted: Sequence[int] = (),
) -> str:
    """Returns sentences on what the moves of a record do not show.

    `entered` are plies from 0; `replaced` are (turns played, predecessor, successor). `swapped`: the second
    player took over the first move. `hinted` are the plies before which a robot was asked for a hint.
    """
    sentences = ["Move 1 was the other player's; then sides were changed."] if swapped else []
    sentences += [f"The organiser entered {_numbers(entered)} for the player."] if entered else []
    sentences += [
        f"From move {mark(ply)} on {after} played in the place of {before}."
        for ply, before, after in replaced
    ]
    sentences += [f"A robot was asked for a hint before {_numbers(hinted)}."] if hinted else []
    return " ".join(sentences)


def _numbers(plies: Sequence[int]) -> str:
    *others, last = map(mark, plies)
    return f"moves {', '.join(others)} and {last}" if others else f"move {last}"


SHOWN = 12  # turns that a letter shows before a board
FIRST_REMINDER = timedelta(days=7)  # in matches without a clock


class MatchQuerySet(models.QuerySet["Match"]):
    def of(self, player: Player) -> MatchQuerySet:
        return self.filter(seats__player=player)

    def alive(self) -> MatchQuerySet:
        return self.filter(status__in=(Match.Status.PROPOSED, Match.Status.PLAYING))

    def waiting_for(self, player: Player) -> MatchQuerySet:
        """Returns the running matches in which it is the player's turn."""
        theirs = Seat.objects.filter(
            match=models.OuterRef("pk"), side=models.OuterRef("to_move"), player=player
        )
        return self.of(player).filter(models.Exists(theirs), status=Match.Status.PLAYING)

    def awaited(self, before: datetime) -> MatchQuerySet:
        """Returns the running matches that have waited for a move since before `before`."""
        return self.filter(status=Match.Status.PLAYING, to_move_since__lt=before)

    def timed(self) -> MatchQuerySet:
        """Returns the running matches with a deadline."""
        return self.filter(status=Match.Status.PLAYING, deadline__isnull=False)

    def overdue(self, before: datetime) -> MatchQuerySet:
        """Returns the matches with a deadline before `before` and a player to move who gets letters."""
        working = Address.objects.working().values("player")
        moving = Seat.objects.filter(match=models.OuterRef("pk"), side=models.OuterRef("to_move"))
        return self.timed().filter(models.Exists(moving.filter(player__in=working)), deadline__lt=before)

    def locked(self) -> MatchQuerySet:
        """Locks the matches in the order of their keys, which prevents deadlocks."""
        return self.order_by("pk").select_for_update(of=("self",))


DRAWN = models.Q(status="over", winner=None)


class Match(models.Model):
    """A game between two players; a challenge is a match not yet accepted.

    The record (game, set-up, moves) is authoritative. `ply`, `position` and `to_move` repeat its end, so that
    a reply costs the same at ply 5 and at ply 500.
    """

    class Status(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        PLAYING = "playing", _("playing")
        OVER = "over", _("over")
        DECLINED = "declined", _("declined")
        VOID = "void", _("void")

    # The turns that the board after a ply shows, by ply. Reset by a takeback.
    preloaded_turns: dict[int, tuple[Turn, ...]] | None = None

    game_name = models.CharField(_("game"), max_length=80)
    rules_version = models.PositiveSmallIntegerField(_("version of the rules"))
    setup = models.TextField(_("set-up"), blank=True)
    tournament = models.ForeignKey(
        Tournament,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="matches",
        verbose_name=_("tournament"),
    )
    round = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    terms = models.JSONField(_("terms"), default=dict, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.PROPOSED)
    ply = models.PositiveIntegerField(
        _("half-moves"), default=0, help_text=_("How many were played, of both players.")
    )
    position = models.TextField(_("position"))
    to_move = models.PositiveSmallIntegerField(_("to move"), null=True, blank=True)
    to_move_since = models.DateTimeField(_("to move since"), null=True, blank=True)
    unclocked_remind_at = models.DateTimeField(null=True, blank=True, editable=False)
    proposer = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("challenger")
    )
    draw_offered_by = models.PositiveSmallIntegerField(_("draw offered by"), null=True, blank=True)
    winner = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=40, blank=True)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    watchers = models.PositiveSmallIntegerField(_("watchers"), default=0, editable=False)
    stopped = models.JSONField(
        _("clock stopped"), default=list, blank=True, help_text=_("Why the clock is stopped.")
    )
    flagged_at = models.DateTimeField(
        _("time up since"),
        null=True,
        blank=True,
        help_text=_("The player to move is out of time, and somebody must decide what follows."),
    )
    paused_until = models.DateTimeField(_("paused until"), null=True, blank=True)
    remind_at = models.DateTimeField(_("next reminder"), null=True, blank=True, editable=False)
    reminded = models.JSONField(default=dict, editable=False)  # rungs covered, and their ply
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["status", "-id"], name="match_status"),
            models.Index(fields=["game_name", "-id"], name="match_over", condition=models.Q(status="over")),
            # Draws are rare in many games: the newest would be looked for among all matches.
            models.Index(fields=["-id"], name="match_drawn", condition=DRAWN),
            models.Index(fields=["game_name", "-id"], name="match_drawn_of_game", condition=DRAWN),
            models.Index(fields=["to_move"], name="match_playing", condition=models.Q(status="playing")),
            models.Index(fields=["deadline"], name="match_deadline", condition=models.Q(status="playing")),
            models.Index(
                fields=["flagged_at"], name="match_flagged", condition=models.Q(flagged_at__isnull=False)
            ),
            models.Index(fields=["remind_at"], name="match_remind", condition=models.Q(status="playing")),
            models.Index(
                fields=["to_move_since", "id"], name="match_awaited", condition=models.Q(status="playing")
            ),
            models.Index(
                fields=["unclocked_remind_at"],
                name="match_unclocked",
                condition=models.Q(unclocked_remind_at__isnull=False),
            ),
            models.Index(
                fields=["paused_until"], name="match_paused", condition=models.Q(paused_until__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.subject("en")

    def subject(self, language: str) -> str:
        """Returns the subject of its letters in the language."""
        # Seats in the order of creation: a change of sides must not break the mail thread.
        first, second = sorted(self.seated, key=lambda seat: seat.pk or seat.side)
        title = self.game.phrases(language)["name"]
        return f"[{self.pk}] {title}: {first.player.name} - {second.player.name}"

    @property
    def game(self) -> Game[Any, Any, Any]:
        return self._found[0]

    @property
    def rules(self) -> Any:
        return self._found[1]

    @cached_property
    def agreed(self) -> Terms:
        return Terms.of(self.terms)

    @property
    def title(self) -> str:
        """Returns the game's name in English."""
        return str(self.game.phrases("en")["name"])

    @cached_property
    def seated(self) -> tuple[Seat, Seat]:
        """Returns the seats, first to move first."""
        known = "seats" in getattr(self, "_prefetched_objects_cache", ())
        return self.seat(self.seats.all() if known else _seats(self.pk))

    def know_addresses(self) -> None:
        """Loads seats, players and addresses in one query, for code that sends letters."""
        # The caller must not change addresses.
        rows = _seats_with_addresses(self.pk)
        seats = {row.pk: row for row in reversed(rows)}
        player.know([(seats[row.pk].player, row) for row in rows])
        self.seat(seats.values())

    def seat(self, both: Iterable[Seat]) -> tuple[Seat, Seat]:
        """Sets its seats."""
        first, second = sorted(both, key=lambda seat: seat.side)
        first.match = second.match = self
        self.seated = first, second
        return self.seated

    @property
    def players(self) -> tuple[str, str]:
        first, second = self.seated
        return first.player.name, second.player.name

    @property
    def moving(self) -> Seat | None:
        """Returns the seat to move. None without one."""
        return None if self.to_move is None else self.seated[self.to_move]

    def turn_begins(self, now: datetime) -> tuple[str, ...]:
        """Sets the beginning of the turn; returns the columns to save."""
        self.to_move_since = now
        self.unclocked_remind_at = None if self.agreed.control else now + FIRST_REMINDER
        return "to_move_since", "unclocked_remind_at"

    def turns_end(self) -> tuple[str, ...]:
        """Clears the beginning of the turn; returns the columns to save."""
        self.to_move_since = self.unclocked_remind_at = None
        return "to_move_since", "unclocked_remind_at"

    def current(self) -> Position:
        return self.at(self.position)

    def at(self, text: str) -> Position:
        """Returns the position that a turn of this match stores."""
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
        """Returns the record, which replays to this match."""
        turns = list(self.live_turns().values_list("ply", "move", "entered"))
        return Record(
            game=self.game_name,
            version=self.rules_version,
            setup=self.setup,
            moves=tuple(move for _, move, _ in turns),
            result=self.outcome(),
            players=self.players,
            started=self.started_at.date() if self.started_at else None,
            ended=self.ended_at.date() if self.ended_at else None,
            remarks=remarks(
                [ply for ply, _, entered in turns if entered],
                replaced(self.pk),
                swapped=swapped(self.pk),
                hinted=hinted(self.pk) if self._may_be_hinted else [],
            ),
        )

    @property
    def _may_be_hinted(self) -> bool:
        return self.agreed.learning or any(seat.player.robot for seat in self.seated)

    @cached_property
    def _found(self) -> tuple[Game[Any, Any, Any], Any]:
        return _find(self.game_name)


@compiled_query
def _seats(match: int) -> models.QuerySet[Seat]:
    return Seat.objects.filter(match=match).select_related("player")


@compiled_query
def _seats_with_addresses(match: int) -> models.QuerySet[Seat]:
    return Seat.objects.filter(match=match).select_related("player").annotate(**player.columns("player__"))


_find = cache(find)


@lru_cache(maxsize=4096)
def _position(name: str, text: str) -> Position:
    # Letters of a match show its last positions again and again.
    game, rules = _find(name)
    position: Position = game.position(rules, text)
    return position


# Private notes


class Note(models.Model):
    """A note for its author alone, returned when the match is over. `ply` is the number of turns then."""

    match = models.ForeignKey("Match", models.CASCADE, related_name="notes", verbose_name=_("match"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="notes", verbose_name=_("player"))
    ply = models.PositiveIntegerField(_("half-move"))
    text = models.TextField(_("note"))
    written_at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.player} [{self.match_id}] {self.ply}"


# Offers: a pause, a takeback


class OfferQuerySet(models.QuerySet["Offer"]):
    def standing(self, match: Match) -> OfferQuerySet:
        """Returns the offers not overtaken by moves. Empty when the match is not being played."""
        if match.status != Match.Status.PLAYING:
            return self.none()
        return self.filter(match=match, until_ply__gt=match.ply)


class Offer(models.Model):
    """A standing offer, one per seat, so that YES is unambiguous; an answer deletes it.

    It lapses with the opponent's next move, at `until_ply` turns, without an update. Events keep the history.
    Draws are offered in a column of the match.
    """

    class Kind(models.TextChoices):
        PAUSE = "pause", _("pause")
        UNDO = "undo", _("takeback")

    match = models.ForeignKey(Match, models.CASCADE, related_name="offers", verbose_name=_("match"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    side = models.PositiveSmallIntegerField(_("side"))
    facts = models.JSONField(_("facts"), default=dict, blank=True)
    made_at = models.DateTimeField(_("made"))
    ply = models.PositiveIntegerField(_("half-move"), help_text=_("How many had been played."))
    until_ply = models.PositiveIntegerField(_("until half-move"))

    objects = OfferQuerySet.as_manager()

    class Meta:
        verbose_name = _("offer")
        verbose_name_plural = _("offers")
        constraints = [models.UniqueConstraint(fields=["match", "side"], name="offer_once")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} [{self.match_id}]"


# Pairs of matches: sides are changed in the second


class Pair(models.Model):
    first = models.OneToOneField(
        Match, models.CASCADE, related_name="pair_as_first", verbose_name=_("first match")
    )
    second = models.OneToOneField(
        Match, models.CASCADE, related_name="pair_as_second", verbose_name=_("second match")
    )

    class Meta:
        verbose_name = _("pair of matches")
        verbose_name_plural = _("pairs of matches")

    def __str__(self) -> str:
        return f"{self.first_id} & {self.second_id}"
