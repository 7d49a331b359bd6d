"""The cross-table: points, Sonneborn-Berger, ties, and games that still go on."""

from pbem.competitions.cross_table import Meeting, Row, cross_table

RESULTS = {"1-0": 1.0, "1/2": 0.5, "0-1": 0.0, "*": None}


def table(players: str, games: str) -> tuple[Row[str], ...]:
    meetings = (line.split() for line in games.strip().splitlines())
    return cross_table(players.split(), [Meeting(a, b, RESULTS[result]) for a, b, result in meetings])


def shown(rows: tuple[Row[str], ...]) -> list[str]:
    """Place, `=` where it is shared, name, points, Sonneborn-Berger, the row of results."""
    return [
        " ".join(
            [
                f"{row.place}{'=' if row.tied else ''}",
                row.entrant,
                f"{row.points:g}",
                f"{row.sonneborn_berger:g}",
                "".join(
                    "x"
                    if other is row
                    else "".join(cell.sign for cell in row.met.get(other.entrant, ())) or "-"
                    for other in rows
                ),
            ]
        )
        for row in rows
    ]


def test_points_count_first_then_whom_they_were_scored_against() -> None:
    games = """
    Alice Bruno 1-0
    Alice Dora  0-1
    Alice Emil  1/2
    Bruno Dora  1-0
    Bruno Emil  1/2
    Dora  Emil  1-0
    """
    # Dora has 2 points. Alice and Bruno have 1.5 each: Alice beat Bruno (1.5) and drew with Emil (1), Bruno
    # beat Dora (2) and drew with Emil, so that Bruno stands before her.
    assert shown(table("Alice Bruno Dora Emil", games)) == [
        "1 Dora 2 2.5 x011",
        "2 Bruno 1.5 2.5 1x0½",
        "3 Alice 1.5 2 01x½",
        "4 Emil 1 1.5 0½½x",
    ]


def test_whoever_cannot_be_told_apart_shares_the_place() -> None:
    games = """
    Alice Bruno 1-0
    Bruno Dora  1-0
    Dora  Alice 1-0
    Alice Emil  1-0
    Bruno Emil  1-0
    Dora  Emil  1-0
    """
    rows = table("Emil Alice Bruno Dora", games)
    assert [line.split()[:2] for line in shown(rows)] == [
        ["1=", "Alice"],
        ["1=", "Bruno"],
        ["1=", "Dora"],
        ["4", "Emil"],
    ]


def test_wins_decide_where_everything_else_is_equal() -> None:
    games = """
    Alice Emil 1-0
    Alice Emil 0-1
    Bruno Dora 1/2
    Bruno Dora 1/2
    """
    rows = table("Bruno Alice Dora Emil", games)
    assert [(row.place, row.entrant, row.won, row.drawn, row.lost) for row in rows] == [
        (1, "Alice", 1, 0, 1),
        (1, "Emil", 1, 0, 1),
        (3, "Bruno", 0, 2, 0),
        (3, "Dora", 0, 2, 0),
    ]


def test_a_game_that_goes_on_is_a_dot_and_counts_nothing() -> None:
    rows = table("Alice Bruno Dora", "Alice Bruno 1-0\nBruno Alice *\nDora Alice *")
    assert shown(rows) == ["1 Alice 1 0 x1··", "2= Bruno 0 0 0·x-", "2= Dora 0 0 ·-x"]
    assert [row.played for row in rows] == [1, 1, 0]


def test_a_tournament_without_players_has_an_empty_table() -> None:
    assert cross_table([], []) == ()
