"""Sending: claim a letter, compose it, hand it over, mark what came of it."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterable
from datetime import datetime

from django.db.models import F

from pbem.bells import ring
from pbem.matches.models import Event
from pbem.moments import reach
from pbem.outbox import tasks
from pbem.outbox.bounces import count
from pbem.outbox.compose import compose
from pbem.outbox.fate import fate_of
from pbem.outbox.models import BACK_OFF, LEASE, MOST_ATTEMPTS, MOST_FAILURES, OutboundMail
from pbem.outbox.pausing import hold
from pbem.outbox.sender import Refusal, Sender, TemporaryFailure, default_sender

log = logging.getLogger(__name__)
Status = OutboundMail.Status


def due(*, now: datetime) -> Iterable[int]:
    return OutboundMail.objects.due(now).order_by("next_try_at").values_list("pk", flat=True)[:500]


def release_leases() -> None:
    """For whoever knows that nobody is sending now."""
    OutboundMail.objects.filter(status=Status.WAITING).update(leased_until=None)


def send(pk: int, *, now: datetime, sender: Sender | None = None) -> None:
    """One attempt. Whoever is killed between hand-over and mark sends a second copy with the same Message-ID."""
    row = _claim(pk, now)
    if row is None:
        return
    reach("taken-up")
    if _overtaken(row):
        _mark(row, status=Status.SUPPRESSED, verdict="O05")
        return
    if hold(row, now=now):
        return
    try:
        letter = compose(row)
        reach("composed")
        answer = (sender or default_sender()).send(letter.sender, row.address, letter.raw)
    except TemporaryFailure as failure:
        _try_later(row, str(failure), now)
    except Refusal as refusal:
        log.warning("letter %s to %s was refused: %s", row.pk, row.address, refusal)
        fate = fate_of(str(refusal))
        _mark(row, status=Status.FAILED, verdict=fate, answer=str(refusal), text=letter.text)
        count(row, fate, now=now, reply=str(refusal))
    except Exception:
        log.exception("letter %s cannot be written, attempt %s", row.pk, row.attempts)
        poison = row.attempts >= MOST_FAILURES
        _mark(row, status=Status.FAILED, verdict="S02") if poison else _try_later(row, "", now, verdict="S01")
    else:
        reach("handed-over")
        _mark(row, status=Status.SENT, verdict="", answer=answer, sent_at=now, text=letter.text)


def send_again(row: OutboundMail, *, now: datetime) -> None:
    """The organiser's verb: put a letter back in the queue; its copy has the same Message-ID."""
    _mark(row, status=Status.WAITING, verdict="", next_try_at=now, attempts=0)
    ring(tasks.send_mail, row.pk)


def _claim(pk: int, now: datetime) -> OutboundMail | None:
    claimed = OutboundMail.objects.due(now).filter(pk=pk)
    if not claimed.update(leased_until=now + LEASE, attempts=F("attempts") + 1):
        return None
    return OutboundMail.objects.select_related("match", "player").get(pk=pk)


def _overtaken(row: OutboundMail) -> bool:
    """A turn letter that says less than one that is already on its way, and carries no message."""
    if row.match is None or row.ply is None or row.match.ply <= row.ply:
        return False
    if any(section["kind"] != "turn" for section in row.sections):
        return False
    told = Event.objects.filter(pk__in=[section["event"] for section in row.sections])
    first = [facts["first"] for facts in told.values_list("facts", flat=True) if "first" in facts]
    return not row.match.turns.filter(ply__in=first).exclude(message="").exists()


def _try_later(row: OutboundMail, answer: str, now: datetime, verdict: str = "O01") -> None:
    if row.attempts > MOST_ATTEMPTS:
        _mark(row, status=Status.FAILED, verdict="O06", answer=answer)
        return
    pause = BACK_OFF[min(row.attempts, len(BACK_OFF)) - 1] * random.uniform(0.8, 1.2)
    _mark(row, status=Status.WAITING, verdict=verdict, answer=answer, next_try_at=now + pause)


def _mark(row: OutboundMail, **fields: object) -> None:
    OutboundMail.objects.filter(pk=row.pk).update(leased_until=None, **fields)
