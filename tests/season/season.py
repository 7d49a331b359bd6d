"""A season as it happens: the next moment acts, tasks are done, parts die, and everything is written down."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from itertools import count
from random import Random
from typing import Any

import time_machine
from django.test import override_settings

from pbem.inbox.models import InboundMail
from pbem.matches.services import start
from pbem.matches.terms import read_terms
from tests.season import service
from tests.season.acting import Acting
from tests.season.chance import seeded
from tests.season.notes import Notes, whole
from tests.season.organiser import Organiser
from tests.season.organiser_office import Office
from tests.season.people import Person, people
from tests.season.plan import DAY, HOUR, PARTS, WORKER, Plan, Trouble, troubles
from tests.season.talkative import Talkative
from tests.season.watch import Watch, hours_of

SWEEP = 4 * HOUR  # for what need not be on the minute: digests, probes, watchers
MAILBOX = "imaps://pbem:secret@mail.example.org/INBOX"  # some letters come by it
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
BEGIN_WITHIN = 0.4  # of the season


class Season:
    def __init__(self, plan: Plan, say: Callable[[str], None] = lambda words: None) -> None:
        self.plan, self.say = plan, say
        self.rng, self.notes = Random(plan.seed), Notes()
        self.acting = Talkative(self) if plan.talkative else Acting(self)
        self.post, self.watch, self.organiser = Office(self), Watch(self), Organiser(self)
        self.begin, self.end = self.post.now, self.post.now + plan.days * DAY
        self.troubles = troubles(plan, self.begin, self.rng)
        self.dead: dict[str, Trouble] = {}
        self.people: dict[str, Person] = {}
        self.unopened: list[int] = []
        self._agenda: list[tuple[datetime, int, Callable[[], object]]] = []
        self._numbers = count()

    @property
    def moves(self) -> int:
        return self.acting.moves

    def at(self, moment: datetime, act: Callable[[], object]) -> None:
        """Everything happens at a whole minute."""
        heapq.heappush(self._agenda, (max(whole(moment), self.post.now), next(self._numbers), act))

    def play(self) -> None:
        """From the first challenge to the last day."""
        service.prepare()
        with ExitStack() as stack:
            clock = stack.enter_context(time_machine.travel(self.post.now, tick=False))
            stack.enter_context(override_settings(IMAP_URL=MAILBOX))
            stack.enter_context(seeded(Random(f"{self.plan.seed} of the service")))
            self._gather()
            sweep, ring = self.begin, None
            while self.post.now < self.end:
                moments = [sweep, *(act[0] for act in self._agenda[:1]), *([ring] if ring else [])]
                self.post.now = max(self.post.now, min(moments))
                clock.move_to(self.post.now)
                self._live(sweeps=sweep <= self.post.now, rings=ring is not None and ring <= self.post.now)
                ring = None if WORKER in self.dead else service.next_ring(self.post.now)
                if sweep <= self.post.now:
                    sweep = self.post.now.replace(minute=0) + SWEEP
                    self.say(f"{self.post.now:%d %B}, {self.moves} moves")

    def _live(self, *, sweeps: bool, rings: bool) -> None:
        """A minute in which something happens."""
        now = self.post.now
        service.beat((part for part in PARTS if part not in self.dead), now)
        while self._agenda and self._agenda[0][0] <= now:
            heapq.heappop(self._agenda)[2]()
            self.settle()
        if WORKER in self.dead or not (sweeps or rings):
            return
        service.ring_all() if sweeps else service.ring_clocks()
        self.watch.absences()
        self.watch.matches()
        self.settle()

    def settle(self) -> None:
        """All letters opened, all answers sent, all of them read."""
        self.watch.matches()
        if WORKER in self.dead:
            return
        now = self.post.now
        opened, self.unopened = self.unopened, []
        for pk in opened:
            self.acting.before_opening()
            service.open_letter(pk, now)
            self.watch.matches()
            self.acting.after_opening()
        if opened:
            shut = InboundMail.objects.filter(pk__in=opened, verdict="")
            self.unopened += shut.order_by("pk").values_list("pk", flat=True)
            self.watch.people()
        while service.think_all(now):
            self.watch.matches()
        service.send_all(now, self.post.sender)
        self.acting.read_all()

    def _gather(self) -> None:
        rng, days = self.rng, self.plan.days
        self.people = {person.email: person for person in people(self.post, self.plan.players, days, rng)}
        everybody = list(self.people.values())
        for person in everybody:
            self.notes.hours[person.player.pk].append(hours_of(person.player, self.begin))
            self._plan_life(person)
        for _ in range(self.plan.matches):
            first, second = rng.sample(everybody, 2)
            moment = self.begin + rng.random() * BEGIN_WITHIN * (self.end - self.begin)
            self.at(moment, partial(self._start, first, second))
        for trouble in self.troubles:
            self.at(trouble.died, partial(self.dead.__setitem__, trouble.part, trouble))
            self.at(trouble.lived, partial(self._come_back, trouble.part))
        self.organiser.plan()

    def _plan_life(self, person: Person) -> None:
        self.acting.plan_life(person)
        for told, (gone, back) in zip(person.told_at, person.trips, strict=True):
            self.at(told, partial(self.acting.announce, person, gone, back))
        for _, mended in person.broken:
            self.at(mended + HOUR, partial(self.acting.write, person, person.says("GAMES", "PARTITE")))
        if person.nights:
            moment, begins, ends = person.nights
            line = person.says(f"SET NIGHT {begins}-{ends}", f"IMPOSTA NOTTE {begins}-{ends}")
            self.at(moment, partial(self.acting.write, person, line))

    def _come_back(self, part: str) -> None:
        del self.dead[part]
        if part in PARTS:
            service.come_back(part, self.post.now)

    def _start(self, first: Person, second: Person) -> None:
        terms = f"{self.rng.choice(CLOCKS)} {self.rng.choice(POLICIES)}".split()
        game = self.rng.choice(GAMES)
        if self.plan.robots and self.rng.random() < self.plan.robots:
            line = f"Robot-{self.rng.randint(1, 2)} {game} {' '.join(terms)}"
            self.acting.write(first, f"{first.says('CHALLENGE', 'SFIDA')} {line}")
            return
        if self.rng.random() < 0.5:
            verb = first.says("CHALLENGE", "SFIDA")
            self.acting.write(first, f"{verb} {second.correspondent.name} {game} {' '.join(terms)}")
            return
        agreed, _ = read_terms(terms)
        players: Any = {"first": first.player, "second": second.player}
        start(**players, game=game, terms=agreed, now=self.post.now, rng=self.rng)
