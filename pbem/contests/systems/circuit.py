"""A circuit: places in several contests bring points, and the best results of each player count."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO

USUAL_POINTS = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)  # by place


@dataclass(frozen=True)
class Result:
    """A place in one event. `name` is of the player, who may be known elsewhere alone."""

    name: str
    event: str
    place: int


@dataclass(frozen=True)
class Standing:
    """`counted` are the points of the best results, `left_out` of the others, both from the highest."""

    name: str
    place: int
    tied: bool
    points: float
    counted: tuple[float, ...]
    left_out: tuple[float, ...] = ()


class BadLine(ValueError):
    """A line of an import that cannot be read: its number, from 1, and what it says."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(f"{number}: {text}")
        self.number, self.text = number, text


def standing(
    results: Iterable[Result], *, points: Sequence[float] = USUAL_POINTS, best: int = 0
) -> tuple[Standing, ...]:
    """`best` results of each count, 0: all. Who shares a place shares the points of the places they fill; equal
    sums are told apart by the highest single results."""
    events: dict[str, list[Result]] = defaultdict(list)
    for result in set(results):
        events[result.event].append(result)
    earned: dict[str, list[float]] = defaultdict(list)
    for event in events.values():
        for result in event:
            sharing = sum(other.place == result.place for other in event)
            filled = [_worth(place, points) for place in range(result.place, result.place + sharing)]
            earned[result.name].append(sum(filled) / sharing)
    scores = {name: tuple(sorted(theirs, reverse=True)) for name, theirs in earned.items()}
    counted = {name: theirs[:best] if best else theirs for name, theirs in scores.items()}
    order = sorted(scores, key=lambda name: (-sum(counted[name]), [-each for each in counted[name]], name))
    lines: list[Standing] = []
    for name in order:
        alike = [other for other in order if counted[other] == counted[name]]
        place = order.index(alike[0]) + 1
        rest = scores[name][len(counted[name]) :]
        lines.append(Standing(name, place, len(alike) > 1, sum(counted[name]), counted[name], rest))
    return tuple(lines)


def read_results(text: str, event: str) -> tuple[Result, ...]:
    """From CSV with a place and a name in each line, parted by commas, semicolons or tabs. A first line without a
    place is a heading. Raises BadLine."""
    lines = text.lstrip("\ufeff").splitlines()
    parting = next((sign for sign in "\t;," if any(sign in line for line in lines)), ",")
    found: list[Result] = []
    for number, fields in enumerate(csv.reader(StringIO("\n".join(lines)), delimiter=parting), start=1):
        said = [field.strip() for field in fields]
        if not any(said):
            continue
        place = said[0].rstrip(".=°ª")
        if len(said) < 2 or not said[1] or not (place.isascii() and place.isdecimal()) or int(place) < 1:
            if number == 1:
                continue
            raise BadLine(number, parting.join(fields))
        found.append(Result(said[1], event, int(place)))
    return tuple(found)


def _worth(place: int, points: Sequence[float]) -> float:
    return points[place - 1] if place <= len(points) else 0.0
