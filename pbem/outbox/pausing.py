"""Addresses that send our letters back: letters wait, probes ask, opponents hear of it, clocks stand still."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction

from pbem.matches.deadlines import credit
from pbem.matches.models import Match
from pbem.outbox import telling
from pbem.outbox.catching_up import catch_up
from pbem.outbox.models import OutboundMail
from pbem.players.models import Address, Player
from pbem.players.score import points_for

PROBE = "probe"
PROBE_DAYS = (1, 3, 7, 14, 28, 56)  # after the pause began; then only the player himself ends it
QUIET = timedelta(days=2)  # a probe that has not come back by then has arrived
# After nothing but a quiet probe, the next hard bounce pauses the address again.
SCORE_AFTER_PROBE: Mapping[bool, int] = {True: 0, False: points_for("O02")}


def paused(address: Address, *, now: datetime) -> None:
    """Has just been: his letters go to another address of the player, or his opponents hear that none works."""
    player = Player.objects.get(pk=address.player_id)
    if player.addresses.working().exists():
        catch_up(player, lost=address.email, now=now)
        return
    player.unreachable_since = now
    player.save(update_fields=["unreachable_since"])
    _tell_opponents(player, "unreachable", now, now)


def hold(letter: OutboundMail, *, now: datetime) -> bool:
    """Whether the letter waits, because its address is paused. Probes go out."""
    address = Address.objects.filter(
        email=letter.address, player=letter.player, paused_at__isnull=False
    ).first()
    if address is None or letter.kind == PROBE:
        return False
    with transaction.atomic():
        OutboundMail.objects.filter(pk=letter.pk).update(
            status=OutboundMail.Status.HELD, verdict="O05", leased_until=None
        )
        player = Player.objects.get(pk=address.player_id)
        if player.addresses.working().exists():
            catch_up(player, lost=address.email, now=now)
    return True


@transaction.atomic
def probe(address: Address, *, now: datetime) -> OutboundMail:
    """A small letter to a paused address: if it does not come back, the address works."""
    address.probes += 1
    address.save(update_fields=["probes"])
    return telling.write_to_address(
        address.email,
        language=address.player.language,
        player=address.player,
        cause=_probe_cause(address),
        section={"kind": PROBE},
        now=now,
    )


def probe_or_resume(*, now: datetime) -> None:
    """For every paused address: the probe that is due, or the end of the pause if the last one has arrived.

    Some players have got another address meanwhile.
    """
    for address in Address.objects.filter(paused_at__isnull=False).select_related("player"):
        if _arrived(address, now):
            bring_back(address, now=now, alive=False)
        elif address.probes < len(PROBE_DAYS) and now >= _due(address):
            probe(address, now=now)
    lost = Player.objects.filter(unreachable_since__isnull=False)
    for player in lost.exclude(pk__in=Player.objects.unreachable()):
        with transaction.atomic():
            found(player, now=now)
            catch_up(player, now=now)


@transaction.atomic
def bring_back(address: Address, *, now: datetime, alive: bool = True) -> None:
    """The address works, and its player gets what he has missed. He has not written: `resume` is for when he has."""
    resume(address, now=now, alive=alive)
    catch_up(Player.objects.get(pk=address.player_id), now=now)


@transaction.atomic
def resume(address: Address, *, now: datetime, alive: bool = True) -> None:
    """The address works: its player or the organiser says so (`alive`), or a probe has arrived.

    The letters that waited are for `catch_up`, once everything else is done that brings him letters.
    """
    address.forget_bounces(SCORE_AFTER_PROBE[alive])
    found(Player.objects.get(pk=address.player_id), now=now)


def found(player: Player, *, now: datetime) -> None:
    """If letters reach him again, his clocks run and his opponents hear of it. Looks at the row, not at `player`."""
    lost = Player.objects.filter(pk=player.pk, unreachable_since__isnull=False)
    since = lost.values_list("unreachable_since", flat=True).first()
    if since is not None and player.addresses.working().exists():
        lost.update(unreachable_since=None)
        _give_back(player, since, now)
        _tell_opponents(player, "back", since, now)


def _due(address: Address) -> datetime:
    assert address.paused_at
    return address.paused_at + timedelta(days=PROBE_DAYS[address.probes])


def _arrived(address: Address, now: datetime) -> bool:
    sent = OutboundMail.objects.filter(
        cause=_probe_cause(address),
        address=address.email,
        status=OutboundMail.Status.SENT,
        sent_at__lte=now - QUIET,
    )
    return sent.filter(bounces__isnull=True).exists()


def _probe_cause(address: Address) -> str:
    assert address.paused_at
    return f"{PROBE}:{address.pk}:{_episode(address.paused_at)}:{address.probes}"


def _episode(since: datetime) -> str:
    return f"{since:%Y%m%dT%H%M%S}"


def _tell_opponents(player: Player, kind: str, since: datetime, now: datetime) -> None:
    """Once for each match and pause; that he is back, only to whom it was said that he was not."""
    for match in Match.objects.of(player).filter(status=Match.Status.PLAYING).order_by("pk"):
        seat = next(seat for seat in match.seated if seat.player_id == player.pk)
        opponent = seat.opponent.player
        cause = f"reach:{match.pk}:{player.pk}:{_episode(since)}"
        if kind == "unreachable" or telling.told(cause, opponent.email):
            telling.write_to_player(
                opponent,
                cause=cause if kind == "unreachable" else f"{cause}:back",
                section={"kind": kind, "name": player.name, "to_move": seat.is_to_move},
                match=match,
                ply=match.ply,
                now=now,
            )


def _give_back(player: Player, since: datetime, now: datetime) -> None:
    """The time in which it was his turn and he could not know it."""
    for match in Match.objects.of(player).timed().order_by("pk"):
        if match.moving and match.moving.player_id == player.pk:
            last = match.live_turns().values_list("played_at", flat=True).last() or match.started_at or since
            credit(Match.objects.filter(pk=match.pk), max(now - max(since, last), timedelta(0)))
