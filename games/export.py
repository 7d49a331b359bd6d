"""Writes and reads game records as score sheets and as JSON, and plays out lines of moves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import count
from typing import Any

from games import lenient_parser
from games.move_numbers import score
from games.protocol import (
    COORDINATES,
    LANGUAGES,
    AmbiguousMove,
    GameOver,
    IllegalMove,
    Notation,
    Outcome,
    Position,
    Side,
    UnreadableMove,
)
from games.record import Course, Record
from games.registry import AnyGame

# NUL and lone surrogates, which JSON can name but files and databases cannot hold.
_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
LAYOUT = "pbem-record 1"
_WINNERS = {"1-0": Side.FIRST, "0-1": Side.SECOND, "1/2": None}


def to_text(record: Record, notation: Notation | None = None) -> str:
    """Writes the record's tags, then its numbered moves: canonical, or in `notation` if given.

    Raises ValueError, as `Record.replay` does, when `notation` is given and a move cannot be played.
    """
    facts, moves = _facts(record), record.moves
    if notation:
        facts["notation"] = f"{notation.language} {notation.coordinates}"
        moves = tuple(_written(record, notation))
    # JSON strings keep any player name on one line.
    tags = (f"[{name.capitalize()} {json.dumps(fact, ensure_ascii=False)}]" for name, fact in facts.items())
    return "\n".join([*tags, "", *_lines(moves), ""])


def from_text(text: str) -> Record:
    """Reads a score sheet. Raises ValueError when it is malformed, or a move in its `notation` cannot be
    played.
    """
    head, _, body = text.replace("\r\n", "\n").partition("\n\n")
    tags = re.findall(r'^\[(\w+) (".*")\]$', head, re.MULTILINE)
    facts = {name.lower(): _of_json(fact) for name, fact in tags}
    # Two blanks separate the moves of a line: a written move may contain one.
    lines = re.findall(r"^ *\d+\. (.*?)(?: {2,}(.*?))? *$", body, re.MULTILINE)
    moves = [move for line in lines for move in line if move]
    if "notation" in facts:
        moves = list(_read(_record(facts, ()), moves, _notation(facts["notation"])))
    return _record(facts, moves)


def has_notation(sheet: str) -> bool:
    """Tells whether a score sheet has a `Notation` tag."""
    head, _, _body = sheet.replace("\r\n", "\n").partition("\n\n")
    return bool(re.search(r'^\[Notation ".*"\]$', head, re.MULTILINE))


def tagged(sheet: str, notation: Notation) -> str:
    """Adds the `Notation` tag to a score sheet without one."""
    tag = f'[Notation "{notation.language} {notation.coordinates}"]'
    return f"{tag}\n{sheet.lstrip()}"


def from_file(text: str) -> Record:
    """Reads a record from a score sheet or from JSON. Raises ValueError when it is malformed."""
    return from_json(text) if text.lstrip().startswith("{") else from_text(text)


def parts(text: str) -> list[str]:
    """Splits a text of several records, JSON objects or score sheets, into texts for `from_file`.

    Raises ValueError for malformed JSON.
    """
    text = text.lstrip("\ufeff").strip()
    if not text.startswith("{"):
        return [
            sheet.strip() + "\n"
            for sheet in re.split(r"^(?=\[Game )", text, flags=re.MULTILINE)
            if sheet.strip()
        ]
    found, decoder = [], json.JSONDecoder()
    while text:
        try:
            _, end = decoder.raw_decode(text)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        found.append(text[:end])
        text = text[end:].lstrip()
    return found


def to_json(record: Record) -> str:
    """Writes the record as an indented JSON object: layout, known facts as strings, canonical moves."""
    return json.dumps(members(record), ensure_ascii=False, indent=2) + "\n"


def to_json_line(record: Record) -> str:
    """Writes the record as JSON on one line, for files with one record per line."""
    return json.dumps(members(record), ensure_ascii=False) + "\n"


def from_json(text: str) -> Record:
    """Reads the record of `to_json` without checking its moves. Raises ValueError when it is malformed."""
    members = _of_json(text)
    if not isinstance(members, dict) or members.pop("layout", None) != LAYOUT:
        raise ValueError(f"not a record in the layout {LAYOUT!r}")
    moves = members.pop("moves", None)
    members.pop("analysis", None)  # added by `games.engine`
    if not isinstance(moves, list) or not all(isinstance(text, str) for text in (*moves, *members.values())):
        raise ValueError("not a record: its facts and moves have to be strings")
    return _record(members, moves)


def _notation(said: str) -> Notation:
    """Reads the notation of a tag. Raises ValueError when the language or coordinates are unknown."""
    language, _, coordinates = said.partition(" ")
    if language not in LANGUAGES or coordinates not in COORDINATES:
        raise ValueError(f"{said!r} is no notation: write for instance {LANGUAGES[0]} {COORDINATES[0]}")
    return Notation(language, coordinates)


def _of_json(text: str) -> Any:
    """Parses JSON. Raises ValueError also when it is nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def members(record: Record) -> dict[str, object]:
    """Returns what `to_json` writes."""
    return {"layout": LAYOUT, **_facts(record), "moves": record.moves}


def _facts(record: Record) -> dict[str, str]:
    facts = {
        "game": record.game,
        "rules": str(record.version),
        "first": record.players[0],
        "second": record.players[1],
        "started": record.started.isoformat() if record.started else "",
        "ended": record.ended.isoformat() if record.ended else "",
        "setup": record.setup,
        "result": record.result.score if record.result else "*",
        "reason": record.result.reason if record.result else "",
        "remarks": record.remarks,
    }
    return {name: fact for name, fact in facts.items() if fact}


def _record(facts: Mapping[str, str], moves: Iterable[str]) -> Record:
    moves = tuple(moves)
    if any(map(_UNWRITABLE.search, (*facts.values(), *moves))):
        raise ValueError("not a record: it has characters that nobody can write")
    if missing := {"game", "rules", "result"} - facts.keys():
        raise ValueError(f"not a record: it lacks {', '.join(sorted(missing))}")
    result = facts["result"]
    if result not in (*_WINNERS, "*"):
        raise ValueError(f"{result!r} is no result")
    return Record(
        game=facts["game"],
        version=int(facts["rules"]),
        moves=moves,
        setup=facts.get("setup", ""),
        result=None if result == "*" else Outcome(_WINNERS[result], facts.get("reason", "")),
        players=(facts.get("first", ""), facts.get("second", "")),
        started=_day(facts.get("started", "")),
        ended=_day(facts.get("ended", "")),
        remarks=facts.get("remarks", ""),
    )


def _day(text: str) -> date | None:
    """Reads a date. Raises ValueError unless its year is from 1000 to 9998."""
    day = date.fromisoformat(text) if text else None
    # the hours of days outside these years may overflow
    if day and not 1000 <= day.year < 9999:
        raise ValueError(f"{text} is no day of a game")
    return day


def _lines(moves: Sequence[str]) -> Iterator[str]:
    """Formats numbered lines, such as `1. c1-c3 a4-b5`."""
    width = max(map(len, moves[::2]), default=0)
    for line in score(moves):
        first, *answer = line.moves
        yield f"{line.mark} {first:{width}}  {''.join(answer)}".rstrip()


def _written(record: Record, notation: Notation) -> Iterator[str]:
    course = record.course()
    for text in record.moves:
        move = course.game.move(text)
        yield course.game.write(course.position, move, notation)
        course.play(move)


def _read(record: Record, moves: Iterable[str], notation: Notation) -> Iterator[str]:
    course = record.course()
    for text in moves:
        move = course.game.read(course.position, text, notation)
        yield str(move)
        course.play(move)


# Lines of moves

Unplayable = UnreadableMove | AmbiguousMove | IllegalMove | GameOver


@dataclass(frozen=True)
class Step:
    """One turn: its `ply` (from 0), its move, and the positions before and after it."""

    ply: int
    before: Position
    move: Any
    after: Position


@dataclass(frozen=True)
class Line:
    """The playable part of a line, and why it stops.

    `outcome` is how the game ends there. `stopped` is the first text that cannot be played, `why` the reason,
    `left` the number of texts after it.
    """

    steps: tuple[Step, ...]
    outcome: Outcome | None = None
    stopped: str = ""
    why: Unplayable | None = None
    left: int = 0


PARTS = 6  # of a turn, with semicolons between them


def follow(
    game: AnyGame,
    start: Position,
    texts: Sequence[str],
    notation: Notation,
    *,
    ply: int = 0,
    earlier: Iterable[str] = (),
) -> Line:
    """Plays `texts` from `start`, the position after `ply` turns. Forced passes are played automatically.

    A turn may be written with semicolons, and so take several of the texts. `earlier` are the repetition keys of the
    positions before `start`.
    """
    course = Course(game, start, earlier)
    steps: list[Step] = []
    plies = count(ply)
    left = list(texts)
    while left:
        failed: Unplayable | None = None
        for used in range(1, min(len(left), PARTS) + 1):
            try:
                steps += _turns(course, ";".join(left[:used]), notation, plies)
            except (UnreadableMove, AmbiguousMove, IllegalMove, GameOver) as why:
                failed = failed or why
            else:
                del left[:used]
                break
        else:
            return Line(tuple(steps), course.outcome(), left[0], failed, len(left) - 1)
    return Line(tuple(steps), course.outcome())


def _turns(course: Course, text: str, notation: Notation, plies: Iterator[int]) -> list[Step]:
    """Plays the move and the passes that it forces."""
    if outcome := course.outcome():
        raise GameOver(text, outcome)
    moves = [lenient_parser.parse(course.game, course.position, text, notation)]
    steps = []
    while moves:
        before, move = course.position, moves.pop()
        steps.append(Step(next(plies), before, move, course.play(move)))
        if (forced := course.forced_pass()) is not None:
            moves.append(forced)
    return steps
