"""Seats of players in matches."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.matches.clock.control import Bank
from pbem.players.models import Player, new_salt
from pbem.queue.sql import save

CLOCK = ("bank_left", "bank_used", "running_since", "free", "calendar_since")


class Seat(models.Model):
    """A player's seat in a match. Its salt makes their reply addresses; a new salt revokes them."""

    match = models.ForeignKey("Match", models.CASCADE, related_name="seats", verbose_name=_("match"))
    side = models.PositiveSmallIntegerField(_("side"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats", verbose_name=_("player"))
    salt = models.BinaryField(max_length=16, default=new_salt, editable=False)
    revoked_salts = models.JSONField(default=list, editable=False)
    bank_left = models.DurationField(
        _("time left"), null=True, blank=True, help_text=_("When its clock began to run, or will begin.")
    )
    bank_used = models.DurationField(_("time used"), default=timedelta)
    running_since = models.DateTimeField(_("clock runs since"), null=True, blank=True)
    # Excluded from the current turn by earlier calendars, until `calendar_since`: [since, until, why].
    free = models.JSONField(default=list, editable=False)
    calendar_since = models.DateTimeField(null=True, blank=True, editable=False)

    conditionals = models.PositiveIntegerField(
        _("conditional lines"), default=0, help_text=_("How many its player has ever given.")
    )

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        indexes = [
            models.Index(
                fields=["running_since"],
                name="seat_running",
                condition=models.Q(running_since__isnull=False),
            )
        ]
        constraints = [models.UniqueConstraint(fields=["match", "side"], name="seat_once")]

    def __str__(self) -> str:
        return f"{self.player} [{self.match_id}]"

    @property
    def bank(self) -> Bank | None:
        """Returns the bank. None without a clock."""
        if self.bank_left is None:
            return None
        return Bank(self.bank_left, self.bank_used, self.running_since)

    def put(self, bank: Bank) -> None:
        """Saves the bank."""
        self.hold(bank)
        save(self, CLOCK)

    def hold(self, bank: Bank) -> None:
        """Sets the bank without saving."""
        if bank.since != self.running_since:
            self.free, self.calendar_since = [], None
        self.bank_left, self.bank_used, self.running_since = bank.left, bank.used, bank.since

    def revoke_tokens(self) -> None:
        """Revokes all reply addresses of the seat by a new salt."""
        self.revoked_salts = [*self.revoked_salts, bytes(self.salt).hex()]
        self.salt = new_salt()
        self.save(update_fields=["salt", "revoked_salts"])

    @property
    def opponent(self) -> Seat:
        return self.match.seated[1 - self.side]

    @property
    def is_to_move(self) -> bool:
        return self.match.to_move == self.side
