"""Random games with lines, only moves and turns taken back: what is left always replays to where the match stands."""

from __future__ import annotations

from random import Random

import pytest

from pbem.matches import services
from pbem.matches.automatic_moves import promise
from pbem.matches.models import ConditionalLine, Match
from pbem.matches.offers import roll_back
from pbem.matches.terms import Terms
from pbem.refusals import Code, Refused
from tests.mail_fixtures import MORNING, Correspondent
from tests.pbem.matches.test_services import play


@pytest.mark.prove
@pytest.mark.parametrize("key", ["zertz", "loa:6x6"])
def test_what_is_left_replays_to_where_the_match_stands(
    alice: Correspondent, bruno: Correspondent, key: str
) -> None:
    rng = Random(key)
    pair = {"first": alice.player, "second": bruno.player, "game": key, "terms": Terms(forced=True)}
    match = services.start(**pair, now=MORNING, rng=Random(1))
    for _ in range(30):
        match = Match.objects.get(pk=match.pk)
        if match.ply and (match.status == "over" or rng.random() < 0.3):
            roll_back(match, rng.randrange(match.ply), now=MORNING, side=None)
        else:
            _say(match, rng)
            _move(match, rng)
        match = Match.objects.get(pk=match.pk)
        _holds(match)
    assert match.turns.filter(how="conditional").exists()
    assert match.turns.filter(undone_by__isnull=False).exists()


def _holds(match: Match) -> None:
    """Live turns are contiguous and legal, the snapshot is their end, and what waits is in step with them."""
    turns = list(match.live_turns())
    assert [turn.ply for turn in turns] == list(range(match.ply))
    record = match.record()
    assert str(record.replay()[-1]) == match.position
    assert record.outcome() == match.outcome()
    for row in ConditionalLine.objects.waiting():
        said, played = row.moves[: match.ply - row.ply], record.moves[row.ply :]
        assert row.ply <= match.ply
        assert all(move in (None, turn) for move, turn in zip(said, played, strict=True))


def _say(match: Match, rng: Random) -> None:
    seat = match.seated[1 - (match.to_move or 0)]
    few = Random(match.ply)
    for _ in range(2):
        position, line = match.current(), []
        for chooser in (few, rng, few, rng)[: rng.choice((2, 4))]:
            if position.outcome() is None:
                move = position.sample(chooser)
                line.append(match.game.write(position, move, seat.player.notation))
                position = position.play(move)
        try:
            promise(seat, line[: len(line) // 2 * 2] or [None, "?"], now=MORNING)
        except Refused as refused:
            if (
                refused.code != Code.IMPOSSIBLE_LINE
            ):  # the game would be over, or the position come back too often
                raise


def _move(match: Match, rng: Random) -> None:
    assert match.moving
    position = match.current()
    move = position.sample(rng.choice((rng, Random(match.ply))))
    play(match, match.game.write(position, move, match.moving.player.notation))
