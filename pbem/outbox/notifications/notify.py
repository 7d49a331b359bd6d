"""Who hears of what: one table of events, and letters made of sections."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from pbem.matches.models import Event, Match
from pbem.matches.takeback import held_until
from pbem.outbox.models import SEND_MAIL, OutboundMail, again, message_id
from pbem.outbox.notifications import digests
from pbem.outbox.notifications.kinds import Trait, kinds, subscription_of
from pbem.outbox.notifications.withdraw import has_left, withdraw
from pbem.players.models import Player
from pbem.queue.compiled_query import compiled_query
from pbem.queue.enqueue import enqueue_on_commit

Kind = Event.Kind
WAITING = OutboundMail.Status.WAITING
Section = dict[str, Any]

# What happened: what its author is told, what the other seat is told (both seats, if nobody at the board did it).
# Who is away is in `pbem.outbox.notifications.absences`: it concerns all matches of a player.
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
    Kind.WITHDRAWN: ("withdrawn", "withdrawn"),
    Kind.PAUSED: ("paused", "paused"),
    Kind.GAVE: ("gave", "given"),
    Kind.REMINDED: ("reminder", ""),
    Kind.UNDONE: ("undone", "undone"),
    Kind.REPLACED: ("replaced", "replaced"),
    Kind.STOPPED: ("stopped", "stopped"),
    Kind.RESUMED: ("goes_on", "goes_on"),
    Kind.IMPORTED: ("imported", "imported"),
    Kind.VOIDED: ("voided", "voided"),
    Kind.EXTENDED: ("extended", "extended"),
    Kind.SWAPPED: ("swapped", "swapped"),
}
IN_RESULT = kinds(Trait.IN_RESULT)


def tell(event: Event) -> None:
    """The subscriber of `pbem.matches.events`: a section for each seat, in the transaction of the event."""
    if event.kind not in SECTIONS:
        return
    by_author, by_other = SECTIONS[event.kind]
    if event.kind == Kind.UNDONE:
        withdraw(event)
    for seat in event.match.seated:
        answers = event.letter is not None and seat.side == event.side
        kind = by_author if seat.side == event.side else by_other
        if not kind:
            continue
        if kind == "played" and event.facts.get("entered"):
            kind = "entered"
        if event.facts.get("itself"):
            kind = "cascade"
        if not event.facts.get("seen", True) and seat.side != event.side and not has_left(event, seat):
            continue  # they have not been told of the move either
        if kind == "played" and not seat.player.receipts:
            continue
        if kind == "turn" and not seat.player.turns and says(event):
            kind = "message"  # whoever wants no boards still wants to know what is said to them
        row = write_to_player(
            seat.player,
            cause=_cause(event, answers=answers),
            section={"kind": kind, "event": event.pk},
            match=event.match,
            ply=event.ply,
            now=event.happened_at,
            answers=answers,
        )
        if row and kind == "turn" and event.match.agreed.hold and not answers:
            row.next_try_at = held_until(event, event.match)
            row.save(update_fields=["next_try_at"])


def _cause(event: Event, *, answers: bool) -> str:
    """Whoever wrote gets one answer; whoever is told, a letter for each match, so that they can answer each."""
    if event.letter is None:
        return f"event:{event.pk}"
    return f"letter:{event.letter}" if answers else f"letter:{event.letter}:{event.match_id}"


def says(event: Event) -> bool:
    """Whether a message rode on the move."""
    ridden = event.match.turns.filter(ply=event.facts.get("first"))
    return ridden.exclude(message="").exists()


def write_to_player(
    player: Player,
    *,
    cause: str,
    section: Section,
    now: datetime,
    match: Match | None = None,
    ply: int | None = None,
    answers: bool = False,
) -> OutboundMail | None:
    """Tell a player, at their verified address. What they want no letters of, they get in `answers` to their own."""
    email = player.email
    if not email or not (answers or player.wants(subscription_of(section["kind"]))):
        return None
    if match is not None and digests.waits(player, section):
        digests.keep(player, section, match=match, ply=ply, now=now)
        return None
    return write_to_address(
        email,
        language=player.language,
        player=player,
        cause=cause,
        section=section,
        match=match,
        ply=ply,
        now=now,
    )


def write_to_address(
    address: str,
    *,
    language: str,
    cause: str,
    section: Section,
    now: datetime,
    player: Player | None = None,
    match: Match | None = None,
    ply: int | None = None,
) -> OutboundMail:
    """Add a section to the one letter that this cause brings to this reader.

    A cause that speaks again after its letter was tried, as a letter opened again does, brings another: the
    one that was tried may have arrived.
    """
    row = next((row for row in _letters(cause, address) if row.player_id == (player and player.pk)), None)
    if row is not None and (row.status != WAITING or row.attempts):
        return write_to_address(
            address,
            language=language,
            cause=again(cause),
            section=section,
            now=now,
            player=player,
            match=match,
            ply=ply,
        )
    if row is not None:
        _add(row, section, match, ply)
        return row
    row = new_letter(
        address,
        language=language,
        cause=cause,
        section=section,
        now=now,
        player=player,
        match=match,
        ply=ply,
    )
    row.save()
    enqueue_on_commit(SEND_MAIL, row.pk)
    return row


@compiled_query
def _letters(cause: str, address: str) -> QuerySet[OutboundMail]:
    """Newest first; several where players share a mailbox."""
    return OutboundMail.objects.filter(cause=cause, address=address)


def new_letter(
    address: str,
    *,
    language: str,
    cause: str,
    section: Section,
    now: datetime,
    player: Player | None = None,
    match: Match | None = None,
    ply: int | None = None,
) -> OutboundMail:
    """A letter that is in no table yet, and about to leave."""
    return OutboundMail(
        cause=cause,
        address=address,
        kind=section["kind"],
        sections=[section],
        language=language,
        player=player,
        match=match,
        ply=ply,
        message_id=message_id(cause, address, player),
        created_at=now,
        next_try_at=now,
    )


def told(cause: str, address: str) -> bool:
    """Whether this cause has brought a letter to this address: for what is said only once."""
    return OutboundMail.objects.filter(cause=cause, address=address).exists()


def _add(row: OutboundMail, section: Section, match: Match | None, ply: int | None) -> None:
    if section in row.sections:
        return
    row.sections = _joined(row.sections, section)
    row.kind = row.sections[0]["kind"]
    if match and row.ply is None:
        row.match = match
    elif match and row.match_id != match.pk:
        row.match = None  # a letter about two matches belongs to neither
    row.ply = ply if ply is not None else row.ply
    row.save(update_fields=["sections", "kind", "ply", "match"])


def _joined(sections: list[Section], section: Section) -> list[Section]:
    if (
        section["kind"] == "watched"
    ):  # several turns at once are shown together, and the end with the last of them
        earlier = [s for s in sections if s["kind"] == "watched" and s["match"] == section["match"]]
        section = section | {"since": min(s["since"] for s in (section, *earlier))}
        sections = [s for s in sections if s not in earlier]
    if section["kind"] == "result":
        sections = [s for s in sections if s["kind"] not in IN_RESULT]
    return [*sections, section]
