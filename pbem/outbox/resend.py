"""Writes a letter of a match once more: a copy of its own, since the first may lie in a folder that nobody opens."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from pbem.matches.models import Seat
from pbem.outbox.models import SEND_MAIL, OutboundMail, message_id
from pbem.queue.enqueue import enqueue_on_commit
from pbem.refusals import Code, Refused


@transaction.atomic
def resend(seat: Seat, *, now: datetime) -> OutboundMail:
    """The newest letter about the match to its player, to where letters go now. Refuses D14 (none was written)."""
    written = OutboundMail.objects.filter(match=seat.match_id, player=seat.player_id)
    last = written.order_by("-pk").first()
    if last is None:
        raise Refused(Code.NO_LETTER, match=seat.match)
    cause, address = f"resent:{last.pk}", seat.player.email or last.address
    copy = OutboundMail.objects.create(
        cause=cause,
        address=address,
        kind=last.kind,
        sections=last.sections,
        language=seat.player.language,
        player=seat.player,
        match=seat.match,
        ply=last.ply,
        message_id=message_id(cause, address, seat.player),
        created_at=now,
        next_try_at=now,
    )
    enqueue_on_commit(SEND_MAIL, copy.pk)
    return copy
