"""Who may challenge whom: what a player has said about others, and how many matches are enough for them."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db.models import F, Q

from pbem.matches.models import Match, MatchQuerySet, Seat
from pbem.players.blocks import refuses
from pbem.players.models import Player
from pbem.refusals import Code, Refused


def may_challenge(challenger: Player, opponent: Player, game: str, now: datetime) -> bool:
    """Whether `opponent` takes a challenge of `challenger` to the game with this key at present.

    Why not is nobody's business: a limit that is reached and a refusal look the same.
    """
    return not refuses(opponent, challenger, game) and has_room(opponent, game)


def against_a_wish() -> MatchQuerySet:
    """What has hardly begun in a tournament between a player and somebody whose challenges they refuse."""
    of_game = Q(match__game_name__startswith=F("player__refusings__game"))  # "" is of all
    seats = Seat.objects.filter(
        Q(player__refusings__blocked=True) | of_game,
        player__refusings__refused=F("match__seats__player"),
        match__tournament__isnull=False,
        match__status=Match.Status.PLAYING,
        match__ply__lt=2,
    )
    return Match.objects.filter(pk__in=seats.values("match"))


def has_room(player: Player, game: str) -> bool:
    """Whether the player's own limits leave room for one more match of the game with this key."""
    limits = {limit.game: limit.most for limit in player.limits.filter(game__in=("", game))}
    return all(_running(player, key) < most for key, most in limits.items())


def check_room_for_robots(player: Player) -> None:
    """Refuses C25: a robot is never tired, and others want to play with it, too."""
    if with_robots(player).count() >= settings.ROBOT_MATCHES:
        raise Refused(Code.TOO_MANY_ROBOTS, limit=settings.ROBOT_MATCHES)


def with_robots(player: Player) -> MatchQuerySet:
    """The matches that they play with robots at present."""
    playing = Match.objects.of(player).filter(status=Match.Status.PLAYING)
    return playing.filter(seats__in=Seat.objects.filter(player__robot__isnull=False))


def _running(player: Player, key: str) -> int:
    """How many matches of the game they are playing; key "": of all games."""
    playing = Match.objects.of(player).filter(status=Match.Status.PLAYING)
    named = Q(game_name=key) | Q(game_name__startswith=f"{key}:")
    return (playing.filter(named) if key else playing).count()
