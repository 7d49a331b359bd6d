"""A line falls into sentences and clauses, each with its place in the line."""

import pytest

from pbem.inbox.understanding.utterances import Part, utterances


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("I resign", ["I resign"]),
        ("b8-b6, draw?", ["b8-b6, draw?", "b8-b6", "draw?"]),
        ("Sorry. How do I resign?", ["Sorry. How do I resign?", "Sorry.", "How do I resign?"]),
        (
            "resign this and challenge Carla",
            ["resign this and challenge Carla", "resign this", "challenge Carla"],
        ),
        ("dark - and large", ["dark - and large", "dark", "and large"]),
    ],
)
def test_the_whole_line_comes_first(line: str, parts: list[str]) -> None:
    found = utterances(line)
    assert [each.text for each in found] == parts
    assert found[0].part is Part.WHOLE


def test_each_part_knows_its_place_and_what_else_the_line_says() -> None:
    line = "Nice move! b8-b6, and could I see the clock?"
    for each in utterances(line):
        assert line[each.start : each.end] == each.text
    [wish] = [each for each in utterances(line) if each.text.startswith("could")]
    assert wish.rest(line) == "Nice move! b8-b6"
    assert wish.overlaps(utterances(line)[0])


def test_a_long_line_has_no_end_of_parts() -> None:
    assert len(utterances("a, b, c, d, e, f, " * 30)) <= 12


def test_what_is_quoted_is_a_part_of_its_own() -> None:
    line = 'The leaflet says "REGISTER Ada", and then?'
    [quoted] = [each for each in utterances(line) if each.part is Part.QUOTED]
    assert line[quoted.start : quoted.end] == quoted.text == "REGISTER Ada"
    assert quoted.is_within(utterances(line)[0])
    assert not quoted.is_within(quoted)
