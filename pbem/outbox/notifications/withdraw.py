"""Keeps letters in that still wait, and would show turns which have been taken back."""

from __future__ import annotations

from pbem.matches.models import Event, Seat
from pbem.outbox.models import DigestItem, OutboundMail
from pbem.outbox.notifications.kinds import Trait, kinds
from pbem.refusals import Code

Status = OutboundMail.Status
SHOW_TURNS = kinds(Trait.SHOWS_TURNS)


def withdraw(event: Event) -> None:
    """After a roll-back. What else such a letter says still goes out; one that is being sent now goes as it is."""
    DigestItem.objects.filter(match=event.match_id, section__kind__in=SHOW_TURNS).delete()
    waiting = OutboundMail.objects.filter(match=event.match_id, status=Status.WAITING)
    for row in waiting.filter(leased_until__isnull=True):
        kept = [section for section in row.sections if section["kind"] not in SHOW_TURNS]
        if not kept:
            row.status, row.verdict = Status.SUPPRESSED, Code.SUPPRESSED
        elif kept != row.sections:
            row.sections, row.kind = kept, kept[0]["kind"]
        else:
            continue
        row.ply = min(row.ply or 0, event.ply)
        row.save(update_fields=["status", "verdict", "sections", "kind", "ply"])


def has_left(event: Event, seat: Seat) -> bool:
    """Whether the player has been told of the turns that are undone, by any letter."""
    later = OutboundMail.objects.filter(match=event.match_id, player=seat.player_id, ply__gt=event.ply)
    return later.exclude(status=Status.SUPPRESSED).exists()
