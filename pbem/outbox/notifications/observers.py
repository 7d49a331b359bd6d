"""Tells those who follow a match what can be seen of it: boards, never what the players say."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction

from pbem.matches.models import Event, Watching
from pbem.outbox.notifications.notify import write_to_player
from pbem.players.models import Player

OVER = {Event.Kind.ENDED, Event.Kind.VOIDED}
SEEN = {Event.Kind.MOVED, *OVER}
AT_ONCE = 500  # letters of a sweep


def tell_watchers(events: Sequence[Event]) -> None:
    """A subscriber of `pbem.matches.events`, in the transaction of the event."""
    for event in events:
        _tell_of(event)


def _tell_of(event: Event) -> None:
    match = event.match
    if not match.watchers or event.kind not in SEEN:
        return
    over = event.kind in OVER
    playing = [seat.player_id for seat in match.seated]  # a player who took a seat over has better letters
    watchings = match.watchings.filter(player__suspended_at__isnull=True).exclude(player__in=playing)
    watchings = watchings.select_related("player")
    for watching in watchings.prefetch_related("player__addresses"):
        watching.match = match
        if watching.shown == watching.told and not over:
            continue  # so early in the match that they see nothing yet
        if over or not watching.daily:
            _tell(watching, f"watching:{match.pk}:{event.letter or event.pk}", now=event.happened_at)
        elif watching.due_at is None:
            watching.due_at = next_hour(watching.player, event.happened_at)
            watching.save(update_fields=["due_at"])


def tell_daily(*, now: datetime) -> None:
    """Every watcher whose hour has come hears what was played since their last letter."""
    for pk in Watching.objects.due(now).order_by("due_at").values_list("pk", flat=True)[:AT_ONCE]:
        with transaction.atomic():
            watching = Watching.objects.due(now).select_for_update(of=("self",)).filter(pk=pk).first()
            if watching:
                _tell(watching, f"watching:{pk}:{watching.due_at:%Y%m%d}", now=now)


def next_hour(player: Player, now: datetime) -> datetime:
    """When their clock next shows the hour of daily letters; where summer time skips or repeats it, about then."""
    zone = ZoneInfo(player.zone)
    day, hour = now.astimezone(zone).date(), time(player.digest_hour)
    today = datetime.combine(day, hour, zone)
    return today if today > now else datetime.combine(day + timedelta(days=1), hour, zone)


def _tell(watching: Watching, cause: str, *, now: datetime) -> None:
    match, since = watching.match, min(watching.told, watching.shown)
    watching.told, watching.due_at = watching.shown, None
    watching.save(update_fields=["told", "due_at"])
    write_to_player(
        watching.player,
        cause=cause,
        section={"kind": "watched", "match": match.pk, "ply": watching.told, "since": since},
        match=match,
        ply=watching.told,
        now=now,
    )
