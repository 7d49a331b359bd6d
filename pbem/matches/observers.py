"""Observers of matches."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from pbem.matches.models import Match, Watching
from pbem.players.models import Player
from pbem.refusals import Code, Refused

MOST_WATCHED = 30  # matches in play, of one player
MOST_WATCHERS = 100  # of one match
LONGEST_DELAY = 50  # turns


@transaction.atomic
def watch(player: Player, number: int, *, delay: int = 0, now: datetime) -> Watching:
    """Follows a match from now on, or changes how it is followed."""
    match = Match.objects.filter(pk=number, status=Match.Status.PLAYING).locked().first()
    if match is None or match.agreed.private:
        raise Refused(Code.NOT_WATCHABLE, number=number)
    if any(seat.player_id == player.pk for seat in match.seated):
        raise Refused(Code.OWN_MATCH, match=match)
    chosen = {"delay": min(delay, LONGEST_DELAY)}
    watching, new = Watching.objects.get_or_create(
        match=match, player=player, defaults={**chosen, "since": now, "told": max(0, match.ply - delay)}
    )
    if not new:
        Watching.objects.filter(pk=watching.pk).update(**chosen)
        watching.refresh_from_db()
        watching.match = match
    elif match.watchers >= MOST_WATCHERS or _watched_by(player) > MOST_WATCHED:
        raise Refused(Code.TOO_MANY_WATCHED, limit=MOST_WATCHED)
    else:
        _count(match, 1)
    return watching


@transaction.atomic
def unwatch(player: Player, number: int) -> Match:
    """Stops following; returns the match."""
    watching = Watching.objects.select_related("match").filter(player=player, match_id=number).first()
    if watching is None:
        raise Refused(Code.NOT_WATCHING, number=number)
    watching.delete()
    _count(watching.match, -1)
    return watching.match


def watching_of(player: Player, number: int) -> Watching | None:
    return Watching.objects.select_related("match").filter(player=player, match_id=number).first()


def _watched_by(player: Player) -> int:
    return Watching.objects.filter(player=player, match__status=Match.Status.PLAYING).count()


def _count(match: Match, more: int) -> None:
    """Counts observers."""
    # Denormalised: saves a query on each move.
    Match.objects.filter(pk=match.pk).update(watchers=F("watchers") + more)
    match.watchers += more
