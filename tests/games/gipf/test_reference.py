"""GIPF once more, slow and obvious, on coordinates: both must agree on whole random games."""

from itertools import chain, combinations
from random import Random

import pytest

from games.gipf import GAME
from games.gipf.board import SPOTS, names

WAYS = [(1, 0), (0, 1), (1, 1)]
BOTH = [*WAYS, *((-x, -n) for x, n in WAYS)]
ALL = {
    (x, n + max(0, x - 4)): f"{letter}{n}"
    for x, letter in enumerate("abcdefghi")
    for n in range(1, 10 - abs(x - 4))
}
INNER = {(x, n) for x, n in ALL if all((x + dx, n + dn) in ALL for dx, dn in BOTH)}
AT = {name: place for place, name in ALL.items()}


class Table:
    """Maps each occupied place to w, b (single) or W, B; `hand` and `opening` are by colour."""

    def __init__(self, there, hand, opening, needs):
        self.there, self.hand, self.opening, self.needs = there, hand, opening, needs

    def after(self, there=None, hand=None, opening=None):
        return Table(
            self.there if there is None else there,
            {**self.hand, **(hand or {})},
            {**self.opening, **(opening or {})},
            self.needs,
        )

    def bare(self, colour):
        return self.needs and self.opening[colour] < 2 and colour.upper() not in self.there.values()

    def runs(self, colour):
        """Every row, as its line and all places joined to it."""
        for dx, dn in WAYS:
            for x, n in INNER:
                if (x - dx, n - dn) in INNER:
                    continue
                line = [(x, n)]
                while (following := (line[-1][0] + dx, line[-1][1] + dn)) in INNER:
                    line.append(following)
                for begin in range(len(line) - 3):
                    four = line[begin : begin + 4]
                    if all(self.there.get(place, "-").lower() == colour for place in four):
                        low, high = begin, begin + 3
                        while low and line[low - 1] in self.there:
                            low -= 1
                        while high + 1 < len(line) and line[high + 1] in self.there:
                            high += 1
                        yield frozenset(line), frozenset(line[low : high + 1])

    def cleared(self, colour, gone=frozenset(), lines=frozenset()):
        """Every set of emptied places, and the table after it."""
        rows = {row for row in self.runs(colour) if row[0] not in lines}
        if not rows or (gone and (self.bare("w") or self.bare("b"))):
            yield gone, self
            return
        for line, run in rows:
            must = {place for place in run if self.there[place].islower()}
            gipfs = sorted(run - must)
            for some in chain.from_iterable(combinations(gipfs, size) for size in range(len(gipfs) + 1)):
                taken = must | {*some}
                back = sum(1 + self.there[p].isupper() for p in taken if self.there[p].lower() == colour)
                left = {place: letter for place, letter in self.there.items() if place not in taken}
                table = self.after(left, {colour: self.hand[colour] + back})
                yield from table.cleared(colour, gone | taken, lines | {line})

    def entered(self, colour):
        """Every way to bring a piece in: its text and the table after it."""
        kinds = [""] if self.hand[colour] and self.opening[colour] < 2 else []
        kinds += ["G"] if self.hand[colour] > 1 and self.opening[colour] else []
        for dot in ALL.keys() - INNER:
            for dx, dn in BOTH:
                line, place = [], (dot[0] + dx, dot[1] + dn)
                while place in INNER:
                    line.append(place)
                    place = place[0] + dx, place[1] + dn
                free = next((number for number, place in enumerate(line) if place not in self.there), None)
                if free is None:
                    continue
                for kind in kinds:
                    there = dict(self.there)
                    for number in range(free, 0, -1):
                        there[line[number]] = there[line[number - 1]]
                    there[line[0]] = colour.upper() if kind else colour
                    text = f"{kind}{f'{ALL[dot]}-' if free else ''}{ALL[line[free]]}"
                    hand = {colour: self.hand[colour] - 1 - bool(kind)}
                    yield text, self.after(there, hand, {colour: min(self.opening[colour], 1) if kind else 0})

    def turns(self, colour):
        found, same = {}, set()
        for gone, table in sorted(
            dict(self.cleared(colour)).items(), key=lambda one: sorted(map(ALL.__getitem__, one[0]))
        ):
            before = f"x{','.join(sorted(map(ALL.__getitem__, gone)))}" if gone else ""
            if table.bare("w") or table.bare("b"):
                found[before] = table
                continue
            for text, moved in dict(table.entered(colour)).items():
                for then, left in dict(moved.cleared(colour)).items():
                    after = f"x{','.join(sorted(map(ALL.__getitem__, then)))}" if then else ""
                    key = text, gone | then, frozenset(left.there.items()), left.hand[colour]
                    if not (gone and then and key in same):
                        found[";".join(filter(None, (before, text, after)))] = left
                    same.add(key)
        return found


def pieces(position):
    return {AT[name]: letter for name in names(SPOTS) if (letter := position.on(name))}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["", "standard", "basic"])
def test_both_know_the_same_turns_and_the_same_winner(name, seed):
    rng, rules = Random(f"{name}{seed}"), GAME.presets[name]
    position = GAME.start(rules, "")
    opening = dict.fromkeys("wb", 2 if not name else 0)
    table = Table(pieces(position), dict.fromkeys("wb", rules.reserve), opening, name != "basic")
    for ply in range(80):
        colour, other = ("w", "b") if not ply % 2 else ("b", "w")
        turns = table.turns(colour)
        over = table.bare(colour) or table.bare(other) or not turns
        assert bool(position.outcome()) == over
        if over:
            won = other if table.bare(colour) or not table.bare(other) else colour
            assert position.outcome().score == ("1-0" if won == "w" else "0-1")
            return
        if not ply % 3 or any("x" in text for text in turns):
            assert {str(move) for move in position.moves()} == turns.keys()
        # Turns that push or take something off are preferred: by lot rows are rare.
        text = rng.choice(
            [text for text in turns if "x" in text] or [text for text in turns if "-" in text] or [*turns]
        )
        position, table = position.play(GAME.move(text)), turns[text]
        assert pieces(position) == table.there
        assert [camp.reserve for camp in position.camps] == [table.hand["w"], table.hand["b"]]
