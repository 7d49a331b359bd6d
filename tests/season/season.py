"""A season as it happens: whoever's moment is next acts, the beat sweeps every hour, and everything is written down."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from itertools import count
from random import Random

import time_machine
from django.conf import settings
from django.db import connection

from games.protocol import Notation, Position
from games.registry import AnyGame
from pbem.celery import app
from pbem.matches.models import Match, Part
from pbem.matches.services import start
from pbem.matches.terms import read_terms
from pbem.matches.time import heartbeat
from pbem.outbox.models import OutboundMail
from tests.post import Delivery, Mailboxes, Post
from tests.returned import bounce
from tests.season.obvious import Hours
from tests.season.people import Person, people

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
SWEEP = timedelta(hours=2)  # the beat rings every quarter of a minute, which would take months
RETRY = timedelta(minutes=30)  # of a relay that has found the service away
# What the post office of the tests does by itself, for each bell.
RUNG = {"pbem.inbox.tasks.sweep", "pbem.outbox.tasks.sweep", "pbem.matches.tasks.beat"}
GAMES = ("loa:6x6", "loa", "zertz:blitz", "gemma", "insert")
CLOCKS = (
    "5d+24h<=7d",
    "3d/move",
    "72h+48h<=168h",
    "24h+8h<=48h",
    "14d+0d<=14d total=20d",
    "48h+24h<=96h nonstop",
)
POLICIES = ("timeout=loss", "timeout=loss", "timeout=claim", "timeout=absence")
LONGEST = 14  # plies; then somebody resigns
BEGIN_WITHIN = 0.4  # of the season
SLIPS, TWICE, PLANS = 0.03, 0.03, 0.05  # of all moves
# What is written below a move, how often, in both languages.
BESIDE: Sequence[tuple[float, str, str]] = (
    (0.05, "Well played!", "Bella mossa!"),
    (0.02, "DRAW", "PATTA"),
    (0.01, "PAUSE 3 DAYS", "PAUSA 3 GIORNI"),
    (0.01, "GIVE 1 DAYS", "CONCEDO 1 GIORNI"),
    (0.01, "UNDO", "ANNULLA"),
)


@dataclass(frozen=True)
class Plan:
    players: int
    matches: int
    days: int
    seed: int
    outage: timedelta = timedelta(hours=3)


@dataclass(frozen=True)
class Posted:
    """A letter that reached a mailbox."""

    to: str
    message_id: str
    at: datetime


@dataclass
class Season:
    plan: Plan
    post: Post
    say: Callable[[str], None] = lambda words: None
    log: list[Posted] = field(default_factory=list)
    moves: int = 0

    def __post_init__(self) -> None:
        app.loader.import_default_modules()
        self.rng = Random(self.plan.seed)
        self.begin, self.end = self.post.now, self.post.now + timedelta(days=self.plan.days)
        down = self.begin + timedelta(days=self.plan.days * 0.5, hours=5)
        self.outage = (down, down + self.plan.outage)
        self._agenda: list[tuple[datetime, int, Callable[[], None]]] = []
        self._numbers = count()
        self._pending: set[tuple[str, int, int]] = (
            set()
        )  # who has a move in mind, in which match, for which ply
        self.people: dict[str, Person] = {}

    def play(self) -> None:
        """From the first challenge to the last day."""
        with time_machine.travel(self.post.now, tick=False) as clock:
            self._gather()
            sweep = self.begin
            while self.post.now < self.end:
                moment = min([sweep, *(act[0] for act in self._agenda[:1])])
                if self.outage[0] <= moment < self.outage[1]:
                    moment = self._be_away(moment)
                self.post.now = max(self.post.now, moment)
                clock.move_to(self.post.now)
                self.post.live()
                while self._agenda and self._agenda[0][0] <= self.post.now:
                    heapq.heappop(self._agenda)[2]()
                    self._settle()
                if sweep <= self.post.now:
                    self._sweep()
                    sweep = self.post.now.replace(minute=0) + SWEEP
                    self.say(f"{self.post.now:%d %B}, {self.moves} moves")

    @cached_property
    def hours(self) -> dict[int, Hours]:
        """When the time of each player counts, by his key."""
        players = (person.correspondent.player for person in self.people.values())
        return {player.pk: Hours(player, self.begin, self.post.now + 2 * SWEEP) for player in players}

    def _be_away(self, moment: datetime) -> datetime:
        """The service is dead; what is written meanwhile comes with the relays' next attempt."""
        back = self.outage[1]
        self._agenda = [
            (max(at, back + RETRY) if at < back else at, number, act) for at, number, act in self._agenda
        ]
        heapq.heapify(self._agenda)
        heartbeat.beat(Part.WORKER, now=back)
        return back

    def _gather(self) -> None:
        self.post.mailboxes = _Mailboxes(self)
        self.people = {
            person.correspondent.email: person
            for person in people(self.post, self.plan.players, self.plan.days, self.rng)
        }
        everybody = list(self.people.values())
        for _ in range(self.plan.matches):
            first, second = self.rng.sample(everybody, 2)
            self._at(
                self.begin + self.rng.random() * BEGIN_WITHIN * (self.end - self.begin),
                lambda f=first, s=second: self._start(f, s),
            )
        for person in everybody:
            for gone, back in person.trips:
                self._at(gone - timedelta(days=3), lambda p=person, g=gone, b=back: self._announce(p, g, b))
            for _, mended in person.broken:
                self._at(mended + HOUR, lambda p=person: self._write(p, p.says("GAMES", "PARTITE")))

    def _at(self, moment: datetime, act: Callable[[], None]) -> None:
        """Everything happens at a whole minute."""
        heapq.heappush(
            self._agenda, (moment.replace(second=0, microsecond=0) + MINUTE, next(self._numbers), act)
        )

    def _settle(self) -> None:
        """All letters opened, all answers sent, all of them read."""
        self.post.open()
        while OutboundMail.objects.due(self.post.now).exists():
            self.post.send()
        boxes = self.post.mailboxes.boxes
        for email, letters in list(boxes.items()):
            arrived, boxes[email] = letters, []
            for letter in arrived:
                self._read(self.people[email], letter)
            self.people[email].correspondent.seen = 0

    def _sweep(self) -> None:
        """What the beat rings for. Nobody hears the bells of a transaction that is never committed."""
        connection.run_on_commit.clear()
        for entry in settings.CELERY_BEAT_SCHEDULE.values():
            if entry["task"] not in RUNG:
                app.tasks[entry["task"]]()
        self._settle()

    # -- what people do

    def _start(self, first: Person, second: Person) -> None:
        terms = f"{self.rng.choice(CLOCKS)} {self.rng.choice(POLICIES)}".split()
        game = self.rng.choice(GAMES)
        if self.rng.random() < 0.5:
            verb = first.says("CHALLENGE", "SFIDA")
            self._write(first, f"{verb} {second.correspondent.name} {game} {' '.join(terms)}")
            return
        agreed, _ = read_terms(terms)
        players = first.correspondent.player, second.correspondent.player
        start(first=players[0], second=players[1], game=game, terms=agreed, now=self.post.now, rng=self.rng)

    def _announce(self, person: Person, gone: datetime, back: datetime) -> None:
        last = back - timedelta(days=1)
        self._write(
            person,
            person.says(
                f"AWAY {gone:%Y-%m-%d} TO {last:%Y-%m-%d}", f"ASSENTE {gone:%Y-%m-%d} AL {last:%Y-%m-%d}"
            ),
        )

    def _write(self, person: Person, line: str) -> None:
        """A new letter."""
        if person.has_vanished(self.post.now):
            return
        person.correspondent.writes(line)

    def _read(self, person: Person, letter: Delivery) -> None:
        """Think of what to answer, and when."""
        row = OutboundMail.objects.get(message_id=str(letter.message["Message-ID"]))
        kinds = {section["kind"] for section in row.sections}
        if kinds & set(ANSWERS):
            answer = next(ANSWERS[kind] for kind in ANSWERS if kind in kinds)
            self._later(person, lambda: person.correspondent.answers(letter, person.says(*answer)))
        match = row.match
        if match is None or match.to_move is None or match.seated[match.to_move].player_id != row.player_id:
            return
        thought = (letter.to, match.pk, match.ply)
        if thought not in self._pending:
            self._pending.add(thought)
            self._later(person, lambda: self._move(person, letter, match.pk, thought))

    def _later(self, person: Person, act: Callable[[], object]) -> None:
        moment = self.post.now + person.takes(self.rng)
        moment = next((back + HOUR for gone, back in person.trips if gone <= moment < back), moment)
        self._at(moment, lambda: None if person.has_vanished(self.post.now) else act())  # type: ignore[func-returns-value]

    def _move(self, person: Person, letter: Delivery, pk: int, thought: tuple[str, int, int]) -> None:
        self._pending.discard(thought)
        match = Match.objects.get(pk=pk)
        seat = match.moving
        if match.ply != thought[2] or seat is None or seat.player.email != letter.to:
            return
        if match.ply >= LONGEST:
            person.correspondent.answers(letter, person.says("RESIGN", "ABBANDONO"))
            return
        if self.rng.random() < SLIPS:
            person.correspondent.answers(letter, "z9-z8")
        position = match.current()
        move = position.sample(self.rng)
        text = match.game.write(position, move, seat.player.notation)
        for share, *lines in BESIDE:
            if self.rng.random() < share:
                text += f"\n{person.says(*lines)}"
        if self.rng.random() < PLANS:
            planned = self._plan(match.game, position.play(move), seat.player.notation)
            text += f"\n{person.says('NEXT', 'POI')} {planned}"
        person.correspondent.answers(letter, text)
        if self.rng.random() < TWICE:
            person.correspondent.answers(letter, text)
        self.moves += 1

    def _plan(self, game: AnyGame, after: Position, notation: Notation) -> str:
        """What he plays next, should it still be possible after some reply."""
        reply = after if after.outcome() else after.play(after.sample(self.rng))
        if reply.outcome():
            return "a1"
        return game.write(reply, reply.sample(self.rng), notation)


# What is answered to a letter that asks for it, in both languages.
ANSWERS: Mapping[str, tuple[str, str]] = {
    "challenge": ("YES", "SÌ"),
    "confirm": ("YES", "SÌ"),
    "offer": ("YES", "SÌ"),
    "asks": ("YES", "SÌ"),
    "overstepped": ("CLAIM", "RECLAMO"),
}


class _Mailboxes(Mailboxes):
    """Of a broken mailbox the relay hears only later that it took nothing: then it sends a report."""

    def __init__(self, season: Season) -> None:
        super().__init__()
        self.season = season

    def send(self, sender: str, recipient: str, raw: bytes) -> str:
        answer = super().send(sender, recipient, raw)
        season = self.season
        if season.people[recipient].is_broken(season.post.now):
            lost = self.boxes[recipient].pop()
            season._at(
                season.post.now + MINUTE, lambda: season.post.keep(bounce(lost), lost.envelope_sender, "")
            )
        else:
            letter = self.boxes[recipient][-1]
            season.log.append(Posted(recipient, str(letter.message["Message-ID"]), season.post.now))
        return answer
