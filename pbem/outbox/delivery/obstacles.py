"""What keeps letters that were born leased from leaving at once, in one question to the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from django.conf import settings
from django.db import connection

from pbem.outbox.delivery.throttling import SlowDomain
from pbem.outbox.models import OutboundMail
from pbem.players.models import Address


@dataclass(frozen=True)
class Road:
    """From us to a reader. `is_free`: nothing is in the way. `is_shared`: another player has the same mailbox."""

    is_free: bool
    is_shared: bool


def roads(letters: Sequence[OutboundMail], now: datetime) -> dict[int, Road]:
    """By the keys of those that are still ours.

    Not free is a domain that was slow lately, or has enough letters on their way to it, an address that is paused,
    and one that waits for an earlier letter about the match. Each lease is committed by now, so that of several
    senders the last to count sees too many.
    """
    moment = connection.ops.adapt_datetimefield_value(now)
    (lease,) = {letter.leased_until for letter in letters}
    until = connection.ops.adapt_datetimefield_value(lease)
    with connection.cursor() as cursor:
        cursor.execute(_question(len(letters)), [moment, moment, *(each.pk for each in letters), until])
        rows = cursor.fetchall()
    return {
        pk: Road(not (slow or waits or paused) and abreast <= settings.LETTERS_AT_ONCE, bool(shared))
        for pk, abreast, slow, waits, paused, shared in rows
    }


@cache
def _question(count: int) -> str:
    """By hand: to put it together costs Django ten times what the answer does."""
    letters, addresses = OutboundMail._meta.db_table, Address._meta.db_table
    return f"""
        SELECT ours.id,
               (SELECT count(*) FROM {letters} WHERE domain = ours.domain AND leased_until > %s),
               EXISTS (SELECT 1 FROM {SlowDomain._meta.db_table} WHERE domain IN (ours.domain, '')),
               EXISTS (SELECT 1 FROM {letters} AS other
                       WHERE other.match_id = ours.match_id AND other.address = ours.address
                         AND other.status = 'waiting' AND other.next_try_at <= %s AND other.id < ours.id),
               EXISTS (SELECT 1 FROM {addresses}
                       WHERE player_id = ours.player_id AND email = ours.address AND paused_at IS NOT NULL),
               EXISTS (SELECT 1 FROM {addresses}
                       WHERE email = ours.address AND player_id <> ours.player_id AND verified_at IS NOT NULL)
        FROM {letters} AS ours
        WHERE ours.id IN ({", ".join(["%s"] * count)}) AND ours.leased_until = %s
    """
