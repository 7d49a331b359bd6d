"""Letters that stop while a clock runs: anyone who stops them hears that once more, and how to have them again."""

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
    """Do it, and write the one letter if it is called for.

    One for each stop, also after a complaint: the match would be lost without a word otherwise, maybe for a slip
    of the finger. It cannot go round: anyone who complains about it gets no turn letters any more, and stops none.
    """
    if stops_turns(player, change):
        cause = f"unsubscribed:{player.pk}:{now:%Y%m%dT%H%M%S%f}"
        write_to_player(player, cause=cause, section={"kind": CLOCK_RUNS}, now=now, answers=True)


@transaction.atomic
def stops_turns(player: Player, change: Callable[[], None]) -> bool:
    """Do it, and say whether the player got turn letters before, gets none now, and has a clock that runs."""
    before = Player.objects.select_for_update().get(pk=player.pk)
    change()
    after = Player.objects.get(pk=player.pk)
    stopped = before.wants(Subscription.TURNS) and not after.wants(Subscription.TURNS)
    return stopped and bool(under_a_clock(player))


# New reply addresses for a seat whose old ones somebody else may have, and the letter that brings
# them.


@transaction.atomic
def renew(seat: Seat, *, now: datetime) -> None:
    """Every reply address made for the seat is dead; its player gets the board of now with a new one."""
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
