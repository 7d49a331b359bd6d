"""Confirms unsubscriptions while a clock runs, and renews reply addresses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from pbem.matches.models import Seat
from pbem.matches.services import revoke_tokens
from pbem.outbox.notifications.kinds import CLOCK_RUNS
from pbem.outbox.notifications.notify import write_to_player
from pbem.outbox.rendering.recipient import under_a_clock
from pbem.players.models import Player
from pbem.players.subscriptions import Subscription


def unsubscribe(player: Player, change: Callable[[], None], *, now: datetime) -> None:
    """Applies `change`, and sends one letter when it stops turn letters while a clock runs."""
    # Also after a complaint: the match could be lost unnoticed. It does not loop: a complaint about this
    # letter stops no further turn letters.
    if stops_turns(player, change):
        cause = f"unsubscribed:{player.pk}:{now:%Y%m%dT%H%M%S%f}"
        write_to_player(player, cause=cause, section={"kind": CLOCK_RUNS}, now=now, answers=True)


@transaction.atomic
def stops_turns(player: Player, change: Callable[[], None]) -> bool:
    """Applies `change`. True when it stops turn letters of a player with a running clock."""
    before = Player.objects.select_for_update().get(pk=player.pk)
    change()
    after = Player.objects.get(pk=player.pk)
    stopped = before.wants(Subscription.TURNS) and not after.wants(Subscription.TURNS)
    return stopped and bool(under_a_clock(player))


# Renewal of reply addresses


@transaction.atomic
def renew(seat: Seat, *, now: datetime) -> None:
    """Revokes all reply addresses of the seat, and sends the board with a new one."""
    revoke_tokens(seat)
    write_to_player(
        seat.player,
        cause=f"renewed:{seat.pk}:{len(seat.revoked_salts)}",
        section={"kind": "renewed", "match": seat.match_id},
        match=seat.match,
        ply=seat.match.ply,
        now=now,
        answers=True,
    )
