"""How often in a day a player may do what others get letters about."""

from __future__ import annotations

from pbem.inbox.handling.context import CommandContext
from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.matches.models import Seat
from pbem.refusals import Refused


def count(
    cap: str, context: CommandContext, *, refusal: str, seat: Seat | None = None, whom: str = ""
) -> None:
    """One more deed of this day, of the player, of their `seat`, or of `whom`; inside the transaction of the deed, so
    that a refused one is not counted."""
    whom = whom or (f"seat:{seat.pk}" if seat else f"player:{context.player.pk}")
    if take_place(cap, whom, context.now) is None:
        facts = {"match": seat.match} if seat else {}
        raise Refused(refusal, limit=CAPS[cap].most, **facts)
