"""A player's place in a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.models import Player, new_salt

if TYPE_CHECKING:
    pass


class Seat(models.Model):
    """A player's place in a match. Its salt makes his reply addresses; a new salt revokes them."""

    match = models.ForeignKey("Match", models.CASCADE, related_name="seats", verbose_name=_("match"))
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
