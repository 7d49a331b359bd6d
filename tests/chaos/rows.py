"""What the service wrote down, read from its tables by somebody else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import psycopg
from psycopg.errors import DeadlockDetected
from psycopg.rows import class_row

T = TypeVar("T")


@dataclass(frozen=True)
class Inbound:
    id: int
    raw: bytes
    recipient: str
    received_at: datetime
    verdict: str


@dataclass(frozen=True)
class Outbound:
    id: int
    kind: str
    address: str
    match_id: int | None
    sections: Sequence[Mapping[str, Any]]
    created_at: datetime
    status: str
    verdict: str
    message_id: str
    cause: str = ""

    def tells(self, event: int, *kinds: str) -> bool:
        return any(section.get("event") == event and section["kind"] in kinds for section in self.sections)


@dataclass(frozen=True)
class Match:
    id: int
    game_name: str
    rules_version: int
    setup: str
    status: str
    ply: int
    position: str
    reason: str = ""


@dataclass(frozen=True)
class Seat:
    """`email` is the address of its player."""

    match_id: int
    side: int
    email: str


@dataclass(frozen=True)
class Turn:
    """Of the live ones."""

    match_id: int
    ply: int
    move: str
    position: str
    how: str = ""


@dataclass(frozen=True)
class Event:
    """Something that changed the board, what was the ply after it, and the letter that did it."""

    id: int
    match_id: int
    kind: str
    ply: int
    letter: int


@dataclass(frozen=True)
class Outage:
    """Time that counted for nobody."""

    since: datetime
    until: datetime


@dataclass(frozen=True)
class Wish:
    """What a player, at that address, has asked a robot to look into; `status` is how far it has come."""

    id: int
    match_id: int
    kind: str
    status: str
    email: str
    told: bool


@dataclass(frozen=True)
class Rows:
    inbox: Sequence[Inbound]
    outbox: Sequence[Outbound]
    matches: Sequence[Match]
    seats: Sequence[Seat]
    turns: Sequence[Turn]
    boards: Sequence[Event]
    outages: Sequence[Outage] = ()
    wishes: Sequence[Wish] = ()

    @property
    def moved(self) -> Sequence[Event]:
        return [event for event in self.boards if event.kind == "moved"]

    @property
    def taken_back(self) -> set[int]:
        """The matches in which something was."""
        return {event.match_id for event in self.boards if event.kind == "undone"}

    @property
    def begun(self) -> dict[tuple[str, ...], Match]:
        """The matches, by the addresses of their players."""
        players: dict[int, list[str]] = {}
        for seat in self.seats:
            players.setdefault(seat.match_id, []).append(seat.email)
        return {tuple(players[match.id]): match for match in self.matches}


GROW = ("inbox_inboundmail", "outbox_outboundmail", "matches_event", "matches_turn")


@dataclass
class Tables:
    """The tables of the service at `database`, a URL."""

    database: str

    def rows(self) -> Rows:
        with self._connection() as connection:
            return Rows(*(self._all(connection, kind, query) for kind, query in QUERIES))

    def waiting(self) -> int:
        """How many letters are not opened, or have not left, or are still to be told in a digest; and what a robot has
        still to look into."""
        query = """
            SELECT (SELECT count(*) FROM inbox_inboundmail WHERE verdict = '')
                 + (SELECT count(*) FROM outbox_outboundmail WHERE status = 'waiting')
                 + (SELECT count(*) FROM outbox_digestitem)
                 + (SELECT count(*) FROM analysis_analysisjob WHERE status = 'waiting')
        """
        with self._connection() as connection:
            [[count]] = connection.execute(query).fetchall()
            return int(count)

    def set_deadline(self, mover: str, ply: int, seconds: float) -> datetime | None:
        """The player at this address, whose turn it is, has just so many seconds from now on, by their clock too.

        None where it is not that turn, for what they have read was undone.
        """
        statement = """
            WITH turn AS (
                UPDATE matches_match SET deadline = now() + %(seconds)s * interval '1 second'
                FROM matches_seat JOIN players_address USING (player_id)
                WHERE matches_match.id = match_id AND side = to_move AND email = %(mover)s AND ply = %(ply)s
                      AND deadline IS NOT NULL
                RETURNING matches_seat.id AS seat_id, matches_match.deadline AS deadline
            )
            UPDATE matches_seat SET bank_left = turn.deadline - running_since FROM turn WHERE id = turn.seat_id
            RETURNING turn.deadline
        """
        with self._connection() as connection:
            changed = connection.execute(
                statement, {"mover": mover, "ply": ply, "seconds": seconds}
            ).fetchone()
            return changed[0] if changed else None

    def dawn(self) -> None:
        """It is the hour at which everybody gets the letter of the day."""
        self.change("UPDATE outbox_digestitem SET due_at = now() WHERE due_at > now()")

    def move(self, source: str, target: str) -> None:
        """All tables and their indexes from one tablespace to another."""
        for kind in ("TABLE", "INDEX"):
            self.change(f"ALTER {kind} ALL IN TABLESPACE {source} SET TABLESPACE {target}")

    @contextmanager
    def pretending_to_be_full(self) -> Iterator[None]:
        """Inside the block the tables that grow with the letters say that no room is left."""
        self.change(
            """CREATE OR REPLACE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
               RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$"""
        )
        try:
            for table in GROW:
                self.change(f"CREATE TRIGGER no_room BEFORE INSERT ON {table} EXECUTE FUNCTION no_room()")
            yield
        finally:
            self.change("DROP FUNCTION no_room CASCADE")

    def change(self, statement: str) -> None:
        with self._connection() as connection:
            connection.execute(statement)

    @contextmanager
    def locked(self, *tables: str) -> Iterator[None]:
        """Nobody else can read or write these inside the block."""
        with self._connection() as connection, connection.transaction():
            while True:  # of those in a deadlock the server ends one, perhaps this
                with suppress(DeadlockDetected), connection.transaction():
                    connection.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
                    break
            yield

    @contextmanager
    def _connection(self) -> Iterator[psycopg.Connection]:
        with psycopg.connect(self.database, autocommit=True) as connection:
            yield connection

    def _all(self, connection: psycopg.Connection, kind: type[T], query: str) -> list[T]:
        with connection.cursor(row_factory=class_row(kind)) as cursor:
            return cursor.execute(query).fetchall()


QUERIES: Sequence[tuple[type, str]] = (
    (Inbound, "SELECT id, raw, recipient, received_at, verdict FROM inbox_inboundmail ORDER BY id"),
    (
        Outbound,
        """SELECT id, kind, address, match_id, sections, created_at, status, verdict, message_id, cause
           FROM outbox_outboundmail ORDER BY id""",
    ),
    (
        Match,
        """SELECT id, game_name, rules_version, setup, status, ply, position, reason
           FROM matches_match ORDER BY id""",
    ),
    (
        Seat,
        """SELECT match_id, side, email FROM matches_seat
           JOIN players_address USING (player_id) ORDER BY match_id, side""",
    ),
    (
        Turn,
        """SELECT match_id, ply, move, position, how FROM matches_turn
           WHERE undone_by_id IS NULL ORDER BY match_id, ply""",
    ),
    (
        Event,
        """SELECT id, match_id, kind, ply, letter FROM matches_event
           WHERE kind IN ('moved', 'undone') ORDER BY id""",
    ),
    (
        Outage,
        """SELECT since, until FROM matches_exemptinterval
           WHERE match_id IS NULL AND until IS NOT NULL ORDER BY since""",
    ),
    (
        Wish,
        """SELECT analysis_analysisrequest.id, match_id, kind, status, email, told_at IS NOT NULL AS told
           FROM analysis_analysisrequest JOIN analysis_analysisjob ON analysis_analysisjob.id = study_id
           JOIN players_address USING (player_id) ORDER BY analysis_analysisrequest.id""",
    ),
)
