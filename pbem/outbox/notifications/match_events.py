"""Notifies players of match events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, prefetch_related_objects

from pbem.competitions.news import SUBJECT
from pbem.matches.models import Event, Seat
from pbem.matches.takeback import held_until
from pbem.outbox.models import DigestItem, OutboundMail
from pbem.outbox.notifications.notify import (
    RECEIPT,
    Notification,
    Section,
    has_left,
    notify,
    withdraw,
    write_to_player,
)
from pbem.players.models import Player
from pbem.refusals import Code

Kind = Event.Kind
# Time that a letter waits for a robot's move to be included.
ROBOT_ANSWERS = timedelta(minutes=2)

FIRST = 3  # receipts: a newcomer sees that it works
ALARM = "alarm"  # in the facts of a move that may not be the player's: the receipt is their alarm

# The sections for the event's author and for the other seat; both get the second when no player caused it.
# Contests are in `announcements`, absences in `direct_messages`.
SECTIONS: dict[str, tuple[str, str]] = {
    Kind.PROPOSED: ("challenged", "challenge"),
    Kind.DECLINED: ("declined", "declined"),
    Kind.STARTED: ("turn", "turn"),
    Kind.MOVED: ("played", "turn"),
    Kind.OFFERED: ("offered", "offer"),
    Kind.REJECTED: ("rejected", "rejected"),
    Kind.SAID: ("said", "message"),
    Kind.ENDED: ("result", "result"),
    Kind.FLAGGED: ("overstepped", "overstepped"),
    Kind.ASKED: ("asked", "asks"),
    Kind.DENIED: ("denied", "denied"),
    Kind.WITHDRAWN: ("denied", "denied"),
    Kind.PAUSED: ("paused", "paused"),
    Kind.GAVE: ("gave", "given"),
    Kind.REMINDED: ("reminder", ""),
    Kind.UNDONE: ("undone", "undone"),
    Kind.REPLACED: ("replaced", "replaced"),
    Kind.STOPPED: ("stopped", "stopped"),
    Kind.RESUMED: ("goes_on", "goes_on"),
    Kind.IMPORTED: ("imported", "imported"),
    Kind.VOIDED: ("voided", "voided"),
    Kind.EXTENDED: ("given", "given"),
    Kind.SWAPPED: ("swapped", "swapped"),
}


def tell(events: Sequence[Event]) -> None:
    """Subscribes to `pbem.matches.events`; writes a section for each seat in the transaction of the events."""
    for event in events:
        if event.kind == Kind.UNDONE:
            withdraw(event)
    notify(told for event in events for told in _told_of(event))


def _told_of(event: Event) -> Iterator[Notification]:
    for seat in event.match.seated if event.kind in SECTIONS and SUBJECT not in event.facts else ():
        if not (kind := _kind(event, seat)):
            continue
        answers = event.letter is not None and seat.side == event.side
        section: Section = {"kind": kind, "event": event.pk}
        told = Notification(
            seat.player,
            cause=_cause(event, answers=answers),
            section=section | (_receipt(event, seat) if kind == RECEIPT else {}),
            now=event.happened_at,
            match=event.match,
            ply=event.ply,
            answers=answers,
            fresh=event.letter is None,
            not_before=_not_before(event, kind, answers=answers),
            event=event,
        )
        waiting = _waiting_letter(event, seat) if kind in ("turn", "result") else None
        yield replace(told, cause=waiting.cause, fresh=False, not_before=told.now) if waiting else told


def _not_before(event: Event, kind: str, *, answers: bool) -> datetime | None:
    """Returns the time until which a letter waits. None when it leaves at once.

    Waits for the end of free take-back, or for the move of a robot.
    """
    match = event.match
    moving = match.moving if match.ended_at is None else None
    robot_moves = moving is not None and moving.player.robot is not None
    waits = kind == RECEIPT and not match.agreed.hold  # otherwise the answer comes in its own letter
    if robot_moves and (event.kind == Kind.STARTED or waits):
        return event.happened_at + ROBOT_ANSWERS
    held = kind == "turn" and match.agreed.hold and not answers
    return held_until(event, match) if held else None


def _waiting_letter(event: Event, seat: Seat) -> OutboundMail | None:
    """Returns the untried letter that the robot's move or the result joins. None when there is none."""
    match = event.match
    if match.agreed.hold or not seat.opponent.player.robot:
        return None
    letters = OutboundMail.objects.filter(player=seat.player, match=match, leased_until=None)
    letters = letters.filter(status=OutboundMail.Status.WAITING, attempts=0)
    if event.kind == Kind.MOVED:
        letters = letters.filter(ply=event.facts.get("first"), next_try_at__gt=event.happened_at)
    elif event.kind == Kind.ENDED:
        letters = letters.filter(ply=event.ply)
    else:
        return None
    letter = letters.select_for_update().first()
    ends = event.kind == Kind.ENDED
    kinds = [section["kind"] for section in letter.sections] if letter else []
    if letter and (kinds == [RECEIPT] or (ends and kinds == ["turn"])):
        letter.sections = []  # the new section covers all of it
        letter.save(update_fields=["sections"])
        return letter
    return None if ends else letter


def _kind(event: Event, seat: Seat) -> str:
    """Returns the section kind for this seat. Empty when it gets none."""
    by_author, by_other = SECTIONS[event.kind]
    own = seat.side == event.side
    kind = by_author if own else by_other
    if not kind:
        return ""
    if kind == "played" and event.facts.get("entered"):
        kind = "entered"
    if event.facts.get("itself"):
        kind = "cascade"
    if not event.facts.get("seen", True) and not own and not has_left(event, seat):
        return ""  # they have not been told of the move either
    again = own and event.match.moving is not None and event.match.moving.side == seat.side
    if kind == RECEIPT and seat.player.receipts is False and ALARM not in event.facts and not again:
        return ""  # where the opponent had to pass, the receipt alone says that it is their turn again
    if kind == "turn" and not seat.player.turns and says(event):
        return "message"  # wants no boards, but messages
    return kind


def _receipt(event: Event, seat: Seat) -> Section:
    """Returns the alarm of a receipt, and its number if it is one of the first. The last ends the receipts."""
    # Against a robot the answer takes the receipt's place.
    player = seat.player
    alarm: Section = {"alarm": event.facts[ALARM]} if ALARM in event.facts else {}
    if player.receipts is not None or player.robot or seat.opponent.player.robot:
        return alarm
    robots = Seat.objects.filter(match=OuterRef("match"), player__robot__isnull=False)
    moved = Event.objects.filter(
        ~Exists(robots), kind=Kind.MOVED, match__seats__player=player, match__seats__side=F("side")
    )
    number = moved[:FIRST].count()
    if number == FIRST and not alarm:  # otherwise the receipts go on
        Player.objects.filter(pk=player.pk).update(receipts=False)
    return alarm | {"number": number}


def _cause(event: Event, *, answers: bool) -> str:
    """Returns the cause: one for all answers to the writer, one per match for others, so that they can reply
    to each."""
    if event.letter is None:
        return f"event:{event.pk}"
    return f"letter:{event.letter}" if answers else f"letter:{event.letter}:{event.match_id}"


def says(event: Event) -> bool:
    """Tells whether a message was sent with the move."""
    ridden = event.match.turns.filter(ply=event.facts.get("first"))
    return ridden.exclude(message="").exists()


# Replaced players

Status = OutboundMail.Status


def part(events: Sequence[Event]) -> None:
    """Subscribes to `pbem.matches.events`: the last letter to a replaced player."""
    for event in events:
        if event.kind == Event.Kind.REPLACED:
            _part(event)


def _part(event: Event) -> None:
    player = Player.objects.filter(pk=event.facts.get("before")).first()
    if player is None:
        return
    prefetch_related_objects([player], "addresses")
    # Waiting letters would show the board of another player's match.
    DigestItem.objects.filter(player=player, match=event.match_id).delete()
    waiting = OutboundMail.objects.filter(match=event.match_id, player=player, leased_until__isnull=True)
    waiting.filter(status__in=(Status.WAITING, Status.HELD)).update(
        status=Status.SUPPRESSED, verdict=Code.SUPPRESSED
    )
    write_to_player(
        player,
        cause=f"event:{event.pk}",
        section={"kind": "parted", "event": event.pk},
        match=event.match,
        now=event.happened_at,
    )
