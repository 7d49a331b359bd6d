"""What is done with the name that a player has in print: asked for, allowed, taken back."""

from __future__ import annotations

from datetime import datetime

from pbem.players.models import Player, PrintName


def ask(player: Player, name: str, *, now: datetime) -> PrintName:
    """The organiser wants to print it. What was allowed under another name is not allowed any more."""
    row, _new = PrintName.objects.update_or_create(
        player=player, defaults={"name": name.strip(), "asked_at": now, "agreed_at": None}
    )
    return row


def allow(player: Player, name: str = "", *, now: datetime) -> None:
    """The player allows the name that was asked for, or their own words for it."""
    if name.strip():
        PrintName.objects.update_or_create(player=player, defaults={"name": name.strip(), "agreed_at": now})
    else:
        PrintName.objects.filter(player=player).update(agreed_at=now)


def withdraw(player: Player) -> None:
    """Nothing is kept of it."""
    PrintName.objects.filter(player=player).delete()
