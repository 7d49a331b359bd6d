"""Interprets a word of a search box: a number, a player, an address. Every lookup uses an index."""

from __future__ import annotations

from django.db import models

from pbem.players.models import Address, Player, fold
from pbem.players.names import skeleton

MOST_PLAYERS = 20
NEWEST = 100_000  # letters that are searched for an unknown address


def number(word: str) -> int | None:
    """Parses `12` and `[12]`. None when it is no number."""
    digits = word.strip().strip("[]#")
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 19 else None


def players(word: str) -> list[int]:
    """Returns the players with a name or address that begins with the word: `zoe` finds Zoë."""
    if not fold(word):
        return []
    named = Player.objects.filter(folded__startswith=fold(word)).order_by("folded")
    alike = Player.objects.filter(skeleton__startswith=skeleton(word)).order_by("skeleton")
    owners = Address.objects.filter(email__startswith=word.strip().lower()).order_by("email")
    return [
        *named.values_list("pk", flat=True)[:MOST_PLAYERS],
        *alike.values_list("pk", flat=True)[:MOST_PLAYERS],
        *owners.values_list("player", flat=True)[:MOST_PLAYERS],
    ]


def newest(rows: type[models.Model]) -> models.Q:
    """Returns the condition for the newest rows, to combine with conditions that have no index."""
    last = models.Subquery(
        rows._default_manager.order_by("-pk").values("pk")[:1], output_field=models.BigIntegerField()
    )
    return models.Q(pk__gt=last - models.Value(NEWEST, output_field=models.BigIntegerField()))
