"""New reply addresses for a seat whose old ones somebody else may have, and the letter that brings them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from pbem.matches.models import Seat
from pbem.matches.services import revoke_tokens
from pbem.outbox.notifications.notify import write_to_player


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
