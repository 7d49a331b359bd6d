"""What must be true of a season: each a sentence, and a function that finds exceptions."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from pbem.inbox.models import InboundMail
from pbem.matches.clock.control import Bank
from pbem.matches.clock.service import calendar_for
from pbem.matches.models import Event, Match, Seat
from pbem.outbox.models import OutboundMail
from tests.season.minutes import Minutes, outages
from tests.season.notes import Days
from tests.season.plan import DAY, MINUTE
from tests.season.reference_clock import Obvious, kept
from tests.season.season import SWEEP, Season

Kind = Event.Kind
Invariant = Callable[[Season], Iterator[str]]


def every_letter_has_a_verdict(season: Season) -> Iterator[str]:
    for row in InboundMail.objects.filter(verdict=""):
        yield f"letter {row.pk} was never opened"


def every_letter_left(season: Season) -> Iterator[str]:
    """Only those wait whose address does not work."""
    for row in OutboundMail.objects.due(season.post.now):
        yield f"{row} was never sent"


def nobody_gets_a_letter_twice(season: Season) -> Iterator[str]:
    for message_id, times in Counter(posted.message_id for posted in season.notes.log).items():
        if times > 1:
            yield f"{message_id} came {times} times"


def nobody_gets_the_letter_of_another(season: Season) -> Iterator[str]:
    addresses = dict(OutboundMail.objects.values_list("message_id", "address"))
    owners = dict(OutboundMail.objects.values_list("message_id", "player__addresses__email"))
    for posted in season.notes.log:
        if posted.to not in (addresses[posted.message_id], owners[posted.message_id]):
            yield f"{posted.message_id} went to {posted.to}"


def both_hear_of_every_move(season: Season) -> Iterator[str]:
    """Of every turn and every end there is a section for each player, though their letter may say something newer.

    After the first receipts there is none of one's own.
    """
    told: Counter[tuple[int, int]] = Counter()
    for player, sections in OutboundMail.objects.values_list("player_id", "sections"):
        told.update((player, section.get("event")) for section in sections)
    for event in Event.objects.filter(kind__in=(Kind.MOVED, Kind.ENDED, Kind.STARTED)):
        for seat in event.match.seated:
            if seat.player.robot:
                continue
            if event.kind == Kind.MOVED and event.side == seat.side and seat.player.receipts is False:
                continue
            events = (event, *_robots_answer(event, seat))
            if not any(told[seat.player_id, each.pk] or _told_with_more(each) for each in events):
                yield f"{seat.player} never heard of {event} at ply {event.ply}"


def turns_are_contiguous(season: Season) -> Iterator[str]:
    for match in Match.objects.all():
        plies = list(match.live_turns().values_list("ply", flat=True))
        if plies != list(range(match.ply)):
            yield f"match {match.pk} has the turns {plies}"


def the_record_replays(season: Season) -> Iterator[str]:
    for match in Match.objects.exclude(status__in=(Match.Status.PROPOSED, Match.Status.DECLINED)):
        try:
            last = str(match.record().replay()[-1])
        except ValueError as error:
            last = str(error)
        if last != match.position:
            yield f"match {match.pk} replays to {last}"


def clocks_agree_with_the_obvious_one(season: Season) -> Iterator[str]:
    """To the minute, whatever happened: nobody is charged more, and nobody less. What was away when a match ended, and
    came back later, changes nothing of it."""
    for match, clock in _clocks(season, as_known_then=True):
        until = match.ended_at or season.post.now
        for seat, obvious in zip(match.seated, clock.banks, strict=True):
            resting = resting_bank(seat, until)
            slack = MINUTE * (2 + len(season.notes.taken[seat.player_id]))
            if abs(resting.used - obvious.used) > slack:
                yield f"match {match.pk}: {seat} was charged {resting.used}, it took {obvious.used}"
            elif abs(resting.left - obvious.left) > slack:
                yield f"match {match.pk}: {seat} has {resting.left} left, should have {obvious.left}"


def nobody_loses_on_time_who_had_some(season: Season) -> Iterator[str]:
    for match, clock in _clocks(season):
        if match.reason == "time" and clock.over is not None and clock.over <= -MINUTE:
            yield f"match {match.pk} was lost on time with {-clock.over} left"


def nobody_loses_on_time_who_had_moved(season: Season) -> Iterator[str]:
    """A letter with a move that came in time is played, however late it was opened. An answer to an older board is
    not, and its writer hears so in time."""
    for match, clock in _clocks(season):
        if match.reason != "time" or match.winner is None:
            continue
        loser = season.notes.seats[match.pk][1 - match.winner]
        for handed in season.notes.moves[match.pk, match.ply, loser]:
            if not handed.believed or clock.began is None or handed.arrived < clock.began:
                continue
            spare = clock.spare_at(handed.arrived)
            if spare >= MINUTE and not (
                handed.answers < clock.began and _heard(match, loser, handed.arrived)
            ):
                yield f"match {match.pk} was lost on time, but a move came with {spare} left"


def nobody_plays_on_without_time(season: Season) -> Iterator[str]:
    """Unless the opponent may decide, or a question stands that may bring an earlier move."""
    for match, clock in _clocks(season):
        if match.agreed.policy == "claim":
            continue
        for ply, over in clock.late:
            if over > MINUTE:
                yield f"match {match.pk}: ply {ply} was played {over} after its time"
        asked = season.notes.held.keys() & {(match.pk, match.ply, p) for p in season.notes.seats[match.pk]}
        playing = match.status == Match.Status.PLAYING and clock.running is not None and not clock.flagged
        over = -clock.remaining(clock.running) if playing else clock.over
        if over is not None and over > SWEEP and not asked and not _is_silent(season, match):
            yield f"match {match.pk}: time was over for {over}"


def absences_are_as_they_were_announced(season: Season) -> Iterator[str]:
    """Each is in the table from and until when it was noted, and no other is."""
    notes = season.notes
    for person in season.people.values():
        player = person.player.pk
        noted = _joined([*notes.absences[player], *notes.taken[player]])
        known = _joined(person.player.absences.values_list("since", "until"))
        if noted != known:
            yield f"{person.player} was away {noted}, the service has {known}"


def arrivals_are_as_they_were_noted(season: Season) -> Iterator[str]:
    for pk, received in InboundMail.objects.values_list("pk", "received_at"):
        if season.notes.arrived.get(pk) != received:
            yield f"letter {pk} came at {season.notes.arrived.get(pk)}, the service says {received}"


INVARIANTS: tuple[Invariant, ...] = (
    every_letter_has_a_verdict,
    every_letter_left,
    nobody_gets_a_letter_twice,
    nobody_gets_the_letter_of_another,
    both_hear_of_every_move,
    turns_are_contiguous,
    the_record_replays,
    clocks_agree_with_the_obvious_one,
    nobody_loses_on_time_who_had_some,
    nobody_loses_on_time_who_had_moved,
    nobody_plays_on_without_time,
    absences_are_as_they_were_announced,
    arrivals_are_as_they_were_noted,
)


def broken(season: Season) -> dict[str, list[str]]:
    """The exceptions by invariant; empty when all hold."""
    found = {invariant.__name__: _exceptions(invariant, season) for invariant in INVARIANTS}
    return {name: exceptions for name, exceptions in found.items() if exceptions}


def _exceptions(invariant: Invariant, season: Season) -> list[str]:
    """A judge who stumbles is no reason to throw a season away."""
    try:
        return list(invariant(season))
    except Exception:
        return [f"it could not be judged: {traceback.format_exc()}"]


def resting_bank(seat: Seat, until: datetime) -> Bank:
    """What the service says that a seat has, and has used."""
    bank = seat.bank
    assert bank is not None
    return bank.rest(until, calendar_for(seat))


def _clocks(season: Season, *, as_known_then: bool = False) -> Iterator[tuple[Match, Obvious]]:
    """Every match with a clock, none excepted, and what the obvious one says: with all that was ever away, or with
    what was known when the match ended."""
    end = season.post.now
    minutes = Minutes(season.begin, end + 10 * DAY, season.notes, outages(season.troubles, end))
    for match in Match.objects.exclude(started_at=None):
        if match.agreed.control is not None:
            until = match.ended_at or end
            known = replace(minutes, outages=outages(season.troubles, until)) if as_known_then else minutes
            yield match, kept(match, known, until)


def _heard(match: Match, player: int, arrived: datetime) -> bool:
    """Whether they were told in the match that what they wrote was not carried out."""
    refusals = OutboundMail.objects.filter(player=player, kind__in=("refused", "notice"))
    return refusals.filter(created_at__gte=arrived, created_at__lt=match.ended_at).exists()


def _is_silent(season: Season, match: Match) -> bool:
    """At the end of the season no flag can have fallen yet: a part is dead, or nothing reaches the player to move."""
    return bool(season.dead) and match.status == Match.Status.PLAYING


def _joined(days: Iterable[Days]) -> list[Days]:
    """Absences that touch are one."""
    joined: list[Days] = []
    for since, until in sorted(days):
        if joined and since <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(until, joined[-1][1]))
        else:
            joined.append((since, until))
    return joined


def _robots_answer(event: Event, seat: Seat) -> Iterable[Event]:
    """Its letter takes the place of the receipt of the move that it answers."""
    if event.kind != Kind.MOVED or event.side != seat.side or not seat.opponent.player.robot:
        return ()
    return Event.objects.filter(match=event.match_id, kind=Kind.MOVED, ply=event.ply + 1, pk__gt=event.pk)


def _told_with_more(event: Event) -> bool:
    """The result shows the move that brought it, and a letter all the moves of a cascade."""
    if event.facts.get("itself") or not event.facts.get("seen", True):
        return True
    return (
        event.kind == Kind.MOVED and event.match.status == Match.Status.OVER and event.ply == event.match.ply
    )
