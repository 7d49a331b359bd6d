"""A record leaves as text or JSON and comes back the same."""

import json
from datetime import date

import pytest

from games.export import from_json, from_text, to_json, to_text
from games.protocol import IllegalMove, Notation, Outcome, Side
from games.record import Record

OPENING = Record(
    game="zertz",
    version=1,
    moves=("Wd4,a1", "Bd6,a2", "Bd2,a3", "Bf4,a4", "Wg5,c1"),
    players=("Alice", "Bruno"),
    started=date(2026, 3, 1),
)

RESIGNED = Record(
    game="loa:scrambled",
    version=1,
    moves=("d1-d3", "a4-c4"),
    result=Outcome(Side.SECOND, "resigned"),
    players=('Alice "the Rook" \\', 'Bruno\n[Game "chess"]\u2028'),
    started=date(2026, 3, 1),
    ended=date(2026, 4, 2),
)

RECORDS = [OPENING, RESIGNED, Record("loa", 1), Record("nim:misere", 1, ("3",), setup="4")]


def test_a_score_sheet_has_tags_and_numbered_moves():
    assert to_text(OPENING) == (
        '[Game "zertz"]\n'
        '[Rules "1"]\n'
        '[First "Alice"]\n'
        '[Second "Bruno"]\n'
        '[Started "2026-03-01"]\n'
        '[Result "*"]\n'
        "\n"
        "1. Wd4,a1  Bd6,a2\n"
        "2. Bd2,a3  Bf4,a4\n"
        "3. Wg5,c1\n"
    )


def test_a_score_sheet_speaks_the_notation_of_its_reader():
    sheet = to_text(OPENING, Notation("it", "gipf"))
    assert '[Notation "it gipf"]\n' in sheet
    *_, first, second, third = sheet.splitlines()
    assert first == "1. Bd4,a1  Nd6,a2"  # bianca, nera
    assert "f2" in second  # gipf counts column f from its own bottom
    assert "g2" in third


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.game)
def test_what_is_exported_can_be_imported(record):
    assert from_json(to_json(record)) == record
    assert from_text(to_text(record)) == record


@pytest.mark.parametrize("notation", [Notation("en", "gipf"), Notation("it", "seed"), Notation("it", "gipf")])
def test_a_score_sheet_in_any_notation_can_be_imported(notation):
    assert from_text(to_text(OPENING, notation)) == OPENING


def test_a_score_sheet_survives_the_line_ends_of_mail():
    assert from_text(to_text(OPENING).replace("\n", "\r\n")) == OPENING


def test_unknown_tags_do_no_harm():
    assert from_text('[Event "Circolo di Alice"]\n' + to_text(OPENING)) == OPENING


def test_json_is_for_programs():
    assert json.loads(to_json(RESIGNED)) == {
        "layout": "pbem-record 1",
        "game": "loa:scrambled",
        "rules": "1",
        "first": 'Alice "the Rook" \\',
        "second": 'Bruno\n[Game "chess"]\u2028',
        "started": "2026-03-01",
        "ended": "2026-04-02",
        "result": "0-1",
        "reason": "resigned",
        "moves": ["d1-d3", "a4-c4"],
    }


def test_a_move_that_cannot_be_played_is_not_imported_in_a_players_notation():
    with pytest.raises(IllegalMove):
        from_text(to_text(OPENING, Notation("it")).replace("a2", "d4"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[Game "zertz"]\n', ""),
        ('[Rules "1"]', '[Rules "one"]'),
        ('"*"', '"2-0"'),
        ("2026-03-01", "yesterday"),
        ('"Alice"', '"Al\\ice"'),
    ],
)
def test_what_is_no_score_sheet_is_refused(old, new):
    sheet = to_text(OPENING)
    assert old in sheet
    with pytest.raises(ValueError, match=r"lacks game|one|2-0|yesterday|escape"):
        from_text(sheet.replace(old, new))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"layout": "pbem-record 2", "game": "loa", "rules": "1", "result": "*", "moves": []}',
        '{"layout": "pbem-record 1", "game": "loa", "rules": "1", "result": "*", "moves": "d1-d3"}',
        '{"layout": "pbem-record 1", "game": "loa", "rules": "1", "result": "*", "moves": [1]}',
        '{"layout": "pbem-record 1", "game": "loa", "rules": 1, "result": "*", "moves": []}',
        '{"layout": "pbem-record 1", "rules": "1", "result": "*", "moves": []}',
    ],
)
def test_what_is_no_record_is_refused(text):
    with pytest.raises(ValueError, match=r"Expecting value|not a record"):
        from_json(text)
