"""What one move asks of the database, from the door to both letters handed over: how often, and by which way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker

from pbem.inbox import services as inbox
from pbem.inbox.models import OPEN_MAIL, InboundMail, SeenMessage
from pbem.matches.clock import outages
from pbem.matches.models import Event, Match, Seat, Turn
from pbem.matches.services import start
from pbem.outbox.delivery.backends import default_sender
from pbem.outbox.models import SEND_MAIL, OutboundMail
from pbem.outbox.signed_addresses import sealed_address
from pbem.players.models import Player
from pbem.players.services import register
from pbem.players.tokens import Purpose, Token
from tests.broker import Enqueued
from tests.journeys.conftest import models_of
from tests.mail_fixtures import AUTHSERV_ID, MORNING, Mailboxes, Post
from tests.servers import postgres

MOST = 20
MANY = 3_000  # rows of each table that grows: enough for the planner to prefer an index
# Nobody sweeps through these; tables of a handful of rows are read as a whole.
BIG = ("inbox_inboundmail", "inbox_seenmessage", "outbox_outboundmail", "players_address", "players_player")
BIG += ("matches_match", "matches_seat", "matches_turn", "matches_event")
NO_STATEMENT = ("BEGIN", "COMMIT", "PRAGMA")  # transactions; SQLite alone, in no time


@pytest.fixture(autouse=True)
def _no_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine of the test is."""
    monkeypatch.setattr("pbem.outbox.inline_delivery.TIMEOUT", 60.0)


@pytest.fixture
def sender(monkeypatch: pytest.MonkeyPatch) -> Mailboxes:
    sink = Mailboxes()
    monkeypatch.setattr(inbox, "default_sender", lambda: sink)
    return sink


def begun() -> Match:
    """Between two who asked for receipts: each move has two letters."""
    first, second = (
        register(name=name, email=f"{name.lower()}@example.org", language=language, now=MORNING)
        for name, language in (("Alice", "en"), ("Bruno", "it"))
    )
    Player.objects.update(receipts=True)
    return start(first=first, second=second, game="loa", now=MORNING, rng=Random(1))


def move(post: Post, match: Match, number: int) -> list[str]:
    """A random one, by letter and by the task that the door has enqueued; the statements of it."""
    match = Match.objects.get(pk=match.pk)
    seat = match.moving
    assert seat
    text = str(match.current().sample(Random(number)))
    to, author = sealed_address(Token(Purpose.MOVE, seat.pk, match.ply), seat.salt), seat.player.email
    shown = OutboundMail.objects.filter(match=match, player=seat.player).latest("pk")
    raw = (
        f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=example.org\r\nFrom: {author}\r\n"
        f"Message-ID: <{number}@example.org>\r\nIn-Reply-To: {shown.message_id}\r\n\r\n{text}\r\n\r\n"
    ).encode() + "".join(f"> {line}\r\n" for line in shown.text.splitlines()).encode()
    with CaptureQueriesContext(connection) as asked:
        row = post.keep(raw, to, author)
        inbox.open_next(row.pk, now=post.now)
    row.refresh_from_db()
    assert row.verdict == "ok"
    letters = OutboundMail.objects.filter(match=match, ply=match.ply + 1)
    assert [letter.status for letter in letters] == ["sent", "sent"]
    return [each["sql"] for each in asked if not each["sql"].startswith(NO_STATEMENT)]


def played(post: Post, moves: int) -> Iterator[list[str]]:
    post.live()
    match = begun()
    post.send()
    yield from (move(post, match, number) for number in range(moves))


@pytest.mark.django_db(transaction=True)  # in the transaction of a test each of ours is a savepoint
def test_a_move_costs_twenty_statements_at_most_and_no_task_is_enqueued_for_the_same_worker(
    post: Post, sender: Mailboxes, enqueued: Enqueued
) -> None:
    for number, asked in enumerate(played(post, 6)):
        if number == 0:
            enqueued.clear()  # of the beginning
        if number == 3:
            outages.forget()  # a worker looks every twenty seconds whether it has lived
        assert len(asked) <= MOST, "\n".join(sql[:200] for sql in asked)
    assert len(sender.boxes) == 2
    assert not enqueued[SEND_MAIL]
    assert len(enqueued[OPEN_MAIL]) == 5, "one for each, by the door"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgres() as server:
        yield server.database()


@pytest.fixture
def crowd(url: str, django_db_blocker: DjangoDbBlocker, settings: Any) -> Iterator[Post]:
    settings.AUTHSERV_IDS = [AUTHSERV_ID]
    with models_of(url, django_db_blocker):
        call_command("migrate", verbosity=0)
        _fill()
        yield Post()


def _fill() -> None:
    """Rows of others, and a match of two hundred plies."""
    players = Player.objects.bulk_create(
        Player(name=f"Player {number}", folded=f"player {number}", skeleton=f"player {number}")
        for number in range(MANY)
    )
    matches = Match.objects.bulk_create(
        Match(game_name="loa", rules_version=1, status="playing", position="", ply=2) for _ in range(MANY)
    )
    many: list[Any] = []
    for number, (match, player) in enumerate(zip(matches, players, strict=True)):
        other = players[number - 1]
        many += [Seat(match=match, side=side, player=each) for side, each in enumerate((player, other))]
        turn = {"move": "a", "position": "p", "key": "k", "played_at": MORNING}
        many += [Turn(match=match, ply=ply, side=ply, **turn) for ply in (0, 1)]
        many.append(Event(match=match, kind="moved", ply=1, happened_at=MORNING))
        many.append(_letter(number, match, player))
        many.append(_message(number))
        many.append(SeenMessage(digest=f"{number}", letter=number, seen_at=MORNING))
        many.append(
            player.addresses.model(player=player, email=f"p{number}@example.org", verified_at=MORNING)
        )
    for model in {type(row) for row in many}:
        model._default_manager.bulk_create([row for row in many if type(row) is model])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _letter(number: int, match: Match, player: Player) -> OutboundMail:
    address, told = f"p{number}@example.org", {"created_at": MORNING, "next_try_at": MORNING}
    return OutboundMail(
        cause=f"event:{number}", kind="turn", address=address, language="en", player=player, match=match,
        message_id=f"<{number}>", text="text", status="sent", **told,
    )  # fmt: skip


def _message(number: int) -> InboundMail:
    return InboundMail(
        raw=b"", digest=f"{number}", recipient="play@", queue_key=f"match:{number}", verdict="ok",
        message_key=f"{number}", received_at=MORNING + timedelta(seconds=number),
    )  # fmt: skip


def _lengthen(match: Match, plies: int) -> None:
    position = match.current()
    Turn.objects.bulk_create(
        Turn(match=match, ply=ply, side=ply % 2, move="b1-b3", position=str(position), key=f"{ply} {position.key()}",
             played_at=MORNING)
        for ply in range(plies)
    )  # fmt: skip
    Match.objects.filter(pk=match.pk).update(ply=plies)
    match.letters.update(ply=plies)


@pytest.mark.prove
def test_each_goes_by_index_among_thousands_and_late_in_a_match(
    crowd: Post, sender: Mailboxes, enqueued: Enqueued, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Explained as PostgreSQL would do it with the very values."""
    plans: dict[str, list[str]] = {}

    def explained(execute: Any, sql: str, values: Any, many: bool, context: Any) -> Any:
        if not sql.lstrip().startswith("SET"):
            with connection.cursor() as cursor:
                cursor.cursor.execute(f"EXPLAIN {sql}", values)
                plans[sql] = [line for (line,) in cursor.cursor.fetchall()]
        return execute(sql, values, many, context)

    default_sender.cache_clear()
    crowd.live()
    match = begun()
    crowd.send()
    _lengthen(match, 200)
    move(crowd, match, 1)
    with connection.execute_wrapper(explained):
        asked = move(crowd, match, 2)
    assert len(asked) <= MOST
    assert len(plans) >= 15
    swept = re.compile(rf"Seq Scan on ({'|'.join(BIG)})\b")
    found = {sql: plan for sql, plan in plans.items() if any(map(swept.search, plan))}
    assert not found, "\n".join(line for sql, plan in found.items() for line in (sql, *plan))
    (repeated,) = (plan for sql, plan in plans.items() if '"matches_turn"."key" = ' in sql)
    assert any("Index Scan" in line for line in repeated), repeated
    print("\n".join(repeated))
