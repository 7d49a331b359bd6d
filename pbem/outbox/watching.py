"""Tells those who follow a match what can be seen of it: boards, never what the players say."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction

from pbem.matches.models import Event, Watching
from pbem.outbox.telling import write_to_player

OVER = {Event.Kind.ENDED, Event.Kind.VOIDED}
SEEN = {Event.Kind.MOVED, *OVER}
MORNING = time(7)  # of the watcher
AT_ONCE = 500  # letters of a sweep


def tell_watchers(event: Event) -> None:
    """A subscriber of `pbem.matches.events`, in the transaction of the event."""
    match = event.match
    if not match.watchers or event.kind not in SEEN:
        return
    over = event.kind in OVER
    watchings = match.watchings.filter(player__suspended_at__isnull=True).select_related("player")
    for watching in watchings.prefetch_related("player__addresses"):
        watching.match = match
        if watching.shown == watching.told and not over:
            continue  # so early in the match that he sees nothing yet
        if over or not watching.daily:
            _tell(watching, f"watching:{match.pk}:{event.letter or event.pk}", now=event.happened_at)
        elif watching.due_at is None:
            watching.due_at = next_morning(ZoneInfo(watching.player.zone), event.happened_at)
            watching.save(update_fields=["due_at"])


def tell_daily(*, now: datetime) -> None:
    """Every watcher whose morning has come hears what was played since his last letter."""
    for pk in Watching.objects.due(now).order_by("due_at").values_list("pk", flat=True)[:AT_ONCE]:
        with transaction.atomic():
            watching = Watching.objects.due(now).select_for_update(of=("self",)).filter(pk=pk).first()
            if watching:
                _tell(watching, f"watching:{pk}:{watching.due_at:%Y%m%d}", now=now)


def next_morning(zone: ZoneInfo, now: datetime) -> datetime:
    """The next seven o'clock there; where that hour is skipped or comes twice, about then."""
    local = now.astimezone(zone)
    today = datetime.combine(local.date(), MORNING, zone)
    return today if today > now else datetime.combine(local.date() + timedelta(days=1), MORNING, zone)


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
