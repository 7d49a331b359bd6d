"""Writes down what happens in the matches of a season as soon as it has happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.db.models import Q

from pbem.matches.models import Event, Match, Seat, Turn
from pbem.players.models import Absence, Player
from tests.season.notes import Entry, Hours, Ply
from tests.season.people import Days, Person

if TYPE_CHECKING:
    from tests.season.season import Season

Facts = dict[str, Any]
FACTS = ("pk", "match", "kind", "side", "ply", "letter", "facts")


@dataclass
class Watch:
    season: Season
    event: int = 0  # the last one seen
    absence: int = 0
    announced_: list[tuple[Person, Days, datetime]] = field(default_factory=list)

    def announced(self, person: Person, days: Days, arrived: datetime) -> None:
        """Somebody has written that they are away from the first to the last of these days."""
        self.announced_.append((person, days, arrived))

    def matches(self) -> None:
        """What has happened since the last look, in every match."""
        for row in Event.objects.filter(pk__gt=self.event).order_by("pk").values_list(*FACTS):
            self.event = row[0]
            self._note(*row)

    def people(self) -> None:
        """What the service has granted them, or found out."""
        notes, now = self.season.notes, self.season.post.now
        self.announced_ = [each for each in self.announced_ if not self._is_away(*each)]
        for person in self.season.people.values():
            if person.nights and person.nights[0] <= now and len(notes.hours[person.player.pk]) == 1:
                hours = hours_of(Player.objects.get(pk=person.player.pk), now)
                if hours.night != notes.hours[person.player.pk][0].night:
                    notes.hours[person.player.pk].append(hours)
        if notes.lost or any(person.is_broken(now) for person in self.season.people.values()):
            self._unreachable(now)

    def absences(self) -> None:
        """The days that the service takes by itself."""
        rows = Absence.objects.filter(pk__gt=self.absence).order_by("pk")
        for pk, player, kind, since, until in rows.values_list("pk", "player", "kind", "since", "until"):
            self.absence = pk
            if kind == Absence.Kind.AUTOMATIC:
                self.season.notes.taken[player].append((since, until))

    def _note(
        self, event: int, match: int, kind: str, side: int | None, ply: int, letter: int | None, facts: Facts
    ) -> None:
        notes = self.season.notes
        if match not in notes.seats and kind == Event.Kind.STARTED:
            first, second = Seat.objects.filter(match=match).order_by("side").values_list("player", flat=True)
            notes.seats[match] = first, second
        played = _played(event, match, facts["first"], ply) if kind == Event.Kind.MOVED else ()
        to_move = Match.objects.values_list("to_move", flat=True).get(pk=match)
        arrived = notes.arrived.get(letter) if letter else None
        entry = Entry(kind, self.season.post.now, arrived, side, ply, to_move, played, facts)
        notes.matches[match].append(self._with_question(entry, match, letter))

    def _with_question(self, entry: Entry, match: int, letter: int | None) -> Entry:
        """A YES to the first letter in doubt of a turn counts from when that letter came; so does a pause."""
        notes = self.season.notes
        about = notes.confirms.get(letter) if letter else None
        if about is not None and entry.kind == Event.Kind.PAUSED:
            return Entry(**vars(entry) | {"asked": notes.arrived[about]})
        if about is None or entry.side is None or not entry.played:
            return entry
        player = notes.seats[match][entry.side]
        first = notes.held.get((match, entry.played[0].ply, player), [None])[0]
        return Entry(**vars(entry) | {"asked": notes.arrived[about]}) if first == about else entry

    def _is_away(self, person: Person, days: Days, arrived: datetime) -> bool:
        zone = ZoneInfo(person.player.zone)
        since, until = (
            datetime.combine(day.date(), time(), zone) for day in (days[0], days[1] + timedelta(days=1))
        )
        granted = Absence.objects.filter(
            player=person.player, kind=Absence.Kind.PLANNED, until__gte=until, since__lte=max(since, arrived)
        )
        if granted.exists():
            self.season.notes.absences[person.player.pk].append((max(since, arrived), until))
            return True
        return False

    def _unreachable(self, now: datetime) -> None:
        notes = self.season.notes
        lost = set(Player.objects.filter(unreachable_since__isnull=False).values_list("pk", flat=True))
        for player in sorted(lost - notes.lost.keys()):
            notes.lost[player] = now
        for player in sorted(notes.lost.keys() - lost):
            notes.unreachable[player].append((notes.lost.pop(player), now))


def _played(event: int, match: int, first: int, ply: int) -> tuple[Ply, ...]:
    """The turns of this event, though they may have been taken back, and others played, before anybody looked."""
    turns = Turn.objects.filter(match=match, ply__gte=first, ply__lt=ply)
    standing = turns.filter(Q(undone_by=None) | Q(undone_by__gt=event)).order_by("ply", "-pk")
    rows = standing.values_list("ply", "side", "how")
    return tuple({number: Ply(number, mover, bool(how)) for number, mover, how in rows}.values())


def hours_of(player: Player, since: datetime) -> Hours:
    begins, ends = player.night_begins, player.night_ends
    night = (begins, ends) if begins and ends else None
    return Hours(since, player.zone, player.free_weekdays, night)
