"""A run: the house opens, the story is told while its deaths come, all grows quiet, and the evidence is judged."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.chaos.deaths import Death, deaths
from tests.chaos.evidence import Evidence, Undone
from tests.chaos.faults import FAULTS, JOINS
from tests.chaos.faults.scene import Fault, Scene
from tests.chaos.history import Story
from tests.chaos.house import House, migrate
from tests.chaos.invariants import broken
from tests.chaos.relay import Relay
from tests.chaos.report import Report
from tests.chaos.rows import Tables
from tests.chaos.sink import Sink
from tests.chaos.writer import AUTHSERV_ID
from tests.servers import Postgres, Redis
from tests.smtp_fixtures import Letter, mailboxes

WORKERS = 2
BREAKS = 0.05  # of all letters
PATIENCE = 120.0  # seconds
SLEEPS = 300.0  # where a fault may keep everybody waiting


@dataclass
class Plan:
    """`settings` of the house beside its own; `patience`: how long to wait for a letter, and until all is quiet.

    `breaks`: the share of letters whose relay loses its connection, and hands them in once more. `beside`: what joins
    from the first letter on, besides `faults`.
    """

    letters: int
    seed: int
    dies: Sequence[Death]
    settings: Mapping[str, str] = field(default_factory=dict)
    faults: Sequence[str] = ()  # of tests.chaos.faults
    story: type[Story] = Story
    beside: Sequence[Fault] = ()
    beat: bool = True
    breaks: float = BREAKS
    patience: float = PATIENCE
    say: Callable[[str], None] = lambda words: None
    stop: threading.Event = field(default_factory=threading.Event)  # anyone who sets it ends the story early

    @property
    def joins(self) -> Sequence[Fault]:
        return [*(JOINS[name] for name in self.faults if name in JOINS), *self.beside]

    @property
    def strikes(self) -> Sequence[str]:
        return [name for name in self.faults if name not in JOINS]


def chaos(
    letters: int, kills: int, seed: int, faults: Sequence[str] = (), **more: Callable[[str], None]
) -> Plan:
    patience = SLEEPS if faults else PATIENCE
    return Plan(letters, seed, deaths(kills, letters, seed), faults=faults, patience=patience, **more)


def prepared(postgres: Postgres) -> str:
    """A database with the tables of the service; its URL."""
    url = postgres.database()
    migrate(url)
    return url


def run(plan: Plan, postgres: Postgres, database: str, folder: Path) -> Report:
    """`database` has its tables."""
    story_mail: queue.SimpleQueue[Letter | Undone] = queue.SimpleQueue()
    sink = Sink(plan.seed, story_mail.put)
    redis = Redis(folder)
    tables = Tables(database)
    with mailboxes(sink.connection) as (host, port), ExitStack() as stack:
        settings = {
            "EMAIL_URL": f"smtp://{host}:{port}",
            "AUTHSERV_IDS": AUTHSERV_ID,
            "STRANGERS_PER_HOUR": str(plan.letters),  # all come through one relay, faster than anywhere else
            "STRANGERS_ANSWERED_PER_DAY": str(plan.letters),
            "STRANGERS_ANSWERED_PER_SERVER": str(plan.letters),
            **plan.settings,
        }
        house = House(folder, database, postgres, redis, settings, lambda: sink.line, plan.beat)
        relay = Relay(house.door)
        rng = Random(f"{plan.seed} faults")
        scene = Scene(house, relay, sink, tables, plan.letters, plan.seed, rng, stack, plan.say, story_mail)
        for join in plan.joins:
            join(scene)
        outside = _Outside(house, [death for death in plan.dies if not death.moment], plan, scene)
        story = plan.story(
            plan.letters,
            plan.seed,
            relay,
            plan.patience,
            plan.stop,
            plan.breaks,
            tables.set_deadline,
            outside.come,
            "digests" in plan.faults,
            story_mail,
        )
        try:
            with house.open([death for death in plan.dies if death.moment]), relay.open():
                told, drained = _tell(story, outside, house, plan)
        finally:
            redis.kill()
    rows = tables.rows()
    senders = house.deaths.total() - sum(house.deaths[kind] for kind in house.deaths if not _sends(kind))
    killed = senders + (WORKERS - 1) * house.deaths["postmaster"]
    evidence = Evidence(relay.log, sink.copies, sink.dropped, rows, story.matches, killed, scene.undone)
    found = broken(evidence)
    if house.fallen:
        found["nobody_falls"] = house.fallen
    return Report(evidence, found, house.deaths, plan.seed, told, drained)


@dataclass
class _Outside:
    """Kills and faults from outside, when the story has come so far."""

    house: House
    dies: Sequence[Death]
    plan: Plan
    scene: Scene
    met: int = 0
    begun: list[threading.Thread] = field(
        default_factory=list
    )  # a fault lasts, and the next waits for its end

    def __post_init__(self) -> None:
        self._rng = Random(f"{self.plan.seed} outside")

    def come(self, written: int) -> None:
        while (
            self.met < len(self.dies) and written * (len(self.dies) + 1) >= (self.met + 1) * self.plan.letters
        ):
            death = self.dies[self.met]
            self.met += 1
            self.house.kill(death.who, self._rng)
            self.plan.say(f"{written} letters: {death} was killed")
        faults = self.plan.strikes
        while len(self.begun) < len(faults) and written * (len(faults) + 1) >= (
            (len(self.begun) + 1) * self.plan.letters
        ):
            self._begin(faults[len(self.begun)], written)

    def end(self) -> None:
        """Whatever the story was too short for comes now."""
        for name in self.plan.strikes[len(self.begun) :]:
            self._begin(name, self.plan.letters)
        for fault in self.begun:
            fault.join()

    def _begin(self, name: str, written: int) -> None:
        before = self.begun[-1:]

        def last() -> None:
            for thread in before:
                thread.join()
            self.plan.say(f"{written} letters: {name} begins")
            try:
                FAULTS[name](self.scene)
                self.plan.say(f"{name} is over")
            except Exception as trouble:  # nothing would be proved
                self.house.fallen.append(f"{name} could not be carried out: {trouble!r}")

        self.begun.append(threading.Thread(target=last, name=name))
        self.begun[-1].start()


def _tell(story: Story, outside: _Outside, house: House, plan: Plan) -> tuple[float, float]:
    """Seconds that the story took with its faults, and seconds until all was quiet after it."""
    begun = time.monotonic()
    try:
        story.tell()
    except queue.Empty:
        house.fallen.append("nobody answers any more")
    plan.say(f"{len(story.relay.log)} letters are written")
    outside.end()
    house.spare()
    outside.scene.sink.calm = True
    told = time.monotonic()
    while time.monotonic() < told + plan.patience and not _is_quiet(story, outside.scene):
        time.sleep(0.2)
    return told - begun, time.monotonic() - told


def _is_quiet(story: Story, scene: Scene) -> bool:
    return story.relay.idle and all(empty() for empty in scene.quiet) and not scene.tables.waiting()


def _sends(kind: str) -> bool:
    """Whether who died so may have had a letter in hand that the relay had taken."""
    return kind.startswith(("worker", "sender", "postmaster"))
