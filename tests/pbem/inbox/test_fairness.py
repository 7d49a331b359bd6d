"""Whatever happens between a letter and its opening: who wrote in time is never flagged, who did not is in the end.

Letters are written, wait at other mail servers, arrive, lie unopened, are opened by readers that die, have to be
confirmed; the worker and the door go away and come back. Beside the service runs a clerk with a pencil, who
knows no database, but notes when each letter came and strikes out the minutes that count for nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import transaction
from hypothesis import Phase, given
from hypothesis import strategies as st

from pbem.inbox import services as inbox
from pbem.inbox.models import LONGEST_KEEPING, Confirmation, InboundMail
from pbem.inbox.time_forfeits import flag_overdue
from pbem.matches.clock.outages import beat
from pbem.matches.models import Component, Heartbeat, Match
from pbem.matches.services import start
from pbem.outbox.signed_addresses import sealed_address
from pbem.players.tokens import Purpose, Token, expiry
from tests.clocks import due
from tests.examples import examples
from tests.mail_fixtures import MORNING, Post, registered
from tests.outages import lost, pause
from tests.sigkill import power_cut_at

Minutes = int
PARTS = (Component.WORKER, Component.DOOR)
DAY = 24 * 60
MOVES = {"move": "b1-b3", "junk": "Is it my turn?", "held": "b1-b3"}


@dataclass(frozen=True)
class Written:
    """Alice writes at a minute. Other mail servers need this part of what they may need to come back."""

    match: int
    at: Minutes
    kind: str
    delay: Minutes  # until it is opened
    relay: float
    dies_at: str  # the moment at which its first reader dies
    yes: Minutes  # after it was to be opened; 0 is never


@dataclass(frozen=True)
class Away:
    component: Component
    since: Minutes
    length: Minutes

    @property
    def until(self) -> Minutes:
        return self.since + self.length


@dataclass(frozen=True)
class Plan:
    deadlines: Sequence[Minutes]
    letters: Sequence[Written]
    outages: Sequence[Away]
    sweeps: Sequence[Minutes]

    def arrival(self, letter: Written) -> Minutes:
        """A letter that finds the door shut waits outside, and comes back after a pause, the longer the longer it has
        waited. It may find the door shut again."""
        at, since = letter.at, None
        for outage in sorted(self.outages, key=lambda outage: outage.since):
            if outage.component is Component.DOOR and outage.since < at < outage.until:
                since = outage.since if since is None else since
                at = outage.until + round(letter.relay * pause(outage.until - since))
        return at

    def worker_is_back(self, at: Minutes) -> Minutes:
        away = (o for o in self.outages if o.component is Component.WORKER and o.since < at < o.until)
        return next((outage.until for outage in away), at)


@dataclass
class Clerk:
    """What ought to come of it, minute by minute and by hand."""

    plan: Plan

    def deadline(self, number: int) -> Minutes:
        """The last of so many minutes that were not struck out: those of all outages, and of what comes back late."""
        struck_out = lost([(outage.since, outage.until) for outage in self.plan.outages])
        minute, left = 0, self.plan.deadlines[number]
        while left:
            left -= minute not in struck_out
            minute += 1
        return minute

    def moves(self, number: int) -> bool:
        """Whether any letter with the move came in time, and had its YES within three days where it needed one."""
        deadline = self.deadline(number)
        mine = [letter for letter in self.plan.letters if letter.match == number]
        return any(
            self.plan.arrival(letter) <= deadline
            and (letter.kind == "move" or (letter.kind == "held" and 0 < letter.yes < 3 * DAY))
            for letter in mine
        )


@dataclass
class House:
    """The service, with a day of letters before it."""

    plan: Plan
    post: Post = field(default_factory=Post)
    away: set[Component] = field(default_factory=set)
    rows: dict[Written, InboundMail] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.alice, self.bruno = registered(self.post, "Alice", "en"), registered(self.post, "Bruno", "it")
        self.matches = [self.begin(deadline) for deadline in self.plan.deadlines]
        self.post.send()
        self.live()

    def begin(self, deadline: Minutes) -> Match:
        match = start(
            first=self.alice.player, second=self.bruno.player, game="loa:6x6", now=MORNING, rng=Random(0)
        )
        return due(match, MORNING + timedelta(minutes=deadline))

    def run(self) -> None:
        for at, _, happen in sorted(self.timeline(), key=lambda event: event[:2]):
            self.post.now = MORNING + timedelta(minutes=at)
            self.live()
            happen()
        for _ in range(3):  # letters, then what readers who died left behind, then all clocks
            self.post.wait(days=4)
            self.live()
            self.open()
            flag_overdue(now=self.post.now)

    def timeline(self) -> Iterator[tuple[Minutes, int, Callable[[], Any]]]:
        for outage in self.plan.outages:
            yield outage.until, 0, lambda component=outage.component: self.comes_back(component)
            yield outage.since, 9, lambda component=outage.component: self.away.add(component)
        for letter in self.plan.letters:
            arrival = self.plan.arrival(letter)
            opened = self.plan.worker_is_back(arrival + letter.delay)
            yield arrival, 1, lambda letter=letter: self.arrives(letter)
            yield opened, 2, lambda letter=letter: self.is_opened(letter)
            yield self.plan.worker_is_back(opened + 3), 2, self.open  # where the first reader died
            if letter.yes:
                answered = self.plan.worker_is_back(opened + letter.yes)
                yield answered, 3, lambda letter=letter: self.is_confirmed(letter)
        for at in self.plan.sweeps:
            yield self.plan.worker_is_back(at), 4, self.sweep

    def live(self) -> None:
        """Anyone who is not away has been beating all the time."""
        now = self.post.now
        rows = [
            Heartbeat(component=component, minute=now, beat_at=now)
            for component in PARTS
            if component not in self.away
        ]
        Heartbeat.objects.bulk_create(rows, ignore_conflicts=True)

    def comes_back(self, component: Component) -> None:
        self.away.discard(component)
        if component is Component.WORKER:  # the tasks that are left from before may come first
            for pk in list(inbox.waiting(now=self.post.now)):
                inbox.open_mail(pk, now=self.post.now)
        beat(component, now=self.post.now)

    def arrives(self, letter: Written) -> None:
        seat = self.matches[letter.match].seated[0]
        address = sealed_address(Token(Purpose.MOVE, seat.pk, 0), seat.salt)
        sender = "alice@elsewhere.example" if letter.kind == "held" else self.alice.email
        raw = self.alice.pens(MOVES[letter.kind], headers={"From": sender})
        self.rows[letter] = self.post.keep(raw, address, sender)

    def is_opened(self, letter: Written) -> None:
        if Component.WORKER not in self.away:
            with power_cut_at(letter.dies_at):
                self.post.open_one(self.rows[letter].pk)

    def is_confirmed(self, letter: Written) -> None:
        self.open()
        asked = Confirmation.objects.filter(letter=self.rows[letter]).first()
        if asked is not None:
            token = Token(Purpose.CONFIRM, asked.pk, 0, expiry(Purpose.CONFIRM, asked.asked_at.date()))
            self.post.keep(self.alice.pens("YES"), sealed_address(token, asked.salt), self.alice.email)
            self.open()

    def open(self) -> None:
        if Component.WORKER not in self.away:
            self.post.open()

    def sweep(self) -> None:
        if Component.WORKER not in self.away:
            flag_overdue(now=self.post.now)


NEAR = (-200, -60, -10, -2, -1, 0, 1, 2, 10, 60, 100, 200)  # minutes from a deadline: where it matters


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    deadlines = draw(st.lists(st.integers(250, 300), min_size=1, max_size=2))

    def near() -> Minutes:
        return draw(st.sampled_from(deadlines)) + draw(st.sampled_from(NEAR))

    letters = [
        Written(
            match=draw(st.sampled_from(range(len(deadlines)))),
            at=near(),
            kind=draw(st.sampled_from(("move", "held", "junk"))),
            delay=draw(st.sampled_from((0, 1, 30, 400))),
            relay=draw(st.floats(0, 1)),
            dies_at=draw(st.sampled_from(("", "claimed", "read", "carried-out", "opened"))),
            yes=draw(st.sampled_from((0, 5, DAY, 4 * DAY))),
        )
        for _ in range(draw(st.integers(0, 3)))
    ]
    return Plan(
        deadlines=deadlines,
        letters=list({(letter.match, letter.kind): letter for letter in letters}.values()),
        outages=[away for component in PARTS for away in _outages(draw, component, near)],
        sweeps=[near() + draw(st.sampled_from((0, 3, 8, 600, DAY))) for _ in range(8)],
    )


def _outages(draw: st.DrawFn, component: Component, near: Callable[[], Minutes]) -> list[Away]:
    """Of one part, each some time after the one before."""
    outages: list[Away] = []
    for since in sorted(near() for _ in range(draw(st.integers(0, 2)))):
        if not outages or since > outages[-1].until + 1:
            outages.append(Away(component, since, draw(st.sampled_from((6, 20, 45, 150)))))
    return outages


@pytest.mark.prove
@examples(
    15,
    derandomize=True,
    phases=(Phase.generate,),
)
@given(plan=plans())
def test_whoever_writes_in_time_is_never_flagged_and_whoever_does_not_is(post: Post, plan: Plan) -> None:
    with transaction.atomic():
        house, clerk = House(plan), Clerk(plan)
        house.run()
        for number, match in enumerate(house.matches):
            match.refresh_from_db()
            if clerk.moves(number):
                assert (match.ply, match.reason) == (1, "")
            else:
                assert (match.ply, match.reason, match.winner) == (0, "time", 1)
                assert match.ended_at > MORNING + timedelta(minutes=clerk.deadline(number)) + LONGEST_KEEPING
        transaction.set_rollback(True)


@examples(200, derandomize=True)
@given(plan=plans())
def test_the_clerk_lets_nobody_pay_for_a_shut_door(plan: Plan) -> None:
    """Written by the deadline as it stood on the board, a move counts, whatever other mail servers did with it."""
    clerk = Clerk(plan)
    for letter in plan.letters:
        if letter.kind == "move" and letter.at <= plan.deadlines[letter.match]:
            assert clerk.moves(letter.match)
