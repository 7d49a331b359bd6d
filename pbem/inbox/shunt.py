"""Shunts letters that cannot be processed; their match stands still until the organiser decides."""

from __future__ import annotations

import logging
import re
from datetime import datetime

from django.conf import settings
from django.db import transaction

from pbem.inbox.models import InboundMail
from pbem.inbox.recipient import ConfirmRecipient, MoveRecipient, seat_of
from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.responder import Responder
from pbem.mail.parsing.headers import HeaderSummary, summarise
from pbem.matches.models import Match
from pbem.outbox.delivery.clock_start import hold, let_go
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import Section
from pbem.players.models import Player
from pbem.queue.faults import verdict_of

log = logging.getLogger(__name__)
_NAMED = re.compile(
    r"\[(\d{1,9})\]|^\s*(\d{1,9})\b"
)  # the Subject of our letters, or the match before a command


def shunt(row: InboundMail, trouble: str, now: datetime) -> None:
    """Shunts the letter and holds its match from its arrival. The caller has locked the row."""
    row.verdict = verdict_of(trouble)
    row.holds = hold(_match_of(row), row.received_at)
    log.error("%s: letter %s was shunted: %s", row.verdict, row.pk, trouble)
    _tell(row, now)
    match = row.holds or row.match
    row.shunt(row.verdict, trouble, opened_at=now, reading=row.reading, holds=row.holds, match=match)


def done_with(row: InboundMail, now: datetime) -> None:
    """Releases the match that the letter held, in the transaction that completes or drops it."""
    if row.holds_id is None:
        return
    match, row.holds = row.holds_id, None
    row.save(update_fields=["holds"])
    let_go(match, now)


@transaction.atomic
def drop(row: InboundMail, why: str, now: datetime) -> None:
    """Drops the letter, for the organiser."""
    row.drop(why, now)
    done_with(row, now)


def _match_of(row: InboundMail) -> int | None:
    """The match of the address, or at `play@` of the Subject or the answered letter. None when unknown."""
    recipient = resolve_recipient(row.recipient, row.received_at)
    if recipient is None or recipient.state == "revoked":
        return None
    if isinstance(recipient, MoveRecipient | ConfirmRecipient):
        return recipient.match.pk if recipient.match else None
    try:
        headers = summarise(bytes(row.raw), own_domain=settings.MAIL_DOMAIN)
    except Exception:  # the letter may be malformed
        return None
    return _named(headers) if headers.automatic is None and headers.author else None


def _named(headers: HeaderSummary) -> int | None:
    players = list(Player.objects.writing_from(headers.author))
    theirs = Match.objects.filter(seats__player__in=players)
    named = _NAMED.search(headers.subject)
    if named and (found := theirs.filter(pk=int(named[1] or named[2])).first()):
        return found.pk
    letters = OutboundMail.objects.filter(player__in=players, message_id__in=headers.correlates[:20])
    return letters.order_by("-pk").values_list("match_id", flat=True).first()


def _tell(row: InboundMail, now: datetime) -> None:
    """Tells the player, in answer to a letter of their match, that they need do nothing."""
    recipient = resolve_recipient(row.recipient, row.received_at)
    if seat := seat_of(recipient):
        stands_still = row.holds is not None and row.holds.agreed.control is not None
        responder = Responder(row, row.account.startswith("seat:"), now)
        section: Section = {"kind": "refused", "code": row.verdict, "stands_still": stands_still}
        responder.tell_player(seat.player, section, match=seat.match)
        row.reading = row.reading | responder.facts
