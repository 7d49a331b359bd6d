"""The contract finds a circle, and names it in the order of its imports."""

from __future__ import annotations

import pytest
from grimp import ImportGraph

from tests.acyclic import circle


def graph(*imports: str) -> ImportGraph:
    """Written as "a b": a imports b."""
    made = ImportGraph()
    for line in imports:
        importer, imported = line.split()
        made.add_import(importer=importer, imported=imported)
    return made


@pytest.mark.parametrize("imports", [[], ["a b", "b c", "a c"]])
def test_no_circle(imports: list[str]) -> None:
    assert circle(graph(*imports)) == []


def test_a_circle_of_three() -> None:
    first, *others, last = circle(graph("a b", "b c", "c a", "c d"))
    assert first == last
    assert "".join([first, *others]) in ("abc", "bca", "cab")
