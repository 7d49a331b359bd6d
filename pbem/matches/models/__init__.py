"""Rows about matches."""

from pbem.matches.models.event import Event
from pbem.matches.models.life import Heartbeat, Outage, Part
from pbem.matches.models.match import Match, MatchQuerySet
from pbem.matches.models.seat import Seat
from pbem.matches.models.turn import Turn

__all__ = ["Event", "Heartbeat", "Match", "MatchQuerySet", "Outage", "Part", "Seat", "Turn"]
