"""The mail server of all players: tries each letter until a door takes it, and remembers what the door said."""

from __future__ import annotations

import queue
import smtplib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter, sleep
from zlib import crc32

from tests.smtp_fixtures import Address

CONNECTIONS = 6
BREAKS = (
    "RCPT",
    "DATA",
    ".",
)  # before the letter, in the middle of it, after it when the reply is on its way
PAUSE = 0.25  # seconds after a failure; a real one would wait minutes
TIMEOUT = 30.0


@dataclass
class Submission:
    """A letter on its way to the door, and what became of it there.

    `what` is its sort, `move` the (game, ply) that it means to play. `breaks`: where the connection does at the first
    attempt. `tries`: so many temporary refusals, then its sender gives up.
    """

    what: str
    sender: str
    to: str
    message_id: str
    raw: bytes
    move: tuple[int, int] | None = None
    breaks: str = ""
    tries: int | None = None
    attempts: int = 0
    refusals: list[int] = field(default_factory=list)
    acknowledged: float | None = None  # when 250 was heard, on the clock of perf_counter
    heard_at: datetime | None = None  # the same on the wall
    refused: str = ""  # a reply that is final
    by: str = "SMTP"  # the way that it takes

    def heard_yes(self) -> None:
        self.acknowledged, self.heard_at = perf_counter(), datetime.now(UTC)

    def copy(self, raw: bytes) -> Submission:
        """The same letter handed in once more."""
        return Submission("copy", self.sender, self.to, self.message_id, raw, self.move)

    @property
    def done(self) -> bool:
        gave_up = self.tries is not None and len(self.refusals) >= self.tries
        return self.acknowledged is not None or bool(self.refused) or gave_up


@dataclass(frozen=True)
class Way:
    """Another one in than by SMTP, for so large a share of those letters that it takes."""

    name: str
    share: float
    takes: Callable[[Submission], bool]
    deliver: Callable[[Submission], None]  # one attempt; raises OSError or SMTPException


@dataclass
class Relay:
    """`log` has every letter that was ever handed in."""

    door: Address
    ways: list[Way] = field(default_factory=list)
    log: list[Submission] = field(default_factory=list)
    # Not a SimpleQueue: where several wait, its timeout may run below nothing, and then it waits for ever.
    _waiting: queue.Queue[Submission] = field(default_factory=queue.Queue)
    _ends: threading.Event = field(default_factory=threading.Event)

    def hand_in(self, submission: Submission) -> None:
        self.log.append(submission)
        self._waiting.put(submission)

    @property
    def idle(self) -> bool:
        return all(submission.done for submission in self.log)

    @contextmanager
    def open(self) -> Iterator[None]:
        with ThreadPoolExecutor(CONNECTIONS) as threads:
            ends = [threads.submit(self._deliver_all) for _ in range(CONNECTIONS)]
            try:
                yield
            finally:
                self._ends.set()
        for end in ends:
            end.result()

    def _deliver_all(self) -> None:
        smtp: smtplib.SMTP | None = None
        while not self._ends.is_set():
            try:
                submission = self._waiting.get(timeout=PAUSE)
            except queue.Empty:
                continue
            try:
                if way := self._way(submission):
                    submission.attempts, submission.by = submission.attempts + 1, way.name
                    way.deliver(submission)
                else:
                    smtp = smtp or smtplib.SMTP(*self.door, timeout=TIMEOUT)
                    _deliver(smtp, submission)
            except (OSError, smtplib.SMTPException):
                if smtp is not None:
                    smtp.close()
                smtp = None
            if not submission.done:
                sleep(PAUSE)
                self._waiting.put(submission)
        if smtp is not None:
            smtp.close()

    def _way(self, submission: Submission) -> Way | None:
        """The same at every attempt."""
        dice = crc32(submission.raw) / 2**32
        for way in self.ways:
            if dice < way.share:
                return way if way.takes(submission) else None
            dice -= way.share
        return None


def _deliver(smtp: smtplib.SMTP, submission: Submission) -> None:
    """One attempt. Raises when the connection is of no use any more."""
    submission.attempts += 1
    smtp.ehlo_or_helo_if_needed()
    for say in (
        lambda: smtp.mail(submission.sender),
        lambda: _rcpt(smtp, submission),
        lambda: _data(smtp, submission),
    ):
        code, reply = say()
        if code >= 400:
            note(submission, code, reply)
            smtp.rset()
            return
    submission.heard_yes()


def _rcpt(smtp: smtplib.SMTP, submission: Submission) -> tuple[int, bytes]:
    reply = smtp.rcpt(submission.to)
    break_at("RCPT", submission)
    return reply


def _data(smtp: smtplib.SMTP, submission: Submission) -> tuple[int, bytes]:
    if submission.breaks == "DATA" and submission.attempts == 1:
        smtp.docmd("DATA")
        smtp.send(submission.raw[: len(submission.raw) // 2])
        break_at("DATA", submission)
    reply = smtp.data(submission.raw)
    break_at(".", submission)
    return reply


def break_at(at: str, submission: Submission) -> None:
    if submission.breaks == at and submission.attempts == 1:
        raise ConnectionAbortedError(f"the connection broke at {at}")


def note(submission: Submission, code: int, reply: bytes) -> None:
    if code >= 500:
        submission.refused = f"{code} {reply.decode(errors='replace')}"
    else:
        submission.refusals.append(code)
