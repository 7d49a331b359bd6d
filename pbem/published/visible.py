"""Decides what is public of a player and of a match; no page reads a match without asking here.

A match is shown as its more careful player wants; each name as its bearer wants. Robots have nothing to hide.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from pbem.matches.models import Match
from pbem.players.models import Player

GRACE = timedelta(days=30)  # after the question, before its silence counts
STEPS = tuple(Player.Site)  # from nothing to all


@dataclass(frozen=True)
class Shown:
    """What of a match is public: the names ("" for those that are not), and its first `plies` half-moves.

    `step` is that of the more careful player. `live` matches go on, and are shown late.
    """

    names: tuple[str, str]
    plies: int
    step: Player.Site
    live: bool

    @property
    def dated(self) -> bool:
        """Tells whether its days are public, and not the month alone."""
        return self.step is not Player.Site.UNNAMED

    @property
    def indexed(self) -> bool:
        return self.step is Player.Site.INDEXED


def step_of(player: Player, now: datetime) -> Player.Site:
    """Returns what the player shows; nothing until the question has had time to be read."""
    if player.robot is not None:
        return Player.Site.INDEXED
    step = Player.Site(player.site)
    if step is Player.Site.UNNAMED and (player.site_asked_at is None or now - player.site_asked_at < GRACE):
        return Player.Site.NO
    if player.suspended_at is not None and step is not Player.Site.NO:
        return Player.Site.UNNAMED
    return step


def is_named(player: Player, now: datetime) -> bool:
    return step_of(player, now) in (Player.Site.NAMED, Player.Site.INDEXED)


def is_indexed(player: Player) -> bool:
    """Tells whether search engines may keep the name of a player who is named."""
    return player.robot is not None or player.site == Player.Site.INDEXED


def shown(match: Match, now: datetime) -> Shown | None:
    """Returns what of a match is public. None for what is private, not begun, void, or hidden by a player."""
    going = match.status == Match.Status.PLAYING
    if match.agreed.private or not (going or match.status == Match.Status.OVER):
        return None
    players = [seat.player for seat in match.seated]
    steps = [step_of(player, now) for player in players]
    careful = min(steps, key=STEPS.index)
    if careful is Player.Site.NO or (going and careful is Player.Site.UNNAMED):
        return None
    first, second = (player.name if is_named(player, now) else "" for player in players)
    plies = max(0, match.ply - settings.SITE_DELAY) if going else match.ply
    return Shown((first, second), plies, careful, going)
