"""Refusing people: what a player may say about others, who are never told."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from pbem.players.models import Limit, Player, Refusing
from pbem.refusals import Code, Refused

MOST_REFUSED = 200


def may_write_to(sender: Player, reader: Player) -> bool:
    """Whether what `sender` says reaches `reader`."""
    return not reader.refusings.filter(refused=sender, blocked=True).exists()


def refuses(player: Player, other: Player, game: str) -> bool:
    """Whether `player` takes no challenge of `other` to the game with this key."""
    return player.refusings.filter(Q(game="") | Q(game=game) | Q(blocked=True), refused=other).exists()


def unwilling_among(players: Collection[int], game: str) -> list[Refusing]:
    """Which of them take no challenge of which others to the game with this key. One question."""
    said = Refusing.objects.filter(
        Q(game="") | Q(game=game) | Q(blocked=True), player__in=players, refused__in=players
    )
    return list(said.select_related("player", "refused").order_by("player__name", "refused__name", "pk"))


@transaction.atomic
def refuse(player: Player, other: Player, *, game: str = "", blocked: bool = False, now: datetime) -> None:
    """No challenges from `other` any more, to one game or to all; `blocked`: no messages either.

    Refuses C03 (oneself) and C12 (too many).
    """
    if player == other:
        raise Refused(Code.AGAINST_YOURSELF, name=other.name)
    if player.refusings.count() >= MOST_REFUSED:
        raise Refused(Code.TOO_MANY_REFUSED, limit=MOST_REFUSED)
    if not game:  # it says all that was said of single games
        player.refusings.filter(refused=other).delete()
    wish = {"since": now, "blocked": blocked}
    Refusing.objects.update_or_create(player=player, refused=other, game=game, defaults=wish)


def allow(player: Player, other: Player) -> None:
    """Everything again."""
    player.refusings.filter(refused=other).delete()


def limit(player: Player, game: str, most: int | None) -> None:
    """Challenges come only while fewer than `most` matches of the game ("": of all games) run; None: always."""
    if most is None:
        player.limits.filter(game=game).delete()
    else:
        Limit.objects.update_or_create(player=player, game=game, defaults={"most": most})
