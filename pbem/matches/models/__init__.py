"""Rows about matches."""

from pbem.matches.models.bulletin import Bulletin, ChosenPosition, Commentary
from pbem.matches.models.conditional_line import ConditionalLine
from pbem.matches.models.event import Event
from pbem.matches.models.heartbeat import Component, Heartbeat, Sweep
from pbem.matches.models.invitation import Invitation, InvitationQuerySet
from pbem.matches.models.match import Match, MatchQuerySet
from pbem.matches.models.note import Note
from pbem.matches.models.observers import Watching, WatchingQuerySet
from pbem.matches.models.offer import Offer
from pbem.matches.models.pair import Pair
from pbem.matches.models.seat import Seat
from pbem.matches.models.seek import Seek, SeekQuerySet, Taken
from pbem.matches.models.stoppage import ClockTurn, Outage, Reason, Stoppage
from pbem.matches.models.tournament import Announcement, Entry, Tournament, TournamentInvitation
from pbem.matches.models.turn import Turn

__all__ = [
    "Announcement",
    "Bulletin",
    "ChosenPosition",
    "ClockTurn",
    "Commentary",
    "Component",
    "ConditionalLine",
    "Entry",
    "Event",
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
    "Stoppage",
    "Sweep",
    "Taken",
    "Tournament",
    "TournamentInvitation",
    "Turn",
    "Watching",
    "WatchingQuerySet",
]
