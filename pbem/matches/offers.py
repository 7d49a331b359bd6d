"""Offers between the two players of a match: made, granted, declined, withdrawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.db import transaction
from django.db.models import F

from pbem.matches import conditional as keeping
from pbem.matches import plies
from pbem.matches.clock import service as clocks
from pbem.matches.clock import stops
from pbem.matches.clock.deadlines import check_in_time, is_late
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match, Offer, Seat
from pbem.matches.models.stoppage import swapped
from pbem.matches.plies import check_playing
from pbem.players.models import Player
from pbem.refusals import Code, Refused

# Takes a match back to an earlier turn: an event, never a delete.

Status = Match.Status


@transaction.atomic
def roll_back(
    match: Match,
    ply: int,
    *,
    now: datetime,
    side: int | None,
    reason: str = "",
    letter: int | None = None,
    seen: bool = True,
) -> Event:
    """Undo every turn from `ply` on (plies count from 0); a match that is over is open again.

    `side` is whose wish it was, None the organiser's. A pass that the rules forced goes with the move before
    it. Every reply address made so far is dead, since a letter may show a turn that is no more. `ply` may be
    where a match stands that ended off the board. If not `seen`, the opponent of `side` has not been told yet of
    what is undone, and never is. Refuses G10 and G11.
    """
    if match.status not in (Status.PLAYING, Status.OVER, Status.VOID):
        raise Refused(Code.NOT_BEGUN, match=match)
    if not 0 <= ply <= match.ply or (ply == match.ply and match.status == Status.PLAYING):
        raise Refused(Code.NO_SUCH_TURN, match=match, number=ply)
    stood = match.ply
    _stand_at(match, ply)
    while match.ply and plies.forced_pass(match) is not None:
        _stand_at(match, match.ply - 1)
    if plies.outcome(match) is not None:
        raise Refused(Code.NO_SUCH_TURN, match=match, number=ply)
    match.status, match.ended_at, match.winner, match.reason = Status.PLAYING, None, None, ""
    match.draw_offered_by = match.deadline = match.flagged_at = None
    match.turn_begins(now)
    match.turns_at_hand = None
    match.save()
    keeping.undo(match)
    if seen:
        clocks.begin_again(match, now)
    elif side is not None:
        clocks.unplay(match.seated[side], now)
    for seat in match.seated:
        if seen or seat.side == side:
            seat.revoke_tokens()
    facts = {"undone": stood - match.ply} | ({} if seen else {"seen": False})
    event = record_event(match, Event.Kind.UNDONE, now=now, side=side, letter=letter, reason=reason, **facts)
    match.live_turns().filter(ply__gte=match.ply).update(undone_by=event)
    match.offers.all().delete()  # what was asked for on a later board
    return event


def grant(offer: Offer, seat: Seat, *, now: datetime, arrived: datetime, letter: int | None) -> None:
    """The opponent agrees to what was asked for. Refuses G07 if somebody's time was over before that."""
    match = seat.match
    if is_late(match, arrived):
        raise Refused(Code.DEADLINE_PASSED, match=match)
    roll_back(match, offer.facts["ply"], now=now, side=seat.side, letter=letter)


def _stand_at(match: Match, ply: int) -> None:
    """The match as it stood after `ply` turns; nothing is saved."""
    last = match.live_turns().filter(ply=ply - 1).first()
    match.ply, match.position = ply, last.position if last else str(match.start_position())
    match.to_move = int(match.current().to_move)


class Grant(Protocol):
    """What the YES of `seat` brings; it writes the event that tells of it. The offer is gone already."""

    def __call__(
        self, offer: Offer, seat: Seat, *, now: datetime, arrived: datetime, letter: int | None
    ) -> None: ...


# What a YES brings, by what was asked for.
GRANTS: Mapping[str, Grant] = {
    Offer.Kind.PAUSE: stops.grant,
    Offer.Kind.UNDO: grant,
}


def make(
    seat: Seat,
    kind: Offer.Kind,
    *,
    now: datetime,
    arrived: datetime | None = None,
    letter: int | None = None,
    **facts: Any,
) -> None:
    """Ask the opponent; a player who asks for what the opponent asks for grants it. Refuses K10 while another offer of
    this seat stands.

    `facts` are what the kind needs to know, of values that JSON has.
    """
    match = seat.match
    theirs = standing(match, by=seat.opponent)
    if theirs and (theirs.kind, theirs.facts) == (kind, facts):
        accept(seat, now=now, arrived=arrived, letter=letter)
        return
    check_none_stands(seat)
    if match.draw_offered_by == seat.side:
        raise Refused(Code.OFFER_STANDS, match=match)
    Offer.objects.filter(match=match, side=seat.side).delete()  # a lapsed one
    Offer.objects.create(
        match=match,
        kind=kind,
        side=seat.side,
        facts=facts,
        made_at=now,
        ply=match.ply,
        until_ply=match.ply + (2 if seat.is_to_move else 1),
    )
    record_event(match, Event.Kind.ASKED, now=now, side=seat.side, letter=letter, offer=str(kind), **facts)


def check_none_stands(seat: Seat) -> None:
    """Refuses K10: one offer at a time, so that a YES that crosses it on its way cannot mean another."""
    if standing(seat.match, by=seat):
        raise Refused(Code.OFFER_STANDS, match=seat.match)


def standing(match: Match, *, by: Seat) -> Offer | None:
    """What this seat offers."""
    return Offer.objects.standing(match).filter(side=by.side).first()


def accept(seat: Seat, *, now: datetime, arrived: datetime | None = None, letter: int | None = None) -> None:
    """YES to what the opponent asks for, which came when its letter `arrived` (None: now). Refuses G08 if that is
    nothing."""
    offer = standing(seat.match, by=seat.opponent)
    if offer is None:
        raise Refused(Code.OFFER_GONE, match=seat.match)
    offer.delete()
    GRANTS[offer.kind](offer, seat, now=now, arrived=arrived or now, letter=letter)


def decline(seat: Seat, *, reason: str = "", now: datetime, letter: int | None = None) -> None:
    """NO to what the opponent asks for, else to what one asks for oneself. Refuses G08 if nothing stands."""
    match = seat.match
    theirs, own = standing(match, by=seat.opponent), standing(match, by=seat)
    offer = theirs or own
    if offer is None:
        raise Refused(Code.OFFER_GONE, match=match)
    offer.delete()
    kind = Event.Kind.DENIED if offer is theirs else Event.Kind.WITHDRAWN
    record_event(match, kind, now=now, side=seat.side, letter=letter, offer=offer.kind, reason=reason)


def forget(match: Match) -> None:
    """For anyone who takes turns back: what was asked for on a later board does not stand again on an earlier one."""
    Offer.objects.filter(match=match).delete()


# The pie rule: the second player may take the first move over as their own, and the sides are
# changed.

_NO_SIDE = 2  # while a seat has left its own side and the other is still taken


def may_swap(match: Match) -> bool:
    """Whether the player to move may change sides: once, after the first move, where the pie rule holds."""
    agreed = match.agreed.pie
    holds = match.game.pie if agreed is None else agreed
    return bool(holds) and match.ply == 1 and match.status == Match.Status.PLAYING and not swapped(match.pk)


@transaction.atomic
def swap(seat: Seat, *, now: datetime, arrived: datetime | None = None, letter: int | None = None) -> None:
    """The first move goes to who swaps; the other is to move. It counts from when the letter `arrived`, as a move does.

    The seats change sides and keep their reply addresses and their clocks. Refuses G02, G03, G07, C20.
    """
    match = seat.match
    check_playing(match)
    if not may_swap(match):
        raise Refused(Code.NO_SWAP, match=match)
    if not seat.is_to_move:
        raise Refused(Code.NOT_YOUR_TURN, match=match)
    check_in_time(seat, arrived or now)
    clocks.charge(seat, arrived or now)
    keeping.drop(match)
    _change_sides(match)
    match.draw_offered_by = None  # an offer lasts until it is answered by a move
    match.save(update_fields=["draw_offered_by", *match.turn_begins(now)])
    clocks.begin(match, now)
    record_event(match, Event.Kind.SWAPPED, now=now, side=match.seated[0].side, letter=letter)


def _change_sides(match: Match) -> None:
    """In three steps, for no two seats may have one side."""
    first, second = match.seated
    first.side, second.side = second.side, first.side
    for seat, side in ((second, _NO_SIDE), (first, first.side), (second, second.side)):
        Seat.objects.filter(pk=seat.pk).update(side=side)
    match.seated = (second, first)


# What waits for a player's YES or NO: challenges, and what is offered or asked for in a match.

CHALLENGE, DRAW = "challenge", "draw"
_MOST = 100  # matches of a player that are looked at


@dataclass(frozen=True)
class Question:
    """What `services.accept` says yes to at a seat: CHALLENGE, DRAW or a kind of Offer."""

    seat: Seat
    what: str
    offer: Offer | None = None

    def since(self) -> datetime | None:
        """When it was asked; None where nobody knows, and for a challenge."""
        if self.what != DRAW:
            return self.offer.made_at if self.offer else None
        offered = self.seat.match.events.filter(kind=Event.Kind.OFFERED, side=self.seat.opponent.side)
        return offered.order_by("-pk").values_list("happened_at", flat=True).first()


def asked_of(player: Player) -> Sequence[Question]:
    """In all of their matches."""
    matches = list(Match.objects.of(player).alive().order_by("pk")[:_MOST])
    standing = Offer.objects.filter(match__in=matches, until_ply__gt=F("match__ply"))
    by_seat = {(offer.match_id, offer.side): offer for offer in standing}
    seats = [seat for match in matches for seat in match.seated if seat.player_id == player.pk]
    asked = (_question(seat, by_seat.get((seat.match_id, seat.opponent.side))) for seat in seats)
    return [question for question in asked if question]


def asked_in(seat: Seat) -> Question | None:
    """At one seat."""
    return _question(seat, standing(seat.match, by=seat.opponent))


def may_begin(seat: Seat) -> bool:
    """Whether they are challenged and would move first: then a first move says yes."""
    match = seat.match
    challenged = match.status == Match.Status.PROPOSED and match.proposer_id != seat.player_id
    return challenged and int(match.current().to_move) == seat.side


def asks(seat: Seat) -> bool:
    """Whether they ask the opponent for something, which their NO takes back."""
    match = seat.match
    if match.status == Match.Status.PROPOSED:
        return match.proposer_id == seat.player_id
    return match.draw_offered_by == seat.side or standing(match, by=seat) is not None


def _question(seat: Seat, offer: Offer | None) -> Question | None:
    match = seat.match
    if match.status == Match.Status.PROPOSED:
        return Question(seat, CHALLENGE) if match.proposer_id != seat.player_id else None
    if match.status != Match.Status.PLAYING:
        return None
    if match.draw_offered_by == seat.opponent.side:
        return Question(seat, DRAW)
    return Question(seat, str(offer.kind), offer) if offer else None


# What is wrong with a text of many lines or records: all of it at once, since nothing of it is
# carried out.


@dataclass(frozen=True)
class Mistake:
    """`line` counts from 1; of records it is their number. `text` is what stands there."""

    line: int
    text: str
    refused: Refused


class Mistaken(ValueError):
    """Nothing was carried out; `mistakes` has what could not be, in its order."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(sorted(mistakes, key=lambda mistake: mistake.line))
        super().__init__(f"{len(self.mistakes)} lines cannot be carried out")
