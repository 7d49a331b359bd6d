"""The contract of a game: each one that the registry finds, and each of its variants, keeps it.

The positions are those of random games, the illegal moves are moves of other positions. Nothing here
names a game: adding a folder adds its tests.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from random import Random

import pytest

from games.engine.robot import think
from games.protocol import LANGUAGES, Notation, Outcome
from games.record import REPETITION, Course, Record
from games.registry import find, names

NOTATIONS = list(product(LANGUAGES, ("seed", "gipf")))
TALK = [  # neither a move nor a position
    "",
    " ",
    "?",
    "Bruno",
    "a",
    "4",
    "a0",
    "good morning, Alice",
    "Sì, va bene",
    "-- ",
    "e4 " * 99,
    "\0",
    "×",
]

LONGEST = 300  # turns; a random game that lasts longer is left there
FEW = 12


@dataclass(frozen=True)
class Subject:
    """A game under these rules, and random games of it."""

    name: str

    @cached_property
    def game(self):
        return find(self.name)[0]

    @cached_property
    def rules(self):
        return find(self.name)[1]

    @cached_property
    def records(self):
        """Two random games, and more of weak robots if the board has not ended one of those."""
        records = []
        for number in range(9):
            records.append(self._game_of(Random(f"{self.name} {number}"), robots=number > 1))
            results = {record.result for record in records}
            if number and results - {None, Outcome(None, REPETITION)}:
                break
        return records

    @cached_property
    def turns(self):
        """A few (before, move, after) of the random games: the first, the last and some between."""
        turns = []
        for record in self.records:
            positions = record.replay()
            moves = map(self.game.move, record.moves)
            all_turns = list(zip(positions, moves, positions[1:], strict=False))
            turns += [all_turns[0], *all_turns[1 :: len(all_turns) // FEW + 1], all_turns[-1]]
        return turns

    @cached_property
    def positions(self):
        return [before for before, _, _ in self.turns]

    @cached_property
    def finals(self):
        ends = [record.replay()[-1] for record in self.records]
        return [position for position in ends if position.outcome()]

    @cached_property
    def legal(self):
        """The moves of each of the positions."""
        return [list(position.moves()) for position in self.positions]

    @cached_property
    def sampled(self):
        """A few moves of each of the positions."""
        rng = Random(self.name)
        return [[position.sample(rng) for _ in range(FEW)] for position in self.positions]

    @cached_property
    def tries(self):
        """Moves that are legal somewhere, each once: the last ones, and some of every other position."""
        played = [move for _, move, _ in self.turns]
        return list(dict.fromkeys([*played, *chain(*self.sampled)]))

    @cached_property
    def objections(self):
        """What each of the positions says of each of the tries."""
        return [[position.objection(move) for move in self.tries] for position in self.positions]

    def _game_of(self, rng, robots):
        setup = self.game.draw_setup(self.rules, rng) if self.game.draw_setup else ""
        course = Course(self.game, self.game.start(self.rules, setup))
        moves = []
        while len(moves) < LONGEST and not course.outcome():
            position = course.position
            moves.append(think(self.game, position, 1, len(moves)).move if robots else position.sample(rng))
            course.play(moves[-1])
        return Record(
            game=self.name,
            version=self.game.version,
            moves=tuple(map(str, moves)),
            setup=setup,
            result=course.outcome(),
            players=("Alice", "Bruno"),
        )


def refused(read, *given):
    """Each game says it in its own words."""
    try:
        read(*given)
    except ValueError:
        return True
    return False


@pytest.fixture(scope="session", params=names())
def subject(request):
    return Subject(request.param)


@pytest.fixture(params=NOTATIONS, ids=" ".join)
def notation(request):
    return Notation(*request.param)


@pytest.fixture(params=LANGUAGES)
def language(request):
    return request.param
