"""Fills tables faster than any service could: rows like one that the service made itself."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from random import Random

from django.db import connection, models
from django.utils import timezone

from pbem.matches.models import Match, Seat
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.outbox.models import OutboundMail
from pbem.players.models import Address, Player
from tests.bench.house import players

PLAYERS_OF_MATCHES = 50  # matches of each player


def fill(matches: int) -> None:
    """Four of five matches are over; of those played the deadlines lie in the next thirty days."""
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
            "deadline": over.format("now() + n % 720 * interval '1 hour' + interval '1 hour'", "NULL"),
            "remind_at": over.format("now() + n % 700 * interval '1 hour' + interval '1 hour'", "NULL"),
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
    _multiply(
        OutboundMail,
        OutboundMail.objects.latest("pk").pk,
        matches,
        {
            "status": "'sent'",
            "sent_at": "now()",
            "cause": "'event:' || n",
            "message_id": "'<' || n || '@pbem.localhost>'",
            "match_id": f"{model.pk} + n",
            "player_id": f"{bruno.pk} + 1 + n % {others}",
        },
    )
    Match.objects.filter(pk__lte=model.pk + 20, status="playing").update(deadline=now - timedelta(hours=1))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


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
