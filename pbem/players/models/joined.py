"""The addresses of a player as columns of a query that finds the player: one question less, again and again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q
from django.db.models.expressions import Combinable

from pbem.players.models.address import Address
from pbem.players.models.player import Player

_FIELDS = tuple(field.attname for field in Address._meta.concrete_fields if not field.is_relation)
_LATE = datetime.max.replace(tzinfo=UTC)


def columns(player: str) -> dict[str, Combinable]:
    """To annotate a query with, which then has a row for each address; `player` is the way to it, as `player__`."""
    blamed = Q(paused_at__isnull=False) | Q(bounce_score__gt=0)
    same = Address.objects.verified().filter(blamed, email=OuterRef(f"{player}addresses__email"))
    found: dict[str, Combinable] = {f"address_{name}": F(f"{player}addresses__{name}") for name in _FIELDS}
    return found | {"address_blamed": Exists(same)}


def know(rows: Iterable[tuple[Player, Any]]) -> None:
    """Each player knows the addresses that stand in these rows of such a query."""
    for player, row in rows:
        if player.known_addresses is None:
            player.known_addresses = []
        if row.address_id is not None:
            player.known_addresses.append(_address(player, row))
    for player, _ in rows:
        (player.known_addresses or []).sort(key=_order)


def _address(player: Player, row: Any) -> Address:
    address = Address(player_id=player.pk, **{name: getattr(row, f"address_{name}") for name in _FIELDS})
    address.is_blamed = bool(row.address_blamed)
    return address


def _order(address: Address) -> tuple[bool, float, datetime, int]:
    """That of the model."""
    first = address.put_first_at
    return first is None, -first.timestamp() if first else 0, address.verified_at or _LATE, address.pk
