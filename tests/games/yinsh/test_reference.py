"""YINSH once more, slow and obvious, on coordinates: both must agree on whole random games."""

from itertools import combinations
from random import Random

import pytest

from games.yinsh import GAME
from games.yinsh.board import BOARD

WAYS = [(1, 0), (0, 1), (1, 1)]
BOTH = [*WAYS, *((-x, -n) for x, n in WAYS)]
SPANS = ["2-5", "1-7", "1-8", "1-9", "1-10", "2-10", "2-11", "3-11", "4-11", "5-11", "7-10"]
PLACES = {
    (x, n): f"{letter}{n}"
    for x, (letter, span) in enumerate(zip("abcdefghijk", SPANS, strict=True))
    for n in range(int(span.split("-")[0]), int(span.split("-")[1]) + 1)
}


class Table:
    """Maps each occupied place to W or B for a ring, w or b for a marker."""

    def __init__(self, there):
        self.there = there

    def places(self, letter):
        return sorted(place for place, other in self.there.items() if other == letter)

    def without(self, places):
        return Table({place: letter for place, letter in self.there.items() if place not in places})

    def rows(self, letter):
        for x, n in sorted(PLACES):
            for dx, dn in WAYS:
                row = [(x + dx * step, n + dn * step) for step in range(5)]
                if all(self.there.get(place) == letter for place in row):
                    yield frozenset(row)

    def cleared(self, ring, wanted):
        """Every way to remove rows and rings: texts and the table after it."""
        ways = {((), ())}
        complete = set()
        while ways:
            rows, _ = way = ways.pop()
            taken = set().union(*rows)
            more = [row for row in self.rows(ring.lower()) if not row & taken]
            if more and len(rows) < wanted:
                ways |= {(tuple(sorted((*rows, row), key=sorted)), ()) for row in more}
            else:
                complete.add(way)
        for rows, _ in complete:
            for rings in combinations(self.places(ring), len(rows)):
                texts = [f"x{PLACES[min(row)]}-{PLACES[max(row)]}" for row in sorted(rows, key=sorted)]
                texts += [f"x{PLACES[place]}" for place in rings]
                yield texts, self.without({*set().union(*rows), *rings})

    def moved(self, ring):
        """Every move of a ring and the table after it."""
        if sum(letter in "wb" for letter in self.there.values()) == 51:
            return
        for origin in self.places(ring):
            for dx, dn in BOTH:
                (x, n), passed = origin, []
                while (place := (x + dx, n + dn)) in PLACES and self.there.get(place, "w") in "wb":
                    x, n = place
                    if place in self.there:
                        passed.append(place)
                        continue
                    after = {**self.there, origin: ring.lower(), place: ring}
                    after |= {one: "b" if self.there[one] == "w" else "w" for one in passed}
                    yield f"{PLACES[origin]}-{PLACES[place]}", Table(after)
                    if passed:
                        break

    def turns(self, ring, rings):
        """Maps each turn to the table after it; of turns that remove the same and leave the same, only one."""
        found, same = {}, set()
        for before, cleared in self.cleared(ring, len(self.places(ring)) - 5 + rings):
            left = len(cleared.places(ring)) - 5 + rings
            moves = list(cleared.moved(ring)) if left else ()
            if not moves:
                found[";".join(before) or "pass"] = cleared
            for move, moved in moves:
                for after, table in moved.cleared(ring, left):
                    key = frozenset((*before, *after)), frozenset(table.there.items())
                    if not before or not after or key not in same:
                        same.add(key)
                        found[";".join((*before, move, *after))] = table
        return found


def table_of(position):
    places = {name: place for place, name in PLACES.items()}
    return {places[name]: letter for name in BOARD.bit if (letter := position.on(name))}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["", "blitz"])
def test_both_know_the_same_turns_and_the_same_winner(name, seed):
    rng, rules = Random(f"{name}{seed}"), GAME.presets[name]
    position, table, rows = GAME.start(rules, ""), Table({}), 0
    for ply in range(200):
        ring = "WB"[ply % 2]
        if ply < 10:
            move = position.sample(rng)
            place = next(place for place, name in PLACES.items() if name == str(move))
            position, table = position.play(move), Table({**table.there, place: ring})
            continue
        off = [5 - len(table.places(side)) for side in "WB"]
        full = sum(letter in "wb" for letter in table.there.values()) == 51
        over = max(off) >= rules.rings or (full and not any(table.rows(ring.lower())))
        assert bool(position.outcome()) == over
        if over:
            assert position.outcome().score == (
                "1-0" if off[0] > off[1] else "0-1" if off[1] > off[0] else "1/2"
            )
            return
        if not ply % 8 or any(table.rows(ring.lower())):
            turns = table.turns(ring, rules.rings)
            assert {str(move) for move in position.moves()} == turns.keys()
            # Turns that end rows are preferred: by lot they are rare.
            text = rng.choice([text for text in turns if "x" in text] or [*turns])
            move, table = GAME.move(text), turns[text]
            rows += "x" in text
        else:
            move = position.sample(rng)
            turns = table.turns(ring, rules.rings) if "x" in str(move) else dict(table.moved(ring))
            table = turns[str(move)]
        position = position.play(move)
        assert table_of(position) == table.there
    raise AssertionError("it has no end")
