"""What a turn costs late in a match, and among many matches, against what it costs early and alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from django.utils import timezone

from pbem.matches.models import Match, Seat, Turn
from tests.bench.clock import Effort
from tests.bench.figures import Row
from tests.bench.house import Stages, begun, players

EARLY, LATE = 5, 200
FEW, MANY = 1_000, 100_000  # matches; a million would take a quarter of an hour to make
TURNS = 2  # of each match that only fills the tables
BATCH = 10_000
LIMIT = 1.2


def growth(effort: Effort) -> Iterator[Row]:
    moves = effort.few(24, quick=2)
    effort.say("early and late in a match")
    early, late = _at_ply(EARLY, moves), _at_ply(LATE, moves)
    yield Row(
        f"a turn at ply {LATE} to one at ply {EARLY}: {late:.1f} to {early:.1f} ms",
        late / early,
        "times",
        bound=LIMIT,
    )
    few, many = (10, 100) if effort.quick else (FEW, MANY)
    effort.say(f"{few:,} matches in the table")
    _fill(few)
    alone = _at_ply(EARLY, moves)
    effort.say(f"{many:,} matches in the table")
    _fill(many)
    crowded = _at_ply(EARLY, moves)
    what = f"a turn among {many:,} matches to one among {few:,}: {crowded:.1f} to {alone:.1f} ms"
    yield Row(what, crowded / alone, "times", bound=LIMIT)


def _at_ply(ply: int, moves: int) -> float:
    """Milliseconds of CPU of a turn of Lines of Action that is about the so manieth of its match."""
    stages = Stages()
    while len(stages.taken["keep"]) < moves:
        match = begun("loa")
        if ply > EARLY:
            _lengthen(match, ply)
        for _ in range(EARLY):
            if not stages.play(match, Random(ply)):
                break
    return stages.whole


def _lengthen(match: Match, plies: int) -> None:
    """As if the two had gone to and fro for so long; nobody counts repetitions on rows with other keys."""
    position = match.current()
    Turn.objects.bulk_create(
        Turn(
            match=match,
            ply=ply,
            side=ply % 2,
            move="b1-b3" if ply % 2 == 0 else "a2-c2",
            position=match.position,
            key=f"{ply} {position.key()}",
            played_at=timezone.now(),
        )
        for ply in range(plies)
    )
    Match.objects.filter(pk=match.pk).update(ply=plies)
    match.letters.update(ply=plies)  # which the reply addresses name


def _fill(count: int) -> None:
    """So many matches of others, each with two seats and a few turns."""
    first, second = players()
    model = begun("loa")
    for start in range(0, count, BATCH):
        matches = Match.objects.bulk_create(
            Match(
                game_name="loa",
                rules_version=1,
                status="playing",
                to_move=0,
                ply=TURNS,
                position=model.position,
            )
            for _ in range(start, min(count, start + BATCH))
        )
        Seat.objects.bulk_create(
            Seat(match=match, side=side, player=player)
            for match in matches
            for side, player in enumerate((first, second))
        )
        now = timezone.now()
        Turn.objects.bulk_create(
            Turn(
                match=match,
                ply=ply,
                side=ply % 2,
                move="b1-b3",
                position=model.position,
                key=str(ply),
                played_at=now,
            )
            for match in matches
            for ply in range(TURNS)
        )
