"""Takebacks, offers, the pie rule, pending questions, and mistakes in imported texts."""

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
from pbem.matches.models.exempt_interval import swapped
from pbem.matches.plies import check_playing
from pbem.players.models import Player
from pbem.refusals import Code, Refused

# Takebacks: an event, never a delete

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
    """Undoes every turn from `ply` on (plies count from 0); a finished match is open again.

    `side` asked for it, None is the organiser. A pass that the rules forced is undone with the move before
    it. `ply` may be the current ply of a match that ended off the board. Reply addresses are revoked, since
    letters may show undone turns. `seen` False: the opponent of `side` has not been notified of the undone
    turns, and will not be. Refuses G10 and G11.
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
    match.preloaded_turns = None
    match.save()
    keeping.undo(match)
    if seen:
        clocks.restart_turn(match, now)
    elif side is not None:
        clocks.undo_turn(match.seated[side], now)
    for seat in match.seated:
        if seen or seat.side == side:
            seat.revoke_tokens()
    facts = {"undone": stood - match.ply} | ({} if seen else {"seen": False})
    event = record_event(match, Event.Kind.UNDONE, now=now, side=side, letter=letter, reason=reason, **facts)
    match.live_turns().filter(ply__gte=match.ply).update(undone_by=event)
    match.offers.all().delete()  # what was asked for on a later board
    return event


def grant(offer: Offer, seat: Seat, *, now: datetime, arrived: datetime, letter: int | None) -> None:
    """Grants the takeback. Refuses G07 when a player's time was over before `arrived`."""
    match = seat.match
    if is_late(match, arrived):
        raise Refused(Code.DEADLINE_PASSED, match=match)
    roll_back(match, offer.facts["ply"], now=now, side=seat.side, letter=letter)


def _stand_at(match: Match, ply: int) -> None:
    """Sets the match to its state after `ply` turns, without saving."""
    last = match.live_turns().filter(ply=ply - 1).first()
    match.ply, match.position = ply, last.position if last else str(match.start_position())
    match.to_move = int(match.current().to_move)


class Grant(Protocol):
    """Carries out a granted offer for `seat` and records the event. The offer is deleted already."""

    def __call__(
        self, offer: Offer, seat: Seat, *, now: datetime, arrived: datetime, letter: int | None
    ) -> None: ...


# The effect of YES, by kind of offer.
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
    """Makes an offer to the opponent, or grants theirs when it is the same.

    `facts` are JSON values that the kind needs. Refuses K10 while another offer of this seat stands.
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
    """Refuses K10 when the seat has an offer that stands."""
    # One offer at a time: a YES that crosses it on its way cannot mean another.
    if standing(seat.match, by=seat):
        raise Refused(Code.OFFER_STANDS, match=seat.match)


def standing(match: Match, *, by: Seat) -> Offer | None:
    """Returns the seat's offer. None without one."""
    return Offer.objects.standing(match).filter(side=by.side).first()


def accept(seat: Seat, *, now: datetime, arrived: datetime | None = None, letter: int | None = None) -> None:
    """Grants the opponent's offer as of `arrived` (None: now). Refuses G08 when none stands."""
    offer = standing(seat.match, by=seat.opponent)
    if offer is None:
        raise Refused(Code.OFFER_GONE, match=seat.match)
    offer.delete()
    GRANTS[offer.kind](offer, seat, now=now, arrived=arrived or now, letter=letter)


def decline(seat: Seat, *, reason: str = "", now: datetime, letter: int | None = None) -> None:
    """Declines the opponent's offer, else withdraws the seat's own. Refuses G08 when neither stands."""
    match = seat.match
    theirs, own = standing(match, by=seat.opponent), standing(match, by=seat)
    offer = theirs or own
    if offer is None:
        raise Refused(Code.OFFER_GONE, match=match)
    offer.delete()
    kind = Event.Kind.DENIED if offer is theirs else Event.Kind.WITHDRAWN
    record_event(match, kind, now=now, side=seat.side, letter=letter, offer=offer.kind, reason=reason)


def forget(match: Match) -> None:
    """Deletes all offers, before a takeback to an earlier board."""
    Offer.objects.filter(match=match).delete()


# Pie rule: the second player may take over the first move, and the sides change

_NO_SIDE = 2  # temporary, while the other seat still has its side


def may_swap(match: Match) -> bool:
    """Returns whether the player to move may change sides: once, after the first move, under the pie rule."""
    agreed = match.agreed.pie
    holds = match.game.pie if agreed is None else agreed
    return bool(holds) and match.ply == 1 and match.status == Match.Status.PLAYING and not swapped(match.pk)


@transaction.atomic
def swap(seat: Seat, *, now: datetime, arrived: datetime | None = None, letter: int | None = None) -> None:
    """Changes sides: the first move becomes the swapper's, as of `arrived`, and the other player is to move.

    Seats keep their reply addresses and clocks. Refuses G02, G03, G07, C20.
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
    match.draw_offered_by = None  # the move answers the offer
    match.save(update_fields=["draw_offered_by", *match.turn_begins(now)])
    clocks.begin(match, now)
    record_event(match, Event.Kind.SWAPPED, now=now, side=match.seated[0].side, letter=letter)


def _change_sides(match: Match) -> None:
    # Three steps: no two seats may have the same side.
    first, second = match.seated
    first.side, second.side = second.side, first.side
    for seat, side in ((second, _NO_SIDE), (first, first.side), (second, second.side)):
        Seat.objects.filter(pk=seat.pk).update(side=side)
    match.seated = (second, first)


# Pending questions: challenges and offers

CHALLENGE, DRAW = "challenge", "draw"
_MOST = 100  # matches of a player that are examined


@dataclass(frozen=True)
class PendingOffer:
    """A question to a seat that `services.accept` says yes to: CHALLENGE, DRAW or a kind of Offer."""

    seat: Seat
    what: str
    offer: Offer | None = None

    def since(self) -> datetime | None:
        """Returns when it was asked. None for a challenge, or when unknown."""
        if self.what != DRAW:
            return self.offer.made_at if self.offer else None
        offered = self.seat.match.events.filter(kind=Event.Kind.OFFERED, side=self.seat.opponent.side)
        return offered.order_by("-pk").values_list("happened_at", flat=True).first()


def asked_of(player: Player) -> Sequence[PendingOffer]:
    """Returns the pending questions in all matches of the player."""
    matches = list(Match.objects.of(player).alive().order_by("pk")[:_MOST])
    standing = Offer.objects.filter(match__in=matches, until_ply__gt=F("match__ply"))
    by_seat = {(offer.match_id, offer.side): offer for offer in standing}
    seats = [seat for match in matches for seat in match.seated if seat.player_id == player.pk]
    asked = (_question(seat, by_seat.get((seat.match_id, seat.opponent.side))) for seat in seats)
    return [question for question in asked if question]


def asked_in(seat: Seat) -> PendingOffer | None:
    """Returns the pending question at the seat. None without one."""
    return _question(seat, standing(seat.match, by=seat.opponent))


def may_begin(seat: Seat) -> bool:
    """Returns whether the player is challenged and moves first: a first move then accepts."""
    match = seat.match
    challenged = match.status == Match.Status.PROPOSED and match.proposer_id != seat.player_id
    return challenged and int(match.current().to_move) == seat.side


def asks(seat: Seat) -> bool:
    """Returns whether the player has a challenge or an offer pending, which their NO withdraws."""
    match = seat.match
    if match.status == Match.Status.PROPOSED:
        return match.proposer_id == seat.player_id
    return match.draw_offered_by == seat.side or standing(match, by=seat) is not None


def _question(seat: Seat, offer: Offer | None) -> PendingOffer | None:
    match = seat.match
    if match.status == Match.Status.PROPOSED:
        return PendingOffer(seat, CHALLENGE) if match.proposer_id != seat.player_id else None
    if match.status != Match.Status.PLAYING:
        return None
    if match.draw_offered_by == seat.opponent.side:
        return PendingOffer(seat, DRAW)
    return PendingOffer(seat, str(offer.kind), offer) if offer else None


# Mistakes in texts of many lines or records, all reported at once


@dataclass(frozen=True)
class Mistake:
    """A mistake: `line` from 1 (the number of a record), and the `text` there."""

    line: int
    text: str
    refused: Refused


class Mistaken(ValueError):
    """Mistakes in a text, in order; nothing was carried out."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(sorted(mistakes, key=lambda mistake: mistake.line))
        super().__init__(f"{len(self.mistakes)} lines cannot be carried out")
