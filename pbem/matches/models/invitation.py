"""A challenge to an e-mail address: whose it is, or whether anybody has signed up with it, nobody is told."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.registry import AnyGame, find
from pbem.mail.mailbox import mailbox_of
from pbem.matches.models.match import Match
from pbem.matches.terms import Terms
from pbem.players.models import Mailbox, Player, PlayerQuerySet, new_salt

STANDS = timedelta(days=30)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def unanswered(self) -> InvitationQuerySet:
        return self.filter(answered_at__isnull=True)


class Invitation(models.Model):
    """A match that `challenger` offers to anyone who reads `address`; it begins when that one says yes.

    Everything is settled already: the set-up is drawn, `side` is the challenger's. `told`: a letter went to
    somebody who has not signed up, who gets no other before they have answered. `opening`: the `move` that
    their answer nearly said, what it said `beside`, and the `name` in it; all of that waits for their YES, and the
    `words` for the challenger that they wrote before they answered, for their yes or no.
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
        """Several, where a family shares the mailbox."""
        return Player.objects.reading(mailbox_of(self.address))

    @property
    def game(self) -> AnyGame:
        return find(self.game_name)[0]

    @property
    def agreed(self) -> Terms:
        return Terms.of(self.terms)

    def stands(self, at: datetime) -> bool:
        """Whether it can still be answered."""
        return self.answered_at is None and at - self.asked_at <= STANDS
