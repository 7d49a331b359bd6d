"""Fills tables faster than any service could: rows like one that the service made itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from random import Random

from django.db import connection, models
from django.utils import timezone

from pbem.inbox.models import InboundMail
from pbem.matches.models import Event, Match, Seat, Turn
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.outbox.models import OutboundMail
from pbem.players.models import Address, Player
from tests.bench.house import MOVES_LETTERS, players

TURNS = 24  # of each match
LATER = "now() + interval '1 day'"  # filling the other tables takes hours, in which no deadline may pass
PLAYERS_OF_MATCHES = 50  # matches of each player


def fill(matches: int, *, texts: bool = False) -> None:
    """Four of five matches are over; of those played the deadlines lie in the next thirty days. Of emails and letters
    the texts have been emptied, as time does, or not.
    """
    now = timezone.now()
    with _unindexed(Player, Address, Match, Seat, Turn, Event, InboundMail, OutboundMail):
        model, bruno, others = fill_matches(matches)
        _turns(model.pk, bruno.pk, matches, others, texts=texts)
    Match.objects.filter(pk__lte=model.pk + 20, status="playing").update(deadline=now - timedelta(hours=1))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@contextmanager
def _unindexed(*filled: type[models.Model]) -> Iterator[None]:
    """Leaves foreign keys unchecked, and makes all indexes but those of primary keys when the tables are full."""
    tables = [model._meta.db_table for model in filled]
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica; SET maintenance_work_mem = '1GB'")
        cursor.execute(_INDEXES, [tables])
        found = cursor.fetchall()
        for dropped, _ in found:
            cursor.execute(dropped)
    yield
    with connection.cursor() as cursor:
        for _, made in found:
            cursor.execute(made)
        cursor.execute("RESET session_replication_role; RESET maintenance_work_mem")


_INDEXES = """
    SELECT CASE WHEN c.oid IS NULL THEN format('DROP INDEX %%s', i.indexrelid::regclass)
                ELSE format('ALTER TABLE %%s DROP CONSTRAINT %%I', i.indrelid::regclass, c.conname) END,
           CASE WHEN c.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
                ELSE format('ALTER TABLE %%s ADD CONSTRAINT %%I %%s',
                            i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) END
    FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('u', 'x')
    WHERE i.indrelid::regclass::text = ANY(%s) AND NOT i.indisprimary
"""


def fill_matches(matches: int) -> tuple[Match, Player, int]:
    """Matches, seats and players alone. Returns the match and the player before those made, and how many players."""
    now = timezone.now()
    alice, bruno = players()
    terms = Terms(clock="30d/move")
    model = start(first=alice, second=bruno, game="loa", terms=terms, now=now, rng=Random(1))
    others = max(30, matches // PLAYERS_OF_MATCHES)
    _multiply(
        Player,
        alice.pk,
        others,
        {"name": "'Player ' || n", "folded": "'player ' || n", "skeleton": "'player ' || n"},
    )
    _multiply(
        Address,
        alice.addresses.get().pk,
        others,
        {"email": "'p' || n || '@players.localhost'", "player_id": f"{bruno.pk} + n"},
    )
    over = "CASE WHEN n % 5 = 0 THEN {} ELSE {} END"
    _multiply(
        Match,
        model.pk,
        matches,
        {
            "status": over.format("'playing'", "'over'"),
            "to_move": over.format("n % 2", "NULL"),
            "deadline": over.format(f"{LATER} + n % 720 * interval '1 hour'", "NULL"),
            "remind_at": over.format(f"{LATER} + n % 700 * interval '1 hour'", "NULL"),
            "ended_at": over.format("NULL", "now()"),
            "winner": over.format("NULL", "n % 2"),
            "reason": over.format("''", "'resigned'"),
            "created_at": "now() - (n % 1000) * interval '1 day'",
            "started_at": "now() - (n % 1000) * interval '1 day'",
        },
    )
    for side in (0, 1):
        _multiply(
            Seat,
            model.seated[side].pk,
            matches,
            {
                "match_id": f"{model.pk} + n",
                "player_id": f"{bruno.pk} + 1 + (n * {7 + side} + n / 1000) % {others}",
            },
        )
    return model, bruno, others


def _turns(match: int, player: int, matches: int, others: int, *, texts: bool) -> None:
    """Of each match as many as are usual, each with what else it leaves behind: the email that brought it, opened, the
    event, and both letters, sent.
    """
    times = matches * TURNS
    # Before their table is full: there is no index by kind.
    letters = {kind: OutboundMail.objects.filter(kind=kind).latest("pk").pk for kind in MOVES_LETTERS}
    ply, of = f"((n - 1) % {TURNS})", f"{match} + 1 + (n - 1) / {TURNS}"
    reader = f"{player} + 1 + (n - 1) / {TURNS} % {others}"
    when = f"now() - (n - 1) / {TURNS} % 1000 * interval '1 day' + {ply} * interval '1 hour'"
    turn = {
        "match_id": of,
        "ply": ply,
        "side": f"{ply} % 2",
        "played_at": when,
        "key": f"'{match} ' || {ply}",
    }
    _multiply(Turn, Turn.objects.latest("pk").pk, times, turn)
    moved = Event.objects.filter(kind=Event.Kind.MOVED).latest("pk").pk
    _multiply(
        Event,
        moved,
        times,
        {"match_id": of, "ply": ply, "side": f"{ply} % 2", "happened_at": when, "letter": "NULL"},
    )
    came = {
        "digest": "md5('came' || n)",
        "raw": "t.raw" if texts else "''",
        "received_at": when,
        "queue_key": f"'match:' || {of}",
        "message_key": "md5('named' || n)",
        "account": f"'player:' || {reader}",
    }
    _multiply(InboundMail, InboundMail.objects.latest("pk").pk, times, came)
    for kind, letter in letters.items():
        left = {
            "status": "'sent'",
            "sent_at": when,
            "created_at": when,
            "cause": f"'event:{kind}' || n",
            "message_id": f"'<{kind}.' || n || '@pbem.localhost>'",
            "match_id": of,
            "player_id": reader,
            "ply": ply,
            "text": "t.text" if texts else "''",
        }
        _multiply(OutboundMail, letter, times, left)


def _multiply(model: type[models.Model], pk: int, times: int, different: Mapping[str, str]) -> None:
    """Copies of a row, n = 1 to `times`; `different` are SQL expressions by column."""
    columns = [field.column for field in model._meta.concrete_fields if not field.primary_key]
    values = ", ".join(different.get(column, f't."{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{table}" ({names}) SELECT {values} FROM generate_series(1, {times}) n'
            f' CROSS JOIN (SELECT * FROM "{table}" WHERE id = {pk}) t ORDER BY n'
        )
