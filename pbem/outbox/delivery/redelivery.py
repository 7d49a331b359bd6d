"""Replaces undelivered letters by one per match with the current board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Q

from pbem.matches.models import Event, Match
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications import match_events, notify
from pbem.outbox.notifications.kinds import Trait, kinds
from pbem.players.models import Player
from pbem.refusals import Code

Status = OutboundMail.Status
STANDS = kinds(Trait.STANDS)  # the current board covers the other kinds
SENT_AGAIN = kinds(Trait.SENT_AGAIN)


@dataclass
class Missed:
    """Undelivered sections about one match; `newest` is the last undelivered letter."""

    sections: list[notify.Section] = field(default_factory=list)
    newest: int = 0


def catch_up(player: Player, *, now: datetime, lost: str = "") -> None:
    """Tells a player what they missed, and suppresses the undelivered letters.

    `lost` is their address that no longer works: they learn that letters go to another one.
    """
    rows = list(_undelivered(player))
    missed = _by_match(rows)
    for match in Match.objects.filter(pk__in=missed).order_by("pk"):
        _tell(player, match, missed[match.pk], lost, now)
    again = [row for row in rows if row.kind in SENT_AGAIN and row.match_id is None]
    for row in again:
        _send_again(row, player, now)
    if lost and not missed and not again:
        cause = f"lost:{player.pk}:{lost}:{now:%Y%m%d}"
        notify.write_to_player(player, cause=cause, section={"kind": "resumed", "lost": lost}, now=now)
    forgotten = OutboundMail.objects.filter(pk__in=[row.pk for row in rows if row not in again])
    forgotten.update(status=Status.SUPPRESSED, verdict=Code.SUPPRESSED, leased_until=None)


def _undelivered(player: Player) -> Iterable[OutboundMail]:
    came_back = Q(status=Status.FAILED, bounces__isnull=False)
    return player.letters.filter(Q(status=Status.HELD) | came_back).order_by("pk").distinct()


def _by_match(rows: list[OutboundMail]) -> dict[int, Missed]:
    """Groups the undelivered sections by match: the section's own, else the letter's."""
    events = {section["event"] for row in rows for section in _told(row) if "event" in section}
    match_of: dict[Any, int] = dict(Event.objects.filter(pk__in=events).values_list("pk", "match_id"))
    missed: defaultdict[int, Missed] = defaultdict(Missed)
    for row in rows:
        for section in _told(row):
            about = match_of.get(section.get("event"), section.get("match") or row.match_id)
            if about is not None:
                missed[about].sections.append(section)
                missed[about].newest = row.pk
    return dict(missed)


def _told(row: OutboundMail) -> Iterable[notify.Section]:
    """Returns the letter's sections, with digests split into their news."""
    return (each for section in row.sections for each in section.get("news", [section]))


def _tell(player: Player, match: Match, missed: Missed, lost: str, now: datetime) -> None:
    standing = [section for section in map(_standing, missed.sections) if section]
    board: list[notify.Section] = []
    plays = any(seat.player_id == player.pk for seat in match.seated)
    if plays and match.status == Match.Status.PLAYING and not _knows(player, match, missed.newest):
        board = [{"kind": "board", "match": match.pk}]
    if match.status == Match.Status.PROPOSED:
        standing += [section for section in missed.sections if section["kind"] == "challenge"]
    if not standing and not board:
        return
    for section in ({"kind": "resumed", "lost": lost}, *standing, *board):
        notify.write_to_player(
            player,
            cause=f"resumed:{player.pk}:{missed.newest}:{match.pk}",
            section=section,
            match=match,
            ply=match.ply,
            now=now,
            answers=player.silent_since is None,
        )


def _send_again(row: OutboundMail, player: Player, now: datetime) -> None:
    row.address, row.status, row.verdict = player.email, Status.WAITING, ""
    row.attempts = row.failures = 0
    row.next_try_at, row.leased_until = now, None
    row.save()  # the sweep enqueues it


def _standing(section: notify.Section) -> notify.Section | None:
    """Returns a section that is still news, or the message sent with its move. None otherwise."""
    if section["kind"] in STANDS:
        return section
    if "event" not in section or not match_events.says(Event.objects.get(pk=section["event"])):
        return None
    return {"kind": "message", "event": section["event"]}


def _knows(player: Player, match: Match, newest: int) -> bool:
    """Tells whether a later letter about the match was sent or is waiting."""
    later = player.letters.filter(match=match, pk__gt=newest)
    return later.filter(status__in=(Status.SENT, Status.WAITING)).exists()
