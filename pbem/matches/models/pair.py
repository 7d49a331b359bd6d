"""Two matches that were agreed on as one: the sides are changed in the second."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.matches.models.match import Match


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
