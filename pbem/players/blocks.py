"""Refusals and limits of challenges, blocked senders, and changes of preferences."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from pbem.players.models import Limit, Player, PlayerBlock
from pbem.refusals import Code, Refused

MOST_REFUSED = 200


def may_write_to(sender: Player, reader: Player) -> bool:
    """Returns whether messages of `sender` reach `reader`."""
    return not reader.refusings.filter(refused=sender, blocked=True).exists()


def refuses(player: Player, other: Player, game: str) -> bool:
    """Returns whether `player` refuses challenges of `other` to the game with this key."""
    return player.refusings.filter(Q(game="") | Q(game=game) | Q(blocked=True), refused=other).exists()


def unwilling_among(players: Collection[int], game: str) -> list[PlayerBlock]:
    """Returns the refusals among these players that apply to the game with this key. One query."""
    said = PlayerBlock.objects.filter(
        Q(game="") | Q(game=game) | Q(blocked=True), player__in=players, refused__in=players
    )
    return list(said.select_related("player", "refused").order_by("player__name", "refused__name", "pk"))


@transaction.atomic
def refuse(player: Player, other: Player, *, game: str = "", blocked: bool = False, now: datetime) -> None:
    """Refuses challenges from `other`, to one game or to all; `blocked` stops messages as well.

    Refuses C03 (oneself) and C12 (too many).
    """
    if player == other:
        raise Refused(Code.AGAINST_YOURSELF, name=other.name)
    if player.refusings.count() >= MOST_REFUSED:
        raise Refused(Code.TOO_MANY_REFUSED, limit=MOST_REFUSED)
    if not game:  # a refusal of all games replaces those of single games
        player.refusings.filter(refused=other).delete()
    wish = {"since": now, "blocked": blocked}
    PlayerBlock.objects.update_or_create(player=player, refused=other, game=game, defaults=wish)


def allow(player: Player, other: Player) -> None:
    """Removes all refusals of `other`."""
    player.refusings.filter(refused=other).delete()


def limit(player: Player, game: str, most: int | None) -> None:
    """Accepts challenges while fewer than `most` matches of the game ("": all games) run; None: always."""
    if most is None:
        player.limits.filter(game=game).delete()
    else:
        Limit.objects.update_or_create(player=player, game=game, defaults={"most": most})


# Preferences

# Hours change rarely: nights and weekends moved along with deadlines would give unlimited time.
HOURS = frozenset({"zone", "free_weekdays", "night_begins", "night_ends"})
HOURS_STAND = timedelta(days=30)
SECOND_THOUGHTS = timedelta(days=1)  # changes within this time count as one


def prefer(player: Player, wishes: Mapping[str, Any], *, now: datetime) -> None:
    """Writes `wishes` into the columns of `player`. Refuses K05 (hours changed recently)."""
    changed = {column: value for column, value in wishes.items() if getattr(player, column) != value}
    if HOURS & changed.keys() and _rests(player, changed):
        changed["calendar_since"] = _since(player, now)
    for column, value in changed.items():
        setattr(player, column, value)
    if changed:
        player.save(update_fields=list(changed))


def _rests(player: Player, changed: Mapping[str, Any]) -> bool:
    """Returns whether the clocks stand still at some hours, before or after the change."""
    columns = HOURS - {"zone"}
    return any(changed.get(column) or getattr(player, column) for column in columns)


def _since(player: Player, now: datetime) -> datetime:
    """Returns when the current change of hours began. Refuses K05."""
    began = player.calendar_since
    if began is None or now >= began + HOURS_STAND:
        return now
    if now > began + SECOND_THOUGHTS:
        raise Refused(Code.CALENDAR_KEPT)
    return began
