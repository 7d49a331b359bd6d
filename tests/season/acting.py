"""What the people of a season do: read their letters, think, write, and note what they have written and when."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from games.protocol import Notation, Position
from games.registry import AnyGame
from pbem.inbox.models import Confirmation
from pbem.inbox.resolver import answer_address
from pbem.matches.models import Event, Match
from pbem.outbox.models import OutboundMail
from tests.mail_fixtures import Delivery
from tests.season.notes import Handed
from tests.season.people import Person
from tests.season.plan import DAY, HOUR

if TYPE_CHECKING:
    from tests.season.season import Season

LONGEST = 14  # plies; then somebody resigns
SLIPS, TWICE, PLANS = 0.03, 0.03, 0.05  # of all moves
DOUBTED = 0.015  # their mail server cannot prove who wrote
SLY = 0.3  # of those: two moves for one turn, and a YES to the second, late
LATEST_YES = 70 * HOUR
# What is written below a move, how often, in both languages.
BESIDE: Sequence[tuple[float, str, str]] = (
    (0.05, "Well played!", "Bella mossa!"),
    (0.02, "DRAW", "PATTA"),
    (0.01, "PAUSE 3 DAYS", "PAUSA 3 GIORNI"),
    (0.01, "GIVE 1 DAYS", "CONCEDO 1 GIORNI"),
    (0.01, "UNDO", "ANNULLA"),
)
# What is answered to a letter that asks for it, in both languages.
ANSWERS: Mapping[str, tuple[str, str]] = {
    "challenge": ("YES", "SÌ"),
    "confirm": ("YES", "SÌ"),
    "offer": ("YES DRAW", "SÌ PATTA"),
    "asks": ("YES", "SÌ"),
    "overstepped": ("CLAIM", "RECLAMO"),
}
_NAMED_YES = re.compile(r"\b(YES|SÌ) [A-Z]{4,}")  # as a grave question asks for it
Thought = tuple[str, int, int]
Handing = Callable[[datetime], object]  # writes down when a move was handed in


@dataclass
class Acting:
    season: Season
    moves: int = 0
    thinking: set[Thought] = field(
        default_factory=set
    )  # who has a move in mind, in which match, for which ply
    ignored: set[int] = field(default_factory=set)  # letters whose question gets no answer
    sly: set[int] = field(default_factory=set)  # letters whose question gets a late one
    arrived: list[tuple[Person, Delivery, OutboundMail]] = field(default_factory=list)

    def handed_over(self, letter: Delivery, message_id: str, now: datetime) -> None:
        """The relay has taken it, whatever becomes of it there."""
        row = OutboundMail.objects.select_related("match").get(message_id=message_id)
        for match, ply in _told_of(row) if row.player_id else []:
            self.season.notes.told[match, ply, row.player_id].append(now)
        person = self.season.people[letter.to]
        if not person.is_broken(now):
            self.arrived.append((person, letter, row))

    def read_all(self) -> None:
        while self.arrived:
            arrived, self.arrived = self.arrived, []
            for person, letter, row in arrived:
                self._read(person, letter, row)

    def plan_life(self, person: Person) -> None:
        """What else they write in the course of the season: nothing."""

    def before_opening(self) -> None:
        """An email is about to be opened."""

    def after_opening(self) -> None:
        """An email has been opened, and done."""

    def write(self, person: Person, line: str) -> None:
        """A new letter."""
        if not person.has_vanished(self.season.post.now):
            person.correspondent.writes(line)

    def announce(self, person: Person, gone: datetime, back: datetime) -> None:
        days = (gone, back - DAY)
        self.season.post.then = lambda _, arrived: self.season.watch.announced(person, days, arrived)
        self.write(
            person,
            person.says(
                "AWAY {:%Y-%m-%d} TO {:%Y-%m-%d}".format(*days),
                "ASSENTE {:%Y-%m-%d} AL {:%Y-%m-%d}".format(*days),
            ),
        )

    def _read(self, person: Person, letter: Delivery, row: OutboundMail) -> None:
        """Think of what to answer, and when."""
        kinds = {section["kind"] for section in row.sections}
        if kinds & set(ANSWERS):
            self._answer(person, letter, next(kind for kind in ANSWERS if kind in kinds))
        match = row.match
        if match is None or match.to_move is None or match.pk not in self.season.notes.seats:
            return
        if self.season.notes.seats[match.pk][match.to_move] != row.player_id:
            return
        thought = (letter.to, match.pk, match.ply)
        if thought not in self.thinking:
            self.thinking.add(thought)
            pk, read = match.pk, self.season.post.now
            self._later(person, lambda: self._move(person, letter, pk, thought, read))

    def _answer(self, person: Person, letter: Delivery, kind: str) -> None:
        named = _NAMED_YES.search(letter.text) if kind == "confirm" else None
        words = named[0] if named else person.says(*ANSWERS[kind])
        if kind != "confirm":
            self._later(person, lambda: person.correspondent.answers(letter, words))
            return
        about = asked_about(person, letter)
        if about in self.ignored:
            return

        def agree() -> None:
            self.season.post.about = about
            person.correspondent.answers(letter, words)

        self._later(
            person, agree, at_least=LATEST_YES * self.season.rng.random() if about in self.sly else None
        )

    def _later(self, person: Person, act: Callable[[], object], at_least: timedelta | None = None) -> None:
        season = self.season
        moment = season.post.now + (at_least or person.takes(season.rng))
        moment = next((back + HOUR for gone, back in person.trips if gone <= moment < back), moment)
        season.at(moment, lambda: None if person.has_vanished(season.post.now) else act())

    def _move(self, person: Person, letter: Delivery, pk: int, thought: Thought, read: datetime) -> None:
        self.thinking.discard(thought)
        match = Match.objects.get(pk=pk)
        seats = self.season.notes.seats[pk]
        if match.ply != thought[2] or match.to_move is None or seats[match.to_move] != person.player.pk:
            return
        rng, correspondent = self.season.rng, person.correspondent
        if match.ply >= LONGEST:
            self._resign(person, letter, match)
            return
        if rng.random() < SLIPS:
            correspondent.answers(letter, "z9-z8")
        if rng.random() < DOUBTED:
            self._move_in_doubt(person, letter, match)
            return
        place, moves = (match.pk, match.ply, person.player.pk), self.season.notes.moves

        def handed(arrived: datetime) -> None:
            moves[place].append(Handed(arrived, believed=True, answers=read))

        text = self._play(person, letter, match, handed)
        if rng.random() < TWICE:
            correspondent.answers(letter, text)
        self.moves += 1

    def _resign(self, person: Person, letter: Delivery, match: Match) -> None:
        person.correspondent.answers(letter, person.says("RESIGN", "ABBANDONO"))

    def _play(self, person: Person, letter: Delivery, match: Match, handed: Handing) -> str:
        """The text that was sent."""
        text = self._words(person, match)
        self.season.post.then = lambda _, arrived: handed(arrived)
        person.correspondent.answers(letter, text)
        return text

    def _words(self, person: Person, match: Match) -> str:
        rng, notation, position = self.season.rng, person.player.notation, match.current()
        move = position.sample(rng)
        text: str = match.game.write(position, move, notation)
        for share, *lines in BESIDE:
            if rng.random() < share:
                text += f"\n{person.says(*lines)}"
        if rng.random() < PLANS:
            planned = self._plan(match.game, position.play(move), notation)
            text += f"\n{person.says('NEXT', 'POI')} {planned}"
        return text

    def _move_in_doubt(self, person: Person, letter: Delivery, match: Match) -> None:
        """Its writer is asked first; a sly one writes twice, thinks on, and confirms what they like better by then."""
        place, notes = (match.pk, match.ply, person.player.pk), self.season.notes
        moves = 2 if self.season.rng.random() < SLY else 1
        numbers: list[int] = []

        def held(pk: int, arrived: datetime) -> None:
            numbers.append(pk)
            notes.held[place].append(pk)
            if moves == 2:
                (self.ignored if len(numbers) == 1 else self.sly).add(pk)

        for _ in range(moves):
            position = match.current()
            move = position.sample(self.season.rng)
            self.season.post.then = held
            text = match.game.write(position, move, person.player.notation)
            person.correspondent.answers(letter, text, dmarc="fail")
        self.moves += 1

    def _plan(self, game: AnyGame, after: Position, notation: Notation) -> str:
        """What they play next, should it still be possible after some reply."""
        rng = self.season.rng
        reply = after if after.outcome() else after.play(after.sample(rng))
        if reply.outcome():
            return "a1"
        return str(game.write(reply, reply.sample(rng), notation))


def asked_about(person: Person, letter: Delivery) -> int | None:
    """The letter that this question is about."""
    asked = Confirmation.objects.filter(player=person.player, used_at__isnull=True).order_by("-pk")[:20]
    return next((each.letter_id for each in asked if answer_address(each) == letter.reply_to), None)


def _told_of(row: OutboundMail) -> list[tuple[int, int]]:
    """The matches, and their plies. A letter about two is filed under neither: what happened says of which it tells."""
    if row.match_id and row.ply is not None:
        return [(row.match_id, row.ply)]
    events = [section["event"] for section in row.sections if "event" in section]
    return list(Event.objects.filter(pk__in=events).values_list("match", "ply").distinct())
