"""Models of matches, tournaments, clocks and events."""

from pbem.matches.models.conditional_line import ConditionalLine
from pbem.matches.models.event import Event, Watching
from pbem.matches.models.exempt_interval import (
    ClockTurn,
    Component,
    ExemptInterval,
    Heartbeat,
    Outage,
    Reason,
    Sweep,
)
from pbem.matches.models.match import Match, MatchQuerySet, Note, Offer, Pair
from pbem.matches.models.seat import Seat
from pbem.matches.models.seek import Invitation, InvitationQuerySet, Seek, SeekQuerySet, Taken
from pbem.matches.models.tournament import Announcement, Entry, Tournament, TournamentInvitation
from pbem.matches.models.turn import Turn

__all__ = [
    "Announcement",
    "ClockTurn",
    "Component",
    "ConditionalLine",
    "Entry",
    "Event",
    "ExemptInterval",
    "Heartbeat",
    "Invitation",
    "InvitationQuerySet",
    "Match",
    "MatchQuerySet",
    "Note",
    "Offer",
    "Outage",
    "Pair",
    "Reason",
    "Seat",
    "Seek",
    "SeekQuerySet",
    "Sweep",
    "Taken",
    "Tournament",
    "TournamentInvitation",
    "Turn",
    "Watching",
]
