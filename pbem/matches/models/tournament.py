"""Tournaments, their entries, invitations and announcements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pbem.matches.terms import Terms
from pbem.players.models import Player


class Tournament(models.Model):
    """The matches and the entries of a competition, or of one of its groups or divisions, or of its final.

    Its terms are copied into each match at the beginning; `begun` counts the rounds begun. `edition` and `label` are
    those of a competition that runs by itself. In a round robin of an organiser the rounds follow from the order of
    entries.
    """

    competition = models.ForeignKey(
        "contests.Competition", models.PROTECT, related_name="tournaments", verbose_name=_("competition")
    )
    edition = models.ForeignKey(
        "contests.Edition",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="tables",
        verbose_name=_("edition"),
    )
    label = models.CharField(_("label"), max_length=10, blank=True)
    name = models.CharField(_("name"), max_length=80, unique=True)
    game_name = models.CharField(_("game"), max_length=80, help_text=_("For matches that name none."))
    terms = models.JSONField(_("terms"), default=dict, blank=True)
    begun = models.PositiveSmallIntegerField(_("rounds begun"), default=0)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["edition", "label"], name="tournament_of_edition_once")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def agreed(self) -> Terms:
        return Terms.of(self.terms)

    @property
    def takes_entries(self) -> bool:
        """Returns whether players can enter: until the first round begins."""
        # Later entries would change the pairings of all.
        return not self.begun and self.competition.closed_at is None

    @property
    def system(self) -> str:
        """Returns the kind of its competition, if an organiser pairs it; else it is a mere list of pairings."""
        return self.competition.system if self.edition_id is None else "pairings"

    def enter(self, players: Iterable[Player], *, guest: bool = False) -> None:
        """Enters new players, in this order. A `guest` is not paired in rounds."""
        entered = dict(self.entries.values_list("player", "number"))
        new = [player for player in dict.fromkeys(players) if player.pk not in entered]
        Entry.objects.bulk_create(
            Entry(tournament=self, player=player, number=number, guest=guest)
            for number, player in enumerate(new, start=max(entered.values(), default=0) + 1)
        )

    def players(self) -> models.QuerySet[Player]:
        """Returns the players, with guests, by number."""
        mine = self.entries.filter(withdrawn_at=None)
        return Player.objects.filter(entries__in=mine).order_by("entries__number")

    def paired(self) -> models.QuerySet[Player]:
        """Returns the players for whom rounds are made, also withdrawn ones."""
        # The others keep their numbers.
        mine = self.entries.filter(guest=False)
        return Player.objects.filter(entries__in=mine).order_by("entries__number")


class Entry(models.Model):
    """A player of a tournament. Round robins are paired by `number`, from 1.

    `erased`: withdrawn early, without results in the table.
    """

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="entries", verbose_name=_("tournament")
    )
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries", verbose_name=_("player"))
    number = models.PositiveSmallIntegerField(_("number"))
    guest = models.BooleanField(
        _("guest"), default=False, help_text=_("Took a place in a match, and is not paired in later rounds.")
    )

    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    erased = models.BooleanField(_("out of the table"), default=False)
    reason = models.CharField(_("reason"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="entry_once"),
            models.UniqueConstraint(fields=["tournament", "number"], name="entry_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.player}"


class TournamentInvitation(models.Model):
    """An invitation to an address, of a player or not. `agreed` None: no answer yet."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="invitations", verbose_name=_("tournament")
    )
    address = models.EmailField(_("address"))
    asked_at = models.DateTimeField(_("asked"))
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    agreed = models.BooleanField(_("agreed"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation to a tournament")
        verbose_name_plural = _("invitations to tournaments")
        ordering = ["pk"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["tournament", "address"], name="tournament_invitation_once")
        ]
        indexes = [models.Index(fields=["address"], name="tournament_invited")]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.address}"


class Announcement(models.Model):
    """A letter of the organiser to players: words and subject by language, with or without the table."""

    class To(models.TextChoices):
        ALL = "all", _("all players")
        OWING = "owing", _("those who owe a move")
        MISSING = "missing", _("those who were invited and have not entered")

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="announcements", verbose_name=_("tournament")
    )
    words = models.JSONField(_("words"), default=dict, blank=True)
    subjects = models.JSONField(_("subjects"), default=dict, blank=True)
    to = models.CharField(_("to"), max_length=10, choices=To.choices, default=To.ALL)
    standings = models.BooleanField(_("with the cross-table"), default=False)
    written_at = models.DateTimeField(_("written"))

    class Meta:
        verbose_name = _("letter to all")
        verbose_name_plural = _("letters to all")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.tournament} {self.written_at:%Y-%m-%d}"

    def in_language(self, language: str) -> str:
        """Returns the words in the language, else in another one."""
        return self._said(self.words, language)

    def subject(self, language: str) -> str:
        """Returns the subject likewise; "" for a generated one."""
        return self._said(self.subjects, language)

    @staticmethod
    def _said(words: Mapping[str, str], language: str) -> str:
        return str(words.get(language) or next(iter(words.values()), ""))
