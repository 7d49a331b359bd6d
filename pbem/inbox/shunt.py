"""Sets a message aside that our program cannot deal with: its match stands still until the organiser has decided."""

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
from pbem.mail.parsing.headers import Glance, glance
from pbem.matches.models import Match
from pbem.outbox.delivery.clock_start import hold, let_go
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.queue.faults import verdict_of

log = logging.getLogger(__name__)
_NAMED = re.compile(
    r"\[(\d{1,9})\]|^\s*(\d{1,9})\b"
)  # the Subject of our letters, or the match before a command


def shunt(row: InboundMail, trouble: str, now: datetime) -> None:
    """In the transaction that has locked the row. Its match has stood still since it arrived."""
    row.verdict = verdict_of(trouble)
    row.holds = hold(_match_of(row), row.received_at)
    log.error("%s: letter %s was shunted: %s", row.verdict, row.pk, trouble)
    _tell(row, now)
    match = row.holds or row.match
    row.shunt(row.verdict, trouble, opened_at=now, reading=row.reading, holds=row.holds, match=match)


def done_with(row: InboundMail, now: datetime) -> None:
    """It was carried out, or dropped: whatever it held goes on. In the transaction that says so."""
    if row.holds_id is None:
        return
    match, row.holds = row.holds_id, None
    row.save(update_fields=["holds"])
    let_go(match, now)


@transaction.atomic
def drop(row: InboundMail, why: str, now: datetime) -> None:
    """The organiser's verb: leave it as it is."""
    row.drop(why, now)
    done_with(row, now)


def _match_of(row: InboundMail) -> int | None:
    """That of the reply address, or of the question answered. A message to `play@` is looked at from outside: a match
    of the player whom its From names, if its Subject or the letter that it answers says which one."""
    recipient = resolve_recipient(row.recipient, row.received_at)
    if recipient is None or recipient.state == "revoked":
        return None
    if isinstance(recipient, MoveRecipient | ConfirmRecipient):
        return recipient.match.pk if recipient.match else None
    try:
        headers = glance(bytes(row.raw), own_domain=settings.MAIL_DOMAIN)
    except Exception:  # it may be what our program stumbles over
        return None
    return _named(headers) if headers.automatic is None and headers.author else None


def _named(headers: Glance) -> int | None:
    players = list(Player.objects.writing_from(headers.author))
    theirs = Match.objects.filter(seats__player__in=players)
    named = _NAMED.search(headers.subject)
    if named and (found := theirs.filter(pk=int(named[1] or named[2])).first()):
        return found.pk
    letters = OutboundMail.objects.filter(player__in=players, message_id__in=headers.correlates[:20])
    return letters.order_by("-pk").values_list("match_id", flat=True).first()


def _tell(row: InboundMail, now: datetime) -> None:
    """The fault is ours; anyone who answered a letter of their match hears that they need do nothing."""
    recipient = resolve_recipient(row.recipient, row.received_at)
    if seat := seat_of(recipient):
        stands_still = row.holds is not None and row.holds.agreed.control is not None
        responder = Responder(row, row.account.startswith("seat:"), now)
        section = {"kind": "refused", "code": row.verdict, "stands_still": stands_still}
        responder.tell_player(seat.player, section, match=seat.match)
        row.reading = row.reading | responder.facts
