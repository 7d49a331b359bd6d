"""An analysis in the files of a record: comments below a score sheet, a member of the JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from games.move_numbers import mark, numbered, score
from games.protocol import CANONICAL, Notation, Position
from games.record import Record
from games.registry import AnyGame
from games.robots.analysis import Analysis, Moment

COMMENT = "; "  # begins a line that is no move


def annotated_text(sheet: str, record: Record, analysis: Analysis, notation: Notation = CANONICAL) -> str:
    """The score sheet with what was found below it; ValueError as in `Record.replay`."""
    lines = _comments(record, analysis, notation)
    return "\n".join([sheet.rstrip("\n"), "", *(f"{COMMENT}{line}" for line in lines), ""])


def annotated_json(text: str, analysis: Analysis) -> str:
    """The record of `games.export.to_json` with a member more."""
    members = json.loads(text) | {"analysis": analysis.as_json()}
    return json.dumps(members, ensure_ascii=False, indent=2) + "\n"


def _comments(record: Record, analysis: Analysis, notation: Notation) -> Iterator[str]:
    """What no language is needed for: per cent of the first side after each move; each mark with the chances of the
    player who moved; the better lines."""
    game, positions = record.course().game, record.replay()
    per_cent = [str(round(100 * chance)) for chance in analysis.chances[1:]]
    for line in score(per_cent):
        yield f"{line} %"
    for ply in sorted({*analysis.marks, *analysis.falls}):
        written = game.write(positions[ply], game.move(record.moves[ply]), notation)
        said = f"{numbered(ply, written)} {analysis.marks.get(ply, '')}".rstrip()
        before, after = (round(100 * chance) for chance in analysis.falls.get(ply, (0, 0)))
        yield f"{said} ({before} % > {after} %)" if ply in analysis.falls else said
    for moment in analysis.moments:
        better = score(_written(game, positions[moment.ply], moment, notation), moment.ply)
        yield f"{mark(moment.ply)} > {' '.join(map(str, better))}"


def _written(game: AnyGame, position: Position, moment: Moment, notation: Notation) -> list[str]:
    written = []
    for text in moment.line:
        move = game.move(text)
        written.append(game.write(position, move, notation))
        position = position.play(move)
    return written
