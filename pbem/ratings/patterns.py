"""What may be more than chance, for the organiser to look at. Nothing follows from it by itself."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Max, QuerySet, Sum, Value

from pbem.players.models import Player

RECENTLY = timedelta(days=90)
EARLY = 20  # half-moves
MANY = 5


def who_resigns_early(now: datetime) -> QuerySet[Player]:
    """Players who have resigned many rated matches after a few moves, which makes a rating lower than a player is; the
    latest first. Each with `resigned`, how many, and `resigned_at`, when the last."""
    matches = Player.objects.filter(
        seats__match__rated__at__gte=now - RECENTLY,
        seats__match__rated__uncounted="",
        seats__match__reason="resigned",
        seats__match__winner=1 - F("seats__side"),
        seats__match__ply__lt=EARLY,
    )
    each = Value(1, models.IntegerField())
    counted = matches.annotate(resigned=Sum(each), resigned_at=Max("seats__match__rated__at"))
    return counted.filter(resigned__gte=MANY).order_by("-resigned_at", "pk")
