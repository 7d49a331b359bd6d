"""One line that says how it went."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles

from tests.chaos.evidence import Evidence
from tests.processes import ROOT

LOST = ("acknowledged_is_kept", "one_verdict", "played_as_written", "sent_is_delivered")
DOUBLE = ("kept_once", "moved_once")


@dataclass(frozen=True)
class Report:
    """`drain` in seconds, `broken` as the invariants found it, `deaths` by kind."""

    evidence: Evidence
    broken: Mapping[str, Sequence[str]]
    deaths: Counter[str]
    seed: int
    told: float  # seconds that the story took
    drain: float

    @property
    def lost(self) -> int:
        return self._count(LOST)

    @property
    def double(self) -> int:
        return self._count(DOUBLE)

    def __str__(self) -> str:
        evidence = self.evidence
        copies = sum(count - 1 for count in evidence.copies_of.values())
        bound = evidence.senders_killed + sum(evidence.dropped.values())
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.deaths.items()))
        p50, p99 = self.latency
        return " · ".join(
            (
                f"N {len(evidence.submissions):,}",
                f"acknowledged {len(evidence.acknowledged):,}{self._ways}",
                f"applied {len(evidence.rows.moved):,} ({self._special})",
                f"lost {self.lost}",
                f"double {self.double}",
                f"duplicate letters {copies} (at most {bound})",
                f"kills {self.deaths.total()} ({kinds})",
                f"p50 {p50:.2f} s, p99 {p99:.2f} s",
                f"{self.told:.0f} s and {self.drain:.1f} s to drain",
                f"seed {self.seed}",
                f"commit {_commit()}",
            )
        )

    @property
    def _ways(self) -> str:
        """By which they came, where there are several; how many digests left."""
        ways = Counter(each.by for each in self.evidence.acknowledged)
        digests = sum(row.kind == "digest" for row in self.evidence.rows.outbox)
        told = [f"{count:,} by {way}" for way, count in sorted(ways.items())] if len(ways) > 1 else []
        told += [f"{digests:,} digests"] if digests else []
        return f" ({', '.join(told)})" if told else ""

    @property
    def _special(self) -> str:
        """How often what happens rarely has happened."""
        rows = self.evidence.rows
        ends = Counter(match.reason for match in rows.matches)
        itself = sum(turn.how == "conditional" for turn in rows.turns)
        undone = sum(board.kind == "undone" for board in rows.boards)
        found = sum(wish.status == "done" for wish in rows.wishes)
        board = f"{itself} by themselves, {undone} taken back, {ends['time']} lost on time, {ends['agreed']} draws"
        return f"{board}, {found} analyses and hints"

    @property
    def latency(self) -> tuple[float, float]:
        """Seconds from 250 for a move to its board in the opponent's mailbox: median and 99th percentile."""
        evidence = self.evidence
        heard = {
            row.id: submission.acknowledged
            for submission in evidence.acknowledged
            for row in evidence.rows_of(submission)
        }
        came = {copy.message_id: copy.at for copy in reversed(evidence.copies)}
        letter_of = {event.id: event.letter for event in evidence.rows.moved}
        taken = [
            max(0.0, came[row.message_id] - (heard.get(letter_of[section["event"]]) or came[row.message_id]))
            for row in evidence.rows.outbox
            for section in row.sections
            if section["kind"] == "turn" and section.get("event") in letter_of and row.message_id in came
        ]
        if len(taken) < 2:
            return 0.0, 0.0
        cuts = quantiles(taken, n=100)
        return cuts[49], cuts[98]

    def _count(self, invariants: Sequence[str]) -> int:
        return sum(len(self.broken.get(name, ())) for name in invariants)


def _commit() -> str:
    asked = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True
    )
    return asked.stdout.strip() or "unknown"
