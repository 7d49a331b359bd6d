"""A whole season: months of a time that is turned on, and whether everything that must be true of it is."""

from __future__ import annotations

import gc
import logging
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import TextIO

from django.core.management import call_command
from django.db import transaction
from django.test import override_settings

from pbem.inbox.models import Confirmation, InboundMail
from pbem.matches.models import Match
from tests.bench.clock import Effort
from tests.bench.figures import Row
from tests.bench.honest import honest_emails, keep_examples
from tests.mail_fixtures import AUTHSERV_ID
from tests.season.evidence import fingerprint, keep
from tests.season.invariants import broken
from tests.season.plan import PARTS, Plan
from tests.season.season import Season
from tests.season.talkative import Talkative

MATCHES = int(os.environ.get("MATCHES", "2000"))  # which take about half an hour
SEED = int(os.environ.get("SEED", "1"))
TALK = os.environ.get("TALK", "0") != "0"  # people chat, sign, quote, and say YES in twelve ways
WHOLE = Plan(players=max(8, MATCHES // 10), matches=MATCHES, days=150, seed=SEED, talkative=TALK)
SMALL = Plan(players=4, matches=3, days=8, seed=SEED, talkative=TALK)
FOLDER = Path("var", "season")


def season(effort: Effort) -> Iterator[Row]:
    """Nothing is committed, so that no task is enqueued, and the season does all of them."""
    call_command("migrate", verbosity=0)
    plan = SMALL if effort.quick else WHOLE
    folder = FOLDER / f"{plan.matches}-{plan.seed}"
    logging.disable(logging.WARNING)  # of a relay that is away
    with transaction.atomic(), override_settings(AUTHSERV_IDS=[AUTHSERV_ID]), _log(folder) as log:
        played = Season(plan, lambda words: _say(words, effort, log))
        gc.freeze()  # what is noted grows, and none of it is garbage
        gc.set_threshold(100_000, 20, 100)
        begin = process_time()
        played.play()
        seconds = process_time() - begin
        effort.say("judging the season")
        found = broken(played)
        judged = process_time() - begin - seconds
        yield from _figures(played)
        yield Row("CPU of the whole season", seconds, "s")
        yield Row("CPU of its judge", judged, "s")
        yield Row(
            "CPU for a move, with all that goes with it", seconds / max(1, played.moves) * 1000, "ms CPU"
        )
        if isinstance(played.acting, Talkative):
            yield from honest_emails(played.acting.honest)
            keep_examples(played.acting.honest, folder)
        if found:
            keep(played, found, folder)
        yield Row(f"fingerprint {fingerprint()} of seed {plan.seed}", 1, "season")
        transaction.set_rollback(True)
    yield Row("exceptions to what must be true", sum(map(len, found.values())), "times", bound=0)
    for name, exceptions in found.items():
        yield Row(f"{name}: {exceptions[0]}", len(exceptions), "times", bound=0)
    if found:
        yield Row(f"rows, notes and how to play it again: {folder}", 1, "folder")


def _say(words: str, effort: Effort, log: TextIO) -> None:
    effort.say(words)
    print(f"{process_time():.0f} s: {words}", file=log, flush=True)


@contextmanager
def _log(folder: Path) -> Iterator[TextIO]:
    """How far it has come, for anyone who waits."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "season.log").open("w") as log:
        yield log


def _figures(played: Season) -> Iterator[Row]:
    inbound = InboundMail.objects.count()
    yield Row("matches", Match.objects.count(), f"of {played.plan.players} players")
    yield Row("moves", played.moves, f"in {played.plan.days} days")
    yield Row("letters in", inbound, "letters")
    yield Row("letters out", len(played.notes.log), "letters")
    ends = Counter(Match.objects.values_list("reason", flat=True))
    for reason, label in (
        ("time", "matches lost on time"),
        ("resigned", "matches resigned"),
        ("agreed", "draws agreed"),
        ("", "matches going on"),
    ):
        yield Row(label, ends[reason], "matches")
    outages = [trouble for trouble in played.troubles if trouble.part in PARTS]
    yield Row("times a part was dead", len(outages), "times, meant")
    yield Row("days taken by the service", sum(map(len, played.notes.taken.values())), "days")
    yield Row("letters in doubt", sum(map(len, played.notes.held.values())), "letters")
    yield from _questions(inbound)


def _questions(inbound: int) -> Iterator[Row]:
    """How often people are asked whether they mean it, by what they had written."""
    asked = Counter(map(_kind, Confirmation.objects.all()))
    for kind, number in asked.most_common():
        yield Row(f"questions about {kind}", number / inbound * 1000, "for 1,000 letters in")
    yield Row("questions in all", sum(asked.values()) / inbound * 1000, "for 1,000 letters in")


def _kind(asked: Confirmation) -> str:
    if asked.doubted:
        return "letters in doubt"
    if asked.has_move:
        return "moves"
    word = asked.lines[0].split()[0].upper() if asked.lines else "words"
    return ENGLISH.get(word, word)


ENGLISH = {"ABBANDONO": "RESIGN", "ASSENTE": "AWAY", "IMPOSTA": "SET", "SFIDA": "CHALLENGE", "SÌ": "YES"}
