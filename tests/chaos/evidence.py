"""All that is known of a run from outside: what was written, what came of it, and what the tables say."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from tests.chaos.match import Match
from tests.chaos.relay import Submission
from tests.chaos.rows import Inbound, Rows, Turn
from tests.chaos.rows import Match as Row
from tests.smtp_fixtures import Letter

MESSAGE_ID = re.compile(rb"^Message-ID: (<\S+>)\r?$", re.MULTILINE)

Key = tuple[str, str | bytes]


@dataclass(frozen=True)
class Undone:
    """What a restore has undone: what came to pass between these two, on the clock of perf_counter.

    `last` is the newest letter that the backup has; `begun` are its matches, by the addresses of their players.
    """

    since: float
    until: float
    restored_at: datetime  # the same as `until`
    last: int
    begun: Mapping[tuple[str, ...], Row]

    def has(self, moment: float) -> bool:
        return self.since <= moment <= self.until


@dataclass(frozen=True)
class Evidence:
    """All that can be known from outside. `senders_killed`: each may have had one letter in its hands."""

    submissions: Sequence[Submission]
    copies: Sequence[Letter]
    dropped: Mapping[str, int]  # replies that the sink never sent, by Message-ID
    rows: Rows
    story: Sequence[Match]
    senders_killed: int
    undone: Sequence[Undone] = ()

    @property
    def acknowledged(self) -> list[Submission]:
        """Without those that a restore has undone."""
        return [
            each for each in self.submissions if each.acknowledged is not None and not self._is_lost(each)
        ]

    @property
    def still_so(self) -> list[Submission]:
        """Of those acknowledged, what came before a restore that may have undone it is left out."""
        return [s for s in self.acknowledged if not self.was_undone(s.acknowledged or 0.0)]

    def _is_lost(self, letter: Submission) -> bool:
        return self.was_undone(letter.acknowledged or 0.0) and not self.rows_of(letter)

    def was_undone(self, moment: float) -> bool:
        return any(undone.has(moment) for undone in self.undone)

    @cached_property
    def old_addresses(self) -> dict[str, int]:
        """Reply addresses of boards that a restore may have undone, and the last letter before it."""
        told = ((copy, undone) for undone in self.undone for copy in self.copies if copy.at <= undone.until)
        return {
            copy.reply_to.lower(): undone.last
            for copy, undone in told
            if copy.reply_to.startswith(("m+", "l+"))
        }

    @cached_property
    def kept(self) -> dict[Key, list[Inbound]]:
        kept = defaultdict(list)
        for row in self.rows.inbox:
            kept[key_of(row.recipient, row.raw)].append(row)
        return kept

    @cached_property
    def sorts(self) -> dict[Key, set[str]]:
        """What the letters were, by the row that they should have become."""
        sorts = defaultdict(set)
        for submission in self.submissions:
            sorts[key_of(submission.to, submission.raw)].add(submission.what)
        return sorts

    @cached_property
    def meant(self) -> dict[Key, set[tuple[int, int]]]:
        """Which moves the letters mean, by their row."""
        meant = defaultdict(set)
        for submission in self.submissions:
            if submission.move:
                meant[key_of(submission.to, submission.raw)].add(submission.move)
        return meant

    @cached_property
    def turns(self) -> dict[int, list[Turn]]:
        turns = defaultdict(list)
        for turn in self.rows.turns:
            turns[turn.match_id].append(turn)
        return turns

    @cached_property
    def players_of(self) -> dict[int, list[str]]:
        players = defaultdict(list)
        for seat in self.rows.seats:
            players[seat.match_id].append(seat.email)
        return players

    @cached_property
    def told_daily(self) -> set[str]:
        """Anyone who has a digest."""
        return {player for match in self.story for player in match.digests}

    @cached_property
    def match_of(self) -> dict[int, int]:
        """The row of each match of the story that has come so far."""
        numbers = {match.players: match.number for match in self.story}
        return {numbers[tuple(players)]: match for match, players in self.players_of.items()}

    @cached_property
    def copies_of(self) -> Counter[str]:
        return Counter(copy.message_id for copy in self.copies)

    def answers_old_board(self, row: Inbound) -> bool:
        """Whether it came after a restore, to the reply address of a letter from before."""
        last = self.old_addresses.get(row.recipient.lower())
        return last is not None and row.id > last

    def rows_of(self, submission: Submission) -> list[Inbound]:
        return self.kept.get(key_of(submission.to, submission.raw), [])


def key_of(recipient: str, raw: bytes) -> Key:
    """Which letters are the same: one Message-ID at one address, else the same octets."""
    found = MESSAGE_ID.search(raw)
    return recipient.lower(), found[1].decode() if found else bytes(raw)
