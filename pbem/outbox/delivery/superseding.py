"""Which turn letters need not be sent any more: their reader has moved, or a later letter tells more."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.matches.models import Event
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.kinds import Trait, kinds

Status = OutboundMail.Status
SHOW_THE_BOARD = kinds(Trait.SHOWS_BOARD)


@dataclass(frozen=True)
class Overtaken:
    """`by` is the letter that says more; None where the reader has moved, and is told nothing new."""

    by: OutboundMail | None


def overtaken(row: OutboundMail) -> Overtaken | None:
    """Of a letter that shows a turn and nothing else. One that carries a message is never overtaken.

    Nor is one whose successor cannot be written or delivered: the latest board that can reach the reader does.
    """
    if row.match is None or row.ply is None or row.match.ply <= row.ply:
        return None
    if any(section["kind"] != "turn" for section in row.sections) or _has_message(row):
        return None
    later = _later(row)
    return Overtaken(later) if later or _has_moved(row) else None


def _has_message(row: OutboundMail) -> bool:
    assert row.match
    told = Event.objects.filter(pk__in=[section["event"] for section in row.sections])
    first = [facts["first"] for facts in told.values_list("facts", flat=True) if "first" in facts]
    return row.match.turns.filter(ply__in=first).exclude(message="").exists()


def _later(row: OutboundMail) -> OutboundMail | None:
    """The newest that is on its way, or was taken, and shows a later board of the match to the same reader."""
    to_him = OutboundMail.objects.filter(player=row.player_id, match=row.match_id, ply__gt=row.ply)
    alive = to_him.filter(status__in=(Status.WAITING, Status.SENT)).order_by("-ply", "-pk")
    shows = (more for more in alive if any(s["kind"] in SHOW_THE_BOARD for s in more.sections))
    return next(shows, None)


def _has_moved(row: OutboundMail) -> bool:
    assert row.match
    seat = next((seat for seat in row.match.seated if seat.player_id == row.player_id), None)
    return seat is not None and row.match.live_turns().filter(ply__gte=row.ply, side=seat.side).exists()
