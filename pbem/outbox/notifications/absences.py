"""Tells each opponent once that a player goes away or is here again, however many matches they play."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pbem.matches.clock import absences
from pbem.matches.models import Event, Seat
from pbem.outbox.notifications.notify import Section, write_to_player
from pbem.players.blocks import may_write_to
from pbem.players.models import Absence, Player

KINDS = {Event.Kind.AWAY: "away", Event.Kind.BACK: "here_again"}


def tell_of_absence(events: Sequence[Event]) -> None:
    """A subscriber of `pbem.matches.events`. Where the clock runs on, the opponent has nothing to be told."""
    for event in events:
        _tell_of(event)


def _tell_of(event: Event) -> None:
    if event.kind not in KINDS or not event.match.agreed.rests:
        return
    seat = event.actor
    assert seat is not None
    section = {"kind": KINDS[Event.Kind(event.kind)], "name": seat.player.name, **event.facts}
    section |= _days(seat.player, event.facts["since"], event.facts["until"])
    if not may_write_to(seat.player, seat.opponent.player):
        section["message"] = ""
    cause = f"absence:{seat.player_id}:{event.kind}:{event.happened_at:%Y%m%dT%H%M%S}"
    _write(seat.opponent, cause, section, event)
    if event.facts["absence"] == Absence.Kind.AUTOMATIC and event.kind == Event.Kind.AWAY:
        _write(seat, cause, section | {"kind": "day_taken"}, event)


def section_for(player: Player, now: datetime, **changed: Any) -> Section:
    """What they have announced and have left. `changed` is what has just been `done` about which absence."""
    return {
        "kind": "absences",
        "absences": [facts_of(absence) for absence in absences.pending(player, now)],
        "left": absences.days_left(player, now),
        "unmoved": [str(match.pk) for match in absences.unmoved(player)],
        **changed,
    }


def facts_of(absence: Absence) -> dict[str, Any]:
    """What a section says of it."""
    since, until = absence.since.isoformat(), absence.until.isoformat()
    facts = {"absence": absence.kind, "since": since, "until": until, "message": absence.message}
    return facts | _days(absence.player, since, until)


def _days(player: Player, since: str, until: str) -> dict[str, Any]:
    """The first day of an absence and the last in the player's zone; a moment where it is not a whole day."""
    begin, end = (
        datetime.fromisoformat(moment).astimezone(ZoneInfo(player.zone)) for moment in (since, until)
    )
    whole = end.time() == datetime.min.time()
    return {
        "first": begin.date().isoformat(),
        "last": (end - timedelta(seconds=1)).date().isoformat() if whole else "",
    }


def _write(seat: Seat, cause: str, section: Section, event: Event) -> None:
    write_to_player(
        seat.player, cause=cause, section=section, match=seat.match, ply=seat.match.ply, now=event.happened_at
    )
