"""What happened in a match beside its moves, as its events tell: sides changed, hints, other players."""

from __future__ import annotations

from pbem.matches.models.event import Event
from pbem.players.models import Player


def swapped(match: int) -> bool:
    """Whether the second player has taken the first move over."""
    return Event.objects.filter(match=match, kind=Event.Kind.SWAPPED).exists()


def hinted(match: int) -> list[int]:
    """The plies before which a robot was asked for a hint."""
    told = Event.objects.filter(match=match, kind=Event.Kind.HINTED)
    return sorted(set(told.values_list("ply", flat=True)))


def replaced(match: int) -> list[tuple[int, str, str]]:
    """After how many turns somebody gave their place to another: (ply, the one, the other)."""
    told = Event.objects.filter(match=match, kind=Event.Kind.REPLACED).order_by("pk")
    events = list(told.values_list("ply", "facts"))
    names = Player.objects.in_bulk({facts[who] for _, facts in events for who in ("before", "after")})
    return [
        (ply, str(names.get(facts["before"], "?")), str(names.get(facts["after"], "?")))
        for ply, facts in events
    ]
