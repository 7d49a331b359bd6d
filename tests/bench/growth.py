"""What a turn costs late in a match, and among many matches, against what it costs early and alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count, islice, zip_longest
from random import Random

from django.utils import timezone

from games.protocol import Position
from pbem.matches.models import Match, Seat, Turn
from tests.bench.clock import Effort
from tests.bench.figures import Row
from tests.bench.house import Stages, begun, players
from tests.bench.samples import start

EARLY, LATE = 5, 200
FEW, MANY = 1_000, 100_000  # matches; a million would take a quarter of an hour to make
TURNS = 2  # of each match that only fills the tables
BATCH = 10_000
LATER, LIMIT = 1.1, 1.2


def growth(effort: Effort) -> Iterator[Row]:
    moves = effort.few(24, quick=2)
    effort.say("early and late in a match")
    early, late = _at_ply(EARLY, moves), _at_ply(LATE, moves)
    yield Row(
        f"a turn at ply {LATE} to one at ply {EARLY}: {late:.1f} to {early:.1f} ms",
        late / early,
        "times",
        bound=LATER,
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
    stages, played = Stages(), _played(ply) if ply > EARLY else None
    while len(stages.taken["keep"]) < moves:
        match = begun("loa")
        if played:
            _lengthen(match, played)
        again = played.again if played else ()
        for _, move in zip_longest(range(EARLY), again):
            if not stages.play(match, Random(ply), move):
                break
    return stages.whole


@dataclass(frozen=True)
class Played:
    """A match as far as it was played, each move with the position after it; `again` are legal moves that lead to
    positions which were there before, and do not draw yet.
    """

    moves: tuple[object, ...]
    positions: tuple[Position, ...]
    again: tuple[object, ...]


@cache
def _played(plies: int) -> Played:
    """At random, and at its end both go to and fro."""
    for seed in count():
        rng, position = Random(seed), start("loa", Random(1))
        moves, positions = [], []
        while len(moves) < plies - 4 and position.outcome() is None:
            moves.append(position.sample(rng))
            position = position.play(moves[-1])
            positions.append(position)
        keys = Counter(it.key() for it in positions)
        if position.outcome() is None and max(keys.values()) == 1 and (circle := _circle(position)):
            for move in circle:
                moves.append(move)
                positions.append(positions[-1].play(move))
            return Played(tuple(moves), tuple(positions), circle[:3])
    raise AssertionError("not reached")


def _circle(position: Position) -> tuple[object, ...]:
    """Four moves, after which all stand as before."""
    for there in position.moves():
        away = position.play(there)
        if away.outcome() is not None:
            continue
        for reply in islice(away.moves(), 3):
            both = away.play(reply)
            if both.outcome() is not None:
                continue
            for back in both.moves():
                for last in both.play(back).moves():
                    if both.play(back).play(last).key() == position.key():
                        return there, reply, back, last
    return ()


def _lengthen(match: Match, played: Played) -> None:
    """As if the two had played this."""
    Turn.objects.bulk_create(
        Turn(
            match=match,
            ply=ply,
            side=ply % 2,
            move=str(move),
            position=str(position),
            key=position.key(),
            played_at=timezone.now(),
        )
        for ply, (move, position) in enumerate(zip(played.moves, played.positions, strict=True))
    )
    plies, last = len(played.moves), played.positions[-1]
    Match.objects.filter(pk=match.pk).update(ply=plies, position=str(last), to_move=int(last.to_move))
    match.letters.update(ply=plies)  # which the reply addresses name


def _fill(matches: int) -> None:
    """So many matches of others, each with two seats and a few turns."""
    first, second = players()
    model = begun("loa")
    for begin in range(0, matches, BATCH):
        made = Match.objects.bulk_create(
            Match(
                game_name="loa",
                rules_version=1,
                status="playing",
                to_move=0,
                ply=TURNS,
                position=model.position,
            )
            for _ in range(begin, min(matches, begin + BATCH))
        )
        Seat.objects.bulk_create(
            Seat(match=match, side=side, player=player)
            for match in made
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
            for match in made
            for ply in range(TURNS)
        )
