"""Open offers of matches, and invitations to e-mail addresses."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.registry import AnyGame, find
from pbem.mail.mailbox import mailbox_of
from pbem.matches.matchmaking.match_request import Conditions
from pbem.matches.models.match import Match, MatchQuerySet
from pbem.matches.terms import Terms
from pbem.players.models import Mailbox, Player, PlayerQuerySet, new_salt

STANDS = timedelta(days=30)  # after it was made or taken last


class SeekQuerySet(models.QuerySet["Seek"]):
    def standing(self, now: datetime) -> SeekQuerySet:
        """Returns offers not withdrawn, used up or expired; there may be no room for a match."""
        return self.filter(closed_at__isnull=True, until__gt=now)


class Seek(models.Model):
    """An open offer of a match. Its key is the number that players write.

    `side` is the offerer's, None draws lots; `setup` None lets the game draw one for each match. An offer to
    `keep` n matches going is open while fewer than n of them run; otherwise it is taken once.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="seeks", verbose_name=_("player"))
    game_name = models.CharField(_("game"), max_length=80)
    setup = models.TextField(_("set-up"), null=True, blank=True)
    side = models.PositiveSmallIntegerField(_("side"), null=True, blank=True)
    terms = models.JSONField(_("terms"), default=dict, blank=True)
    on_time = models.PositiveSmallIntegerField(_("moves in time, at least (%)"), null=True, blank=True)
    language = models.CharField(_("language"), max_length=8, blank=True)
    least = models.PositiveSmallIntegerField(_("rating, at least"), null=True, blank=True)
    most = models.PositiveSmallIntegerField(_("rating, at most"), null=True, blank=True)
    keep = models.PositiveSmallIntegerField(_("matches at a time"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"))
    until = models.DateTimeField(_("open until"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    objects = SeekQuerySet.as_manager()

    class Meta:
        verbose_name = _("open offer")
        verbose_name_plural = _("open offers")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["until"], name="seek_standing", condition=models.Q(closed_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"[{self.pk}] {self.player}: {self.game_name}"

    @property
    def game(self) -> AnyGame:
        return find(self.game_name)[0]

    @property
    def agreed(self) -> Terms:
        """Returns the terms of its matches."""
        return Terms.of(self.terms)

    @property
    def conditions(self) -> Conditions:
        return Conditions(self.on_time, self.language, self.least, self.most)

    def running(self) -> MatchQuerySet:
        """Returns its matches that are being played."""
        return Match.objects.filter(status=Match.Status.PLAYING, taken__seek=self)


class Taken(models.Model):
    """A match that began from an open offer."""

    seek = models.ForeignKey(Seek, models.CASCADE, related_name="taken", verbose_name=_("open offer"))
    match = models.OneToOneField(Match, models.CASCADE, related_name="taken", verbose_name=_("match"))

    class Meta:
        verbose_name = _("offer taken")
        verbose_name_plural = _("offers taken")

    def __str__(self) -> str:
        return f"{self.seek_id} → {self.match_id}"


# Invitations: they do not reveal whether the address belongs to a player


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def unanswered(self) -> InvitationQuerySet:
        return self.filter(answered_at__isnull=True)


class Invitation(models.Model):
    """A match offered by `challenger` to the reader of `address`; it begins with a yes.

    The set-up is drawn; `side` is the challenger's. `told`: a letter was sent to a person without an account,
    who gets no other before a reply. `opening` waits for the reader's YES or NO: the `move` that the reply
    seems to say, what it said `beside`, the `name` in it, and the `words` for the challenger written before
    the reply.
    """

    challenger = models.ForeignKey(
        Player, models.CASCADE, related_name="invitations", verbose_name=_("challenger")
    )
    address = models.EmailField(_("address"), db_index=True)
    mailbox = Mailbox(of="address", db_index=True)
    game_name = models.CharField(_("game"), max_length=80)
    setup = models.TextField(_("set-up"), blank=True)
    side = models.PositiveSmallIntegerField(_("side"))
    terms = models.JSONField(_("terms"), default=dict, blank=True)
    message = models.TextField(_("message"), blank=True)
    opening = models.JSONField(_("first move asked about"), default=dict, blank=True)
    salt = models.BinaryField(max_length=16, default=new_salt, editable=False)
    asked_at = models.DateTimeField(_("asked"))
    told = models.BooleanField(_("told"), default=False)
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    match = models.OneToOneField(
        Match, models.SET_NULL, null=True, blank=True, related_name="invitation", verbose_name=_("match")
    )

    objects = InvitationQuerySet.as_manager()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.challenger} → {self.address}: {self.game_name}"

    @property
    def readers(self) -> PlayerQuerySet:
        """Returns the players with the mailbox; several when a family shares it."""
        return Player.objects.reading(mailbox_of(self.address))

    @property
    def game(self) -> AnyGame:
        return find(self.game_name)[0]

    @property
    def agreed(self) -> Terms:
        return Terms.of(self.terms)

    def stands(self, at: datetime) -> bool:
        """Returns whether it can still be answered."""
        return self.answered_at is None and at - self.asked_at <= STANDS
