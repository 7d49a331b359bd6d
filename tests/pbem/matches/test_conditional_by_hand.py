"""Random games with random trees: the cascade equals the same moves played by hand, by a slow and obvious oracle."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from games.protocol import Position
from games.record import Course
from games.registry import games
from pbem.matches import conditional as keeping
from pbem.matches import services
from pbem.matches.automatic_moves import promise
from pbem.matches.models import Match, Seat
from tests.mail_fixtures import MORNING, Correspondent
from tests.pbem.matches.test_services import play

Said = list[str | None]


@dataclass
class Oracle:
    """Dictionaries in dictionaries, for each side: reply (None: any), answer as written, what comes after."""

    course: Course
    trees: list[dict[Any, Any]] = field(default_factory=lambda: [{}, {}])

    def say(self, side: int, line: Said) -> None:
        branches = self.trees[side]
        for reply, answer in zip(line[::2], line[1::2], strict=True):
            if branches.get(reply, ("", {}))[0] != answer:
                branches[reply] = (answer, {})
            branches = branches[reply][1]

    def play(self, move: Any, notations: list[Any]) -> list[str]:
        """The plies that come of a move."""
        played = []
        while move is not None:
            self.course.play(move)
            played.append(str(move))
            move = self._answer(str(move), notations)
        return played

    def _answer(self, reply: str, notations: list[Any]) -> Any:
        course = self.course
        if course.outcome() is not None:
            return None
        side = course.position.to_move
        branches = self.trees[side]
        answer, self.trees[side] = branches.get(reply) or branches.get(None) or (None, {})
        forced = course.forced_pass()
        try:
            move = course.game.read(course.position, answer, notations[side]) if answer else None
        except ValueError:
            move = None
        if move is None or (forced is not None and move != forced):
            self.trees[side] = {}
        return forced if forced is not None else move


@pytest.mark.prove
@pytest.mark.parametrize("key", sorted(games()))
def test_a_cascade_equals_the_same_moves_by_hand(
    alice: Correspondent, bruno: Correspondent, key: str
) -> None:
    pair = {"first": alice.player, "second": bruno.player, "game": key, "now": MORNING}
    cascades = 0
    for seed in range(2):
        rng = Random(f"{key} {seed}")
        match = services.start(**pair, rng=Random(seed))
        oracle = Oracle(match.record().course())
        while match.status == "playing" and match.ply < 12:
            cascades += _turn(match, oracle, rng)
            match = Match.objects.get(pk=match.pk)
        record = match.record()
        assert record.replay()[-1] == match.current()
        by_hand = services.start(**pair, setup=match.setup, rng=Random(seed))
        while by_hand.ply < match.ply:
            position = by_hand.current()
            move = match.game.write(position, match.game.move(record.moves[by_hand.ply]), _notation(by_hand))
            by_hand = play(by_hand, move)
        ends = [(m.position, m.to_move, m.status, m.winner, m.reason) for m in (match, by_hand)]
        assert ends[0] == ends[1]
    assert cascades > 1


def _turn(match: Match, oracle: Oracle, rng: Random) -> bool:
    """The player who is not to move says something; the one who is moves, and says something with their move."""
    seat = match.moving
    assert seat
    first, position = match.ply, match.current()
    move = position.sample(rng)
    _say(seat.opponent, position, oracle, rng, lambda line: promise(seat.opponent, line, now=MORNING))
    oracle.trees[seat.side] = {}

    def along() -> None:
        _say(seat, match.current(), oracle, rng, lambda line: keeping.say(seat, line, now=MORNING))

    services.play(seat, match.game.write(position, move, _notation(match)), now=MORNING, then=along)
    expected = oracle.play(move, [each.player.notation for each in match.seated])
    assert [turn.move for turn in match.live_turns()][first:] == expected
    return len(expected) > 1


def _say(seat: Seat, position: Position, oracle: Oracle, rng: Random, keep: Any) -> None:
    """Up to three random lines, instead of all that the seat has said before."""
    seat.lines.all().delete()
    oracle.trees[seat.side] = {}
    for _ in range(rng.randrange(4)):
        line, canonical = _random_line(seat.match, position, seat, rng)
        if line:
            keep(line)
            oracle.say(seat.side, canonical)


def _random_line(match: Match, position: Position, seat: Seat, rng: Random) -> tuple[Said, Said]:
    """As written, and with the replies as they are known; few replies, so that many come."""
    line: Said = []
    replies: Said = []
    few = Random(match.ply)
    for _ in range(rng.randrange(4)):
        if position.outcome() is not None:
            break
        reply = position.sample(few)
        after = position.play(reply)
        if after.outcome() is not None:
            break
        answer = after.sample(rng)
        wild = rng.random() < 0.3
        written = match.game.write(after, answer, seat.player.notation)
        line += [None if wild else match.game.write(position, reply, seat.player.notation), written]
        replies += [None if wild else str(reply), written]
        if wild:
            break
        position = after.play(answer)
    return line, replies


def _notation(match: Match) -> Any:
    assert match.moving
    return match.moving.player.notation
