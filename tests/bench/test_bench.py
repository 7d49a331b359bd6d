"""The bench runs, and knows a target that is met from one that is missed."""

import pytest

from tests.bench.__main__ import main
from tests.bench.figures import Peer, Row


def test_a_table_of_pictures(capsys):
    assert main(["pictures", "--quick"]) == 0
    printed = capsys.readouterr().out
    assert "loa, 520 px, caption and arrow" in printed
    assert "zertz, size" in printed


def test_an_unknown_subject_is_named(capsys):
    with pytest.raises(SystemExit):
        main(["weather"])
    assert "weather" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("row", "ratio", "target", "met"),
    [
        (Row("a picture", 4, "ms CPU", Peer("another", 32), bound=8, ratio_bound=8), 8, "≤ 8, ≥ 8 ×", True),
        (Row("a picture", 9, "ms CPU", Peer("another", 90), bound=8, ratio_bound=8), 10, "≤ 8, ≥ 8 ×", False),
        (
            Row("a picture", 4, "ms CPU", Peer("another", 30), bound=8, ratio_bound=8),
            7.5,
            "≤ 8, ≥ 8 ×",
            False,
        ),
        (
            Row("a picture", 4, "ms CPU", Peer("it cannot run", None), bound=8, ratio_bound=8),
            None,
            "≤ 8, ≥ 8 ×",
            True,
        ),
        (Row("games", 500, "per s", Peer("another", 1000), ratio_bound=0.5), 0.5, "≥ 0.5 ×", True),
        (Row("games", 500, "per s"), None, "", None),
    ],
)
def test_a_row_judges_itself(row, ratio, target, met):
    assert (row.ratio, row.target, row.met) == (ratio, target, met)
