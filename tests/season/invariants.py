"""What must be true of a season: each a sentence, and a function that finds exceptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta

from pbem.inbox.models import InboundMail
from pbem.matches.models import Event, Match
from pbem.matches.time.clock import DAY
from pbem.matches.time.clocks import calendar_for
from pbem.outbox.models import OutboundMail
from pbem.players.models import Absence
from tests.season.obvious import Used, kept
from tests.season.season import SWEEP, Season

Kind = Event.Kind
Invariant = Callable[[Season], Iterator[str]]
# A clock that somebody gave time to, or stopped, cannot be kept from the turns alone.
HELPED = {Kind.PAUSED, Kind.GAVE, Kind.UNDONE, Kind.STOPPED, Kind.RESUMED, Kind.EXTENDED}


def every_letter_has_a_verdict(season: Season) -> Iterator[str]:
    for row in InboundMail.objects.filter(verdict=""):
        yield f"letter {row.pk} was never opened"


def every_letter_left(season: Season) -> Iterator[str]:
    """Only those wait whose address does not work."""
    for row in OutboundMail.objects.due(season.post.now):
        yield f"{row} was never sent"


def nobody_gets_a_letter_twice(season: Season) -> Iterator[str]:
    for message_id, times in Counter(posted.message_id for posted in season.log).items():
        if times > 1:
            yield f"{message_id} came {times} times"


def nobody_gets_the_letter_of_another(season: Season) -> Iterator[str]:
    addresses = dict(OutboundMail.objects.values_list("message_id", "address"))
    owners = dict(OutboundMail.objects.values_list("message_id", "player__addresses__email"))
    for posted in season.log:
        if posted.to not in (addresses[posted.message_id], owners[posted.message_id]):
            yield f"{posted.message_id} went to {posted.to}"


def both_hear_of_every_move(season: Season) -> Iterator[str]:
    """Of every turn and every end there is a section for each player, though his letter may say something newer."""
    told: Counter[tuple[int, int]] = Counter()
    for player, sections in OutboundMail.objects.values_list("player_id", "sections"):
        told.update((player, section.get("event")) for section in sections)
    for event in Event.objects.filter(kind__in=(Kind.MOVED, Kind.ENDED, Kind.STARTED)):
        for seat in event.match.seated:
            if not told[seat.player_id, event.pk] and not _told_with_more(event):
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
    """To the minute; nobody is ever charged more than the obvious clock, and less only who was helped."""
    for match, banks in _clocks(season):
        helped = _was_helped(season, match) or _saw_the_outage(season, match)
        for seat, obvious in zip(match.seated, banks, strict=True):
            bank = seat.bank
            assert bank is not None
            resting = bank.rest(match.ended_at or season.post.now, calendar_for(seat))
            # A day that the sweep takes late reaches back over what was charged already.
            late = seat.player.absences.filter(kind=Absence.Kind.AUTOMATIC).count()
            slack = timedelta(minutes=1 + match.ply) + late * SWEEP
            if resting.used > obvious.used + slack:
                yield f"match {match.pk}: {seat} was charged {resting.used}, it took {obvious.used}"
            elif not helped and obvious.used > resting.used + slack:
                yield f"match {match.pk}: {seat} was charged {resting.used} only, it took {obvious.used}"


def nobody_loses_on_time_who_had_some(season: Season) -> Iterator[str]:
    for match, banks in _clocks(season):
        if match.reason == "time" and match.winner is not None and banks[1 - match.winner].over is None:
            yield f"match {match.pk}: {match.seated[1 - match.winner]} had {banks[1 - match.winner].left} left"


def nobody_plays_on_without_time(season: Season) -> Iterator[str]:
    """Unless the opponent may decide, or his time stood still."""
    for match, banks in _clocks(season):
        if match.agreed.policy != "loss" or _was_helped(season, match):
            continue
        slack = SWEEP + (DAY if _saw_the_outage(season, match) else timedelta())
        for seat, bank in zip(match.seated, banks, strict=True):
            lost = match.reason == "time" and match.winner == 1 - seat.side
            if bank.over and bank.over > slack and not lost:
                yield f"match {match.pk}: {seat} plays on, {bank.over} after his time"


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
    nobody_plays_on_without_time,
)


def broken(season: Season) -> dict[str, list[str]]:
    """The exceptions by invariant; empty when all hold."""
    found = {invariant.__name__: list(invariant(season)) for invariant in INVARIANTS}
    return {name: exceptions for name, exceptions in found.items() if exceptions}


def _clocks(season: Season) -> Iterator[tuple[Match, tuple[Used, Used]]]:
    """Every match with a clock, and what the obvious one says, which knows nothing of turns that were taken back."""
    for match in Match.objects.exclude(started_at=None).exclude(events__kind=Kind.UNDONE):
        if match.agreed.control is not None:
            yield match, kept(match, season.hours, season.post.now)


def _told_with_more(event: Event) -> bool:
    """The result shows the move that brought it, and a letter all the moves of a cascade."""
    if event.facts.get("itself") or not event.facts.get("seen", True):
        return True
    return (
        event.kind == Kind.MOVED and event.match.status == Match.Status.OVER and event.ply == event.match.ply
    )


def _saw_the_outage(season: Season, match: Match) -> bool:
    died, lived = season.outage
    begun, ended = match.started_at or lived, match.ended_at or season.post.now
    return begun < lived and ended > died


def _was_helped(season: Season, match: Match) -> bool:
    """Time was given to somebody, or stood still for another reason than his calendar."""
    if match.events.filter(kind__in=HELPED).exists():
        return True
    if (
        match.started_at
        and match.started_at < season.outage[1]
        and (match.ended_at or season.post.now) > season.outage[0]
    ):
        return True
    automatic = Absence.objects.filter(player__seats__match=match, kind=Absence.Kind.AUTOMATIC)
    people = (season.people[seat.player.email] for seat in match.seated)
    return any(person.broken for person in people) or automatic.exists()
