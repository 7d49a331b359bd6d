"""Former names of players, which stay reserved, and names for print."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import models
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from pbem.players.models.player import Player
from pbem.players.names import accented_skeleton, skeleton


def look_of(name: str) -> str:
    """Returns a hash of the name's skeleton, for comparison only."""
    return _sealed(skeleton(name))


def _sealed(look: str) -> str:
    return salted_hmac("pbem.players.former_name", look, algorithm="sha256").hexdigest()


class FormerNameQuerySet(models.QuerySet["FormerName"]):
    def resembling(self, name: str) -> FormerNameQuerySet:
        """Returns former names that look like the name."""
        return self.filter(look__in=(look_of(name), _sealed(accented_skeleton(name))))

    def forget(self, player: Player) -> None:
        """Erases the player's names; their hashes stay, so that the names stay reserved."""
        self.filter(player=player).update(player=None, name="")
        self.get_or_create(look=look_of(player.name), defaults={"given_up_at": None})


class FormerName(models.Model):
    """A name that `player` had until `given_up_at`. All three are empty after the player was erased."""

    player = models.ForeignKey(
        Player, models.CASCADE, related_name="former_names", verbose_name=_("player"), null=True
    )
    name = models.CharField(_("name"), max_length=40, blank=True)
    look = models.CharField(max_length=64, unique=True, editable=False)
    given_up_at = models.DateTimeField(_("until"), null=True)

    objects = FormerNameQuerySet.as_manager()

    class Meta:
        verbose_name = _("former name")
        verbose_name_plural = _("former names")
        default_permissions = ()
        ordering = ("-given_up_at",)

    def __str__(self) -> str:
        return self.name


# Names for print


class PrintNameQuerySet(models.QuerySet["PrintName"]):
    def allowed(self) -> PrintNameQuerySet:
        return self.filter(agreed_at__isnull=False)

    def of(self, players: Collection[int]) -> Mapping[int, str]:
        """Returns the permitted names, by player."""
        return dict(self.allowed().filter(player__in=players).values_list("player", "name"))


class PrintName(models.Model):
    """A real name for print, printed only after `agreed_at`; `asked_at` is the request to the player."""

    player = models.OneToOneField(
        Player, models.CASCADE, related_name="print_name", verbose_name=_("player"), primary_key=True
    )
    name = models.CharField(_("name for print"), max_length=80)
    asked_at = models.DateTimeField(_("asked"), null=True, blank=True)
    agreed_at = models.DateTimeField(_("allowed"), null=True, blank=True)

    objects = PrintNameQuerySet.as_manager()

    class Meta:
        verbose_name = _("name for print")
        verbose_name_plural = _("names for print")
        default_permissions = ()

    def __str__(self) -> str:
        return self.name
