"""Circuits: points per place, the best results, and results from elsewhere."""

import pytest

from pbem.competitions.systems.tie_breaks import BadLine, Result, read_results, standing

CUP = [Result("Alice", "Cup", 1), Result("Bruno", "Cup", 2), Result("Carla", "Cup", 2)]
LEAGUE = [Result("Bruno", "League", 1), Result("Alice", "League", 3), Result("Dora", "League", 12)]


def test_points_by_place_and_shared_places() -> None:
    lines = standing([*CUP, *LEAGUE], points=(10, 6, 4))
    assert [(line.name, line.place, line.points) for line in lines] == [
        ("Bruno", 1, 15.0),
        ("Alice", 2, 14.0),
        ("Carla", 3, 5.0),
        ("Dora", 4, 0.0),
    ]


def test_only_the_best_count() -> None:
    lines = {line.name: line for line in standing([*CUP, *LEAGUE], points=(10, 6, 4), best=1)}
    assert (lines["Bruno"].points, lines["Bruno"].left_out) == (10.0, (5.0,))
    assert (lines["Alice"].place, lines["Alice"].tied) == (1, True)
    assert (lines["Bruno"].place, lines["Bruno"].tied) == (1, True)


def test_no_order_matters_and_nothing_counts_twice() -> None:
    results = [*CUP, *LEAGUE]
    assert standing(results[::-1]) == standing(results) == standing(results + CUP)


def test_results_from_elsewhere() -> None:
    text = '\ufeffPlace;Name\n1.;Alice\n2=;Bruno\n\n2;"Rossi; Carla"\n'
    assert read_results(text, "PerGioco") == (
        Result("Alice", "PerGioco", 1),
        Result("Bruno", "PerGioco", 2),
        Result("Rossi; Carla", "PerGioco", 2),
    )
    assert read_results("1,Alice", "x") == (Result("Alice", "x", 1),)
    with pytest.raises(BadLine) as caught:
        read_results("1,Alice\nfirst,Bruno", "x")
    assert (caught.value.number, caught.value.text) == (2, "first,Bruno")
    for wrong in ("1,Alice\n2", "1,Alice\n0,Bruno", "1,Alice\n²,Bruno"):
        with pytest.raises(BadLine):
            read_results(wrong, "x")
