"""The public pages among a million matches on PostgreSQL: what lists ask of the database, and what a page takes."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import gettempdir
from time import perf_counter, process_time
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.test import Client
from django.utils import timezone

import tests.bench  # noqa: F401 - sets Django up
from games.registry import find
from pbem.matches.models import Match, Turn
from pbem.matches.services import play, start
from pbem.matches.terms import Terms
from pbem.outbox.signed_addresses import board_url
from pbem.players.models import Player
from pbem.published.game_figures import _figures
from pbem.published.lists import over, playing
from tests.bench.clock import Effort
from tests.bench.figures import Row
from tests.bench.filling import fill_matches
from tests.bench.million import told_by

MATCHES, ROOM = 1_000_000, 2_000  # bytes of disk for a match without its emails
TRIES = 40
QUERIES, RARE = 15, 5  # milliseconds of the database for a page, and for a game that few play
SORTED = 10_000  # rows at most that a query of a page may sort
RARE_GAME, FEW = "zertz:44", 30
STEPS = "CASE id % 10 WHEN 0 THEN 'no' WHEN 1 THEN 'unnamed' WHEN 2 THEN 'indexed' ELSE 'named' END"
STYLE = Path(settings.ROOT, "pbem/site/static/site/site.css")


def public(effort: Effort) -> Iterator[Row]:
    room = shutil.disk_usage(gettempdir()).free // ROOM // 100_000 * 100_000
    matches = effort.few(max(100_000, min(MATCHES, room)), quick=1_000)
    effort.say(f"filling the tables with {matches:,} matches")
    yield from told_by("tests.bench.public", str(matches))


def main(matches: int) -> None:
    call_command("migrate", verbosity=0)
    model, bruno, others = fill_matches(matches)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE players_player SET site = {STEPS}, site_asked_at = now() - interval '60 days'"
        )
        rare = max(1, matches // FEW)
        cursor.execute(
            f"UPDATE matches_match SET game_name = '{RARE_GAME}' WHERE id % {rare} = 1 AND status = 'over'"
        )
        cursor.execute(
            "UPDATE matches_match SET winner = NULL, reason = '' "
            f"WHERE id % 5000 = 4 AND status = 'over' AND game_name <> '{RARE_GAME}'"
        )
        cursor.execute("UPDATE matches_match SET ply = 8, to_move_since = now() - id * interval '1 second'")
    latest = Match.objects.filter(status="playing").order_by("-to_move_since")[:200].values("pk")
    Turn.objects.bulk_create(
        Turn(
            match_id=row["pk"],
            ply=4,
            side=0,
            move="b1-b3",
            position=model.position,
            key="",
            played_at=timezone.now(),
        )
        for row in latest
    )
    long = {plies: _played(plies, bruno) for plies in (40, 200)}
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    for row in (*_lists(matches, bruno.pk, others), *_pages(long)):
        print(json.dumps(asdict(row)), flush=True)


def _played(plies: int, against: Player) -> int:
    """A match of two who show it, of so many half-moves."""
    first = Player.objects.filter(site="named").exclude(pk=against.pk).latest("pk")
    second = Player.objects.filter(site="named").exclude(pk__in=(against.pk, first.pk)).latest("pk")
    now = timezone.now()
    game, rules = find("trapdoor")
    for seed in range(1000):
        rng, position, moves = Random(seed), game.start(rules, ""), []
        while len(moves) < plies and position.outcome() is None:
            moves.append(position.sample(rng))
            position = position.play(moves[-1])
        if len(moves) == plies and position.outcome() is None:
            break
    match = start(first=first, second=second, game="trapdoor", terms=Terms(), now=now, rng=Random(1))
    for move in moves:
        moving = Match.objects.get(pk=match.pk).moving
        assert moving is not None
        play(moving, str(move), now=now)
    Match.objects.filter(pk=match.pk).update(
        status="over", winner=0, reason="resigned", ended_at=now, to_move=None
    )
    return int(match.pk)


def _lists(matches: int, player: int, others: int) -> Iterator[Row]:
    now, rng = timezone.now(), Random(3)
    some = list(Player.objects.filter(site="named", pk__gt=player).order_by("pk")[: 4 * TRIES])
    pairs = list(
        Match.objects.filter(
            seats__side=0, pk__in=rng.sample(range(10, matches), min(4 * TRIES, matches // 4))
        )
        .annotate(first=F("seats__player"))
        .values_list("pk", "first")[:TRIES]
    )
    both = [list(Player.objects.filter(seats__match=pk).order_by("seats__side")) for pk, _ in pairs]
    asks: dict[str, tuple[Callable[[int], Any], float]] = {
        "the newest": (lambda n: over(now=now), QUERIES),
        "far back": (lambda n: over(before=matches // 2 - 51 * n % (matches // 3), now=now), QUERIES),
        "of a game": (lambda n: over(game="loa", before=matches - 50 * n, now=now), QUERIES),
        "of a game that few play": (lambda n: over(game=RARE_GAME, now=now), RARE),
        "of a player": (lambda n: over(players=[some[n % len(some)]], now=now), QUERIES),
        "of two players": (lambda n: over(players=both[n % len(both)], now=now), QUERIES),
        "that the second player won": (lambda n: over(game="loa", result="second", now=now), QUERIES),
        "drawn, of a game with few draws": (lambda n: over(game="loa", result="draw", now=now), QUERIES),
        "drawn, of a game without draws": (lambda n: over(game=RARE_GAME, result="draw", now=now), RARE),
        "drawn": (lambda n: over(result="draw", now=now), QUERIES),
        "being played": (lambda n: playing(now), QUERIES),
    }
    for what, (ask, bound) in asks.items():
        times, counts = zip(*(_asked(partial(ask, n)) for n in range(TRIES + 1)), strict=True)
        slow = quantiles(times[1:], n=20)[-1]
        said = f"matches {what}, 95 of 100 ({max(counts)} queries; median {median(times[1:]):.1f})"
        yield Row(said, slow, "ms", bound=bound)
    slow = quantiles([_asked(partial(_figures, "loa"))[0] for _ in range(TRIES)], n=20)[-1]
    yield Row("figures of a game, 95 of 100, once an hour", slow, "ms", bound=QUERIES)


def _asked(work: Callable[[], object]) -> tuple[float, int]:
    """The milliseconds that its queries took, and how many they were."""
    spent: list[float] = []

    def timed(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        begin = perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            spent.append(perf_counter() - begin)
            _check_plan(sql, params)

    with connection.execute_wrapper(timed):
        work()
    return sum(spent) * 1000, len(spent)


_planned: set[str] = set()


def _check_plan(sql: str, params: Any) -> None:
    """Raises RuntimeError where PostgreSQL sorts more rows than a page can wait for."""
    if sql in _planned:
        return
    _planned.add(sql)
    with connection.connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + sql, params)
        nodes = [cursor.fetchone()[0][0]["Plan"]]
    while nodes:
        node = nodes.pop()
        nodes += node.get("Plans", [])
        if node["Node Type"] == "Sort" and max(each["Actual Rows"] for each in node["Plans"]) > SORTED:
            raise RuntimeError(f"sorts {node['Plans'][0]['Actual Rows']} rows: {sql}")


def _pages(long: dict[int, int]) -> Iterator[Row]:
    client = Client(headers={"host": "localhost", "accept-language": "en"})
    style = len(gzip.compress(STYLE.read_bytes(), 6))
    short, longer = long[40], long[200]
    pages = {
        "the front page": ("/en/", None),
        "the archive": ("/en/matches/", None),
        "a match of 40 half-moves": (f"/en/matches/{short}/", 10),
        "a match of 200 half-moves": (f"/en/matches/{longer}/", 12),
        "the list of players": ("/en/players/", None),
    }
    for what, (path, bound) in pages.items():
        yield Row(
            f"page: {what}", _milliseconds(lambda path=path: _seen(client, path)), "ms CPU", bound=bound
        )
    etag = client.get(f"/en/matches/{longer}/").headers["ETag"]
    kept = _milliseconds(lambda: _seen(client, f"/en/matches/{longer}/", 304, etag))
    yield Row("a match that the visitor has", kept, "ms CPU", bound=2)
    for what, path, bytes_bound in (("the front page", "/en/", 12), ("a match", f"/en/matches/{short}/", 8)):
        size = len(gzip.compress(client.get(path).content, 6)) + style
        yield Row(f"bytes of {what} with its style, as gzip", size / 1024, "KB", bound=bytes_bound)
    one, other = Player.objects.filter(site="named")[:2]
    for name in ("loa", "zertz:+24", "tzaar"):
        match = start(first=one, second=other, game=name, now=timezone.now(), rng=Random(1))
        board = board_url(match.seated[0], 0).removeprefix(settings.SITE_URL)
        took = _milliseconds(lambda board=board: _seen(client, board))
        yield Row(f"page: a board of {name} by its link", took, "ms CPU", bound=10)
    picture = (
        client.get(f"/en/matches/{short}/")
        .content.decode()
        .partition('og:image" content="')[2]
        .partition('"')[0]
    )
    path = picture.removeprefix(settings.SITE_URL)
    yield Row("a picture for previews", _once(lambda: _seen(client, path)), "ms CPU", bound=50)


def _once(work: Callable[[], object]) -> float:
    begin = process_time()
    work()
    return (process_time() - begin) * 1000


def _milliseconds(work: Callable[[], object]) -> float:
    work()
    return median(_once(work) for _ in range(TRIES))


def _seen(client: Client, path: str, status: int = 200, etag: str = "") -> None:
    answer = client.get(path, headers={"if-none-match": etag} if etag else {})
    if answer.status_code != status:
        raise RuntimeError(f"{path} was answered with {answer.status_code}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
