"""Addresses that send our letters back: their letters wait, the opponents hear of it, the clock stands still."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from pbem.matches.clock.deadlines import give_back
from pbem.matches.models import Match
from pbem.outbox.delivery.redelivery import catch_up
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications import notify
from pbem.players.models import Address, Player
from pbem.queue.compiled_query import compiled_query
from pbem.refusals import Code

PROBE = "probe"


def paused(address: Address, *, now: datetime) -> None:
    """Has just been: letters go to another address of the player, or their opponents hear that none works."""
    player = Player.objects.get(pk=address.player_id)
    if player.addresses.working().exists():
        catch_up(player, lost=address.email, now=now)
        return
    player.unreachable_since = now
    player.save(update_fields=["unreachable_since"])
    _tell_opponents(player, "unreachable", now, now)


def hold(letter: OutboundMail, *, now: datetime) -> bool:
    """Whether the letter waits, because its address is paused. Probes go out."""
    if letter.player_id is None or letter.kind == PROBE or not _paused(letter.player_id, letter.address):
        return False
    with transaction.atomic():
        row = OutboundMail.objects.filter(pk=letter.pk)
        row.update(status=OutboundMail.Status.HELD, verdict=Code.SUPPRESSED, leased_until=None)
        player = Player.objects.get(pk=letter.player_id)
        if player.addresses.working().exists():
            catch_up(player, lost=letter.address, now=now)
    return True


@compiled_query
def _paused(player: int, email: str) -> QuerySet[Address]:
    return Address.objects.filter(player=player, email=email, paused_at__isnull=False)


@transaction.atomic
def bring_back(address: Address, *, now: datetime, score: int = 0) -> None:
    """The address works, and its player gets what they missed. They did not write: `resume` is for when they did."""
    resume(address, now=now, score=score)
    catch_up(Player.objects.get(pk=address.player_id), now=now)


@transaction.atomic
def resume(address: Address, *, now: datetime, score: int = 0) -> None:
    """The address works. `score` is what remains of its bounces.

    The letters that waited are for `catch_up`, once everything else is done that brings them letters.
    """
    address.forget_bounces(score)
    found(Player.objects.get(pk=address.player_id), now=now)


def found(player: Player, *, now: datetime) -> None:
    """If letters reach the player again, clocks run and opponents hear of it. Looks at the row, not at `player`."""
    lost = Player.objects.filter(pk=player.pk, unreachable_since__isnull=False)
    since = lost.values_list("unreachable_since", flat=True).first()
    if since is not None and player.addresses.working().exists():
        lost.update(unreachable_since=None)
        give_back(player, since, now)
        _tell_opponents(player, "back", since, now)


def episode(since: datetime) -> str:
    """What the causes of letters call a pause."""
    return f"{since:%Y%m%dT%H%M%S}"


def _tell_opponents(player: Player, kind: str, since: datetime, now: datetime) -> None:
    """Once for each match and pause; that they are back, only to whom it was said that they were not."""
    for match in Match.objects.of(player).filter(status=Match.Status.PLAYING).order_by("pk"):
        seat = next(seat for seat in match.seated if seat.player_id == player.pk)
        opponent = seat.opponent.player
        cause = f"reach:{match.pk}:{player.pk}:{episode(since)}"
        if kind == "unreachable" or notify.told(cause, opponent.email):
            notify.write_to_player(
                opponent,
                cause=cause if kind == "unreachable" else f"{cause}:back",
                section={"kind": kind, "name": player.name, "to_move": seat.is_to_move},
                match=match,
                ply=match.ply,
                now=now,
            )
