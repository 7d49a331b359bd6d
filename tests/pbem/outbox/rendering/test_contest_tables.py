"""Standings: as text, in HTML on a phone, and whole as a file."""

from __future__ import annotations

from pbem.outbox.rendering.contest_tables import COLUMNS, Row, Standing, whole_file


def table(players: int, name: str = "Anna", title: str = "") -> Standing:
    rows = (
        Row(number, f"{number}.", f"{name}{number}", ("1",) * players, "2½", "(3)")
        for number in range(1, players + 1)
    )
    return Standing(title, tuple(rows))


def test_results_stand_beside_names_as_far_as_they_fit_a_phone() -> None:
    assert table(4).narrow
    assert not table(12).narrow
    assert not table(4, name="Hildegard-of-Bingen").narrow
    assert table(30, name="A").rows[0].signs
    assert whole_file([table(4)], "table-1") == []


def test_what_is_left_out_comes_as_a_file() -> None:
    long = table(12, name="Hildegard-of-Bingen-and-some-more-who-have-names-")
    assert max(map(len, long.text.split("\n"))) <= COLUMNS
    assert "1 1 1" not in long.text
    [file] = whole_file([table(3, title="Final"), long], "table-7")
    assert file.name == "table-7.txt"
    assert isinstance(file.content, str)
    assert file.content == f"Final\n{table(3).full}\n\n{long.full}\n"
    assert file.content.count("1 1 1 1 1 1 1 1 1 1 1 1") == 12
