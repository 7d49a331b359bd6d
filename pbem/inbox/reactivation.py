"""A player who writes is alive: their address works, and they hear what they have missed."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet

from pbem.inbox.interpretation import Reading
from pbem.inbox.models import InboundMail
from pbem.inbox.recipient import UnsubscribeRecipient, answered_by
from pbem.mail.authentication.policy import Decision, Dmarc
from pbem.outbox.delivery.probes import ask_whether_it_works
from pbem.outbox.delivery.redelivery import catch_up
from pbem.outbox.delivery.suppression import PROBE, found, resume
from pbem.outbox.notifications.notify import write_to_player
from pbem.players.models import Address, Player
from pbem.queue.compiled_query import compiled_query

BELIEVED = (
    Decision.APPLY,
    Decision.MEETING,
    Decision.CONFIRM,
    Decision.STALE_MOVE,
    Decision.STALE_CONFIRM,
)


def reactivate(reading: Reading, now: datetime) -> list[Player]:
    """Forget the bounces of the address that a person has written from; whose it is, if there were any.

    Where anybody may have written it, say an opponent who would like a clock to run, the address itself is asked.
    """
    if not reading.sender or reading.works or reading.glance.automatic or reading.dmarc is Dmarc.FAIL:
        return []
    addresses = _blamed(reading.sender)
    if not _is_certain(reading):
        for address in addresses:
            ask_whether_it_works(address, now=now)
        return []
    for address in addresses:
        if address.paused_at:
            resume(address, now=now)
        else:
            address.forget_bounces()
    return [address.player for address in addresses]


def _is_certain(reading: Reading) -> bool:
    """Whether it came from there: a provider says so, or it answers the letter of now, or our own question."""
    recipient = reading.recipient
    if not reading.identified or recipient is None:
        return False
    answered = answered_by(recipient)
    asked = answered is not None and answered.kind == PROBE
    return reading.dmarc is Dmarc.PASS or recipient.state == "current" or asked


@compiled_query
def _blamed(email: str) -> QuerySet[Address]:
    blamed = Q(paused_at__isnull=False) | Q(bounce_score__gt=0)
    return Address.objects.verified().filter(blamed, email=email).select_related("player")


def tell_what_was_missed(row: InboundMail, reading: Reading, revived: list[Player], now: datetime) -> None:
    """After the letter's own answers, which may say some of it."""
    player = reading.player
    lost = player is not None and player.unreachable_since is not None and player not in revived
    if player and lost and player.addresses.working().exists():
        found(player, now=now)  # their letter has brought a new address
        revived = [*revived, player]
    for returned in revived:
        catch_up(returned, now=now)
    goodbye = isinstance(reading.recipient, UnsubscribeRecipient)
    believed = reading.decision in BELIEVED and not reading.glance.automatic and not goodbye
    if player and believed and not player.complaint_mentioned:
        # Not to anyone who has just asked for letters again.
        silent = Player.objects.filter(pk=player.pk, complained_at__isnull=False).exists()
        if silent:
            section = {"kind": "complained"}
            write_to_player(player, cause=f"letter:{row.pk}", section=section, now=now, answers=True)
        Player.objects.filter(pk=player.pk).update(complaint_mentioned=True)
