"""Asks the addresses that are paused, now and then, whether they work again."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction

from pbem.outbox.delivery.redelivery import catch_up
from pbem.outbox.delivery.suppression import PROBE, bring_back, episode, found
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications import notify
from pbem.players.bounce_score import points_for
from pbem.players.models import Address, Player
from pbem.refusals import Code

log = logging.getLogger(__name__)
PROBE_DAYS = (1, 3, 7, 14, 28, 56)  # after the pause began; then only a letter from there ends it
QUIET = timedelta(days=2)  # a probe that has not come back by then has arrived
# That no answer came back proves little: the next hard bounce pauses the address again.
SCORE_AFTER_QUIET = points_for(Code.HARD)


@transaction.atomic
def probe(address: Address, *, now: datetime) -> OutboundMail:
    """A small letter to a paused address: if it does not come back, the address works."""
    address.probes += 1
    address.save(update_fields=["probes"])
    return _write(address, _cause(address), now)


def ask_whether_it_works(address: Address, *, now: datetime) -> None:
    """The same at once, if it is paused, because somebody writes from there: at most once a day. No other probe is
    left out for it, and only its answer ends the pause."""
    cause = f"{PROBE}:{address.pk}:{now:%Y%m%d}"
    if address.paused_at is not None and not notify.told(cause, address.email):
        _write(address, cause, now)


def probe_or_resume(*, now: datetime) -> None:
    """For every paused address: the probe that is due, or the end of the pause if the last one has arrived.

    Some players have got another address meanwhile. What fails for one keeps no other waiting.
    """
    for address in Address.objects.filter(paused_at__isnull=False).select_related("player"):
        try:
            _ask(address, now)
        except Exception:
            log.exception("the paused address %s", address.pk)
    lost = Player.objects.filter(unreachable_since__isnull=False)
    for player in lost.exclude(pk__in=Player.objects.unreachable()):
        try:
            with transaction.atomic():
                found(player, now=now)
                catch_up(player, now=now)
        except Exception:
            log.exception("player %s, who can be reached again", player.pk)


def _ask(address: Address, now: datetime) -> None:
    if _arrived(address, now):
        bring_back(address, now=now, score=SCORE_AFTER_QUIET)
    elif _is_due(address, now):
        probe(address, now=now)


def _is_due(address: Address, now: datetime) -> bool:
    assert address.paused_at
    if address.probes >= len(PROBE_DAYS):
        return False
    return now >= address.paused_at + timedelta(days=PROBE_DAYS[address.probes])


def _arrived(address: Address, now: datetime) -> bool:
    sent = OutboundMail.objects.filter(
        cause=_cause(address),
        address=address.email,
        status=OutboundMail.Status.SENT,
        sent_at__lte=now - QUIET,
    )
    return sent.filter(bounces__isnull=True).exists()


def _write(address: Address, cause: str, now: datetime) -> OutboundMail:
    return notify.write_to_address(
        address.email,
        language=address.player.language,
        player=address.player,
        cause=cause,
        section={"kind": PROBE},
        now=now,
    )


def _cause(address: Address) -> str:
    assert address.paused_at
    return f"{PROBE}:{address.pk}:{episode(address.paused_at)}:{address.probes}"
