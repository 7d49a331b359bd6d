"""Where all letters of the service end: mailboxes behind a mail server that has bad moments."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from tests.smtp_fixtures import Letter, Mailboxes


@dataclass(frozen=True)
class Fault:
    """What goes wrong at a verb (none: the greeting, `.`: the end of a letter), and how often."""

    verb: str
    share: float
    reply: bytes = b""  # "": the connection is cut
    takes: bool = False  # the letter is taken all the same
    delay: float = 0.0  # seconds before the usual answer; nothing else happens


FAULTS = (
    # It is busy, or knows nobody yet.
    Fault("", 0.02, b"421 4.3.2 busy"),
    Fault("MAIL", 0.01, b"451 4.3.0 try again later"),
    Fault("RCPT", 0.01, b"450 4.2.0 greylisted"),
    Fault("DATA", 0.01, b"451 4.3.0 try again later"),
    Fault(".", 0.01, b"452 4.3.1 out of space"),
    # It falls silent: before it has the letter, and when it has it and its answer is lost.
    Fault("DATA", 0.005),
    Fault(".", 0.01),
    Fault(".", 0.02, takes=True),
    # It is slow.
    Fault("MAIL", 0.01, delay=0.5),
    Fault(".", 0.01, delay=1.5),
)

# Mailboxes of strangers that refuse for ever, at each stage where a server knows for whom the letter is.
GONE = {"gone": ("RCPT", b"550 5.1.1 no such user"), "closed": (".", b"550 5.2.1 mailbox disabled")}
# Those that refuse until somebody has done something: we, or their owner.
SHUT = {"spam": ("DATA", b"554 5.7.1 not wanted"), "full": (".", b"552 5.2.2 mailbox full")}


@dataclass
class Sink:
    """The log of all copies taken. `seed` decides the faults, `read` hears of each letter once it is taken."""

    seed: int
    read: Callable[[Letter], None]
    copies: list[Letter] = field(default_factory=list)
    dropped: Counter[str] = field(
        default_factory=Counter
    )  # replies never sent for a letter taken, by Message-ID
    faults: Counter[str] = field(default_factory=Counter)  # by verb
    calm: bool = False  # no more faults
    silent: bool = False  # after the dot, no matter who asks
    held: list[_Connection] = field(default_factory=list)  # lines on which nothing is said
    line: int = 0  # the port from which the last letter came, or is coming
    _heard: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def wake(self) -> None:
        """The lines fall on which nothing was said."""
        self.silent = False
        held, self.held = self.held, []
        for line in held:
            line.hang_up()

    def connection(self) -> Mailboxes:
        return _Connection(self)

    def take(self, letter: Letter) -> None:
        self.copies.append(letter)
        self.read(letter)

    def fault(self, verb: str, to: str) -> Fault | None:
        """Decided by seed, verb, recipient and how often they have been asked for, whatever the order of all else."""
        self._heard[f"{verb} {to}"] += 1
        chance = Random(f"{self.seed} {verb} {to} {self._heard[f'{verb} {to}']}").random()
        for fault in FAULTS:
            if fault.verb == verb and not self.calm:
                if chance < fault.share:
                    self.faults[verb] += 1
                    return fault
                chance -= fault.share
        return None


class _Connection(Mailboxes):
    def __init__(self, sink: Sink) -> None:
        super().__init__(sink.take)
        self._sink = sink
        self._delay = 0.0

    def heard(self, verb: str, came: bytes) -> None:
        refusing = GONE if self._sink.calm else GONE | SHUT
        self._loop = asyncio.get_running_loop()
        if verb == "DATA":
            self._sink.line = self.wire.get_extra_info("peername")[1]
        stage, refusal = refusing.get(self.to.partition("-")[0], (None, b""))
        if verb == stage:
            self.say(refusal)
            return
        if verb == "." and self._sink.silent:
            self._sink.held.append(self)
            return
        fault = self._sink.fault(verb, self.to)
        if fault is None or fault.delay:
            self._delay = fault.delay if fault else 0.0
            super().heard(verb, came)
            return
        if fault.takes:
            letter = Letter(self.to, came, perf_counter(), self.sender)
            self._sink.dropped[letter.message_id] += 1
            self._sink.take(letter)
        if fault.reply:
            self.say(fault.reply)
        else:
            self.wire.abort()

    def hang_up(self) -> None:
        self._loop.call_soon_threadsafe(self.wire.abort)

    def say(self, words: bytes) -> None:
        pause, self._delay = self._delay, 0.0
        asyncio.get_running_loop().call_later(pause, super().say, words)
