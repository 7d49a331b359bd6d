"""What the API reads and answers. Names are those of the record files, `pbem-record 1`, where they are the same."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field, StringConstraints

from games.protocol import LANGUAGES

Line = Annotated[str, StringConstraints(max_length=400, pattern=r"^[^\x00]*$")]  # PostgreSQL has no NUL
Text = Annotated[str, StringConstraints(max_length=10_000, pattern=r"^[^\x00]*$")]
Notated = Annotated[
    str, Field(pattern=rf"^(canonical|{'|'.join(LANGUAGES)})$", description="How moves are written")
]
What = Literal["challenge", "draw", "undo", "pause"]


class Problem(Schema):
    type: str
    title: str
    status: int
    detail: str
    code: str = ""
    objection: str = ""
    cells: list[str] = []
    nearest: list[str] = []
    readings: list[str] = []
    limit: int | None = None
    errors: list[dict[str, str]] = []


class Game(Schema):
    game: str
    title: str
    summary: str
    sides: list[str]
    variants: list[str]
    page: str = Field(description="Its rules")


class Games(Schema):
    items: list[Game]
    next: str | None = None


class MatchRow(Schema):
    match: int
    game: str
    first: str | None = None
    second: str | None = None
    started: str | None = None
    ended: str | None = Field(None, description="The day, or the month where days are hidden")
    result: str = Field(description="1-0, 0-1, 1/2, or * while it goes on")
    reason: str | None = None
    ply: int
    page: str


class Match(MatchRow):
    layout: str
    rules: str
    setup: str | None = None
    remarks: str | None = None
    moves: list[str] = Field(description="In canonical form")
    position: str
    to_move: str | None = None
    clock: str | None = None
    rated: bool
    legal: list[str] | None = None


class Matches(Schema):
    items: list[MatchRow]
    next: str | None = None


class Rated(Schema):
    pool: str
    player: str
    rating: int
    deviation: int
    provisional: bool
    matches: int


class Ratings(Schema):
    pool: str
    items: list[Rated]
    provisional: list[Rated]


class Player(Schema):
    player: str
    program: bool
    robot: int | None = Field(None, description="The level of a robot of ours")
    on_time: int | None = Field(None, description="Per cent of the latest turns that ended with a move")
    ratings: list[Rated]
    page: str


class Competition(Schema):
    competition: int
    name: str
    game: str
    system: str
    over: bool
    takes_entries: bool
    players: list[str]
    entered: list[str]
    matches: list[MatchRow]
    page: str


class Row(Schema):
    place: str
    name: str
    points: str
    more: str
    signs: list[str]


class Table(Schema):
    title: str
    rows: list[Row]


class Tables(Schema):
    items: list[Table]


class Question(Schema):
    game: str
    position: str
    earlier: list[str]


class Own(Schema):
    """A match of the player's own, as it is now."""

    match: int
    game: str
    status: str
    side: str
    opponent: str
    ply: int
    your_turn: bool
    position: str
    deadline: datetime | None = None
    clock: str | None = None
    rated: bool
    offer: What | None = Field(None, description="What the opponent asks, which accept and decline answer")
    result: str | None = None
    reason: str | None = None


class Turn(Own):
    question: Question = Field(description="What an engine is asked, as docs/robots.md says")


class Turns(Schema):
    items: list[Turn]


class OwnMatches(Schema):
    items: list[Own]
    next: str | None = None


class Challenge(Schema):
    match: int
    game: str
    opponent: str
    what: What
    by_you: bool
    terms: dict[str, Any]


class Challenges(Schema):
    items: list[Challenge]


class Setting(Schema):
    topic: str
    name: str
    value: str
    does: str


class Settings(Schema):
    items: list[Setting]


# Requests


class MoveIn(Schema):
    move: Line
    message: Text = ""
    notation: Notated = "canonical"


class Moved(Own):
    move: str = Field(description="In canonical form")


class AcceptIn(Schema):
    offer: What = Field(description="What is accepted: nothing else is, if it has changed meanwhile")


class DeclineIn(Schema):
    reason: Line = ""


class UndoIn(Schema):
    plies: Annotated[int, Field(ge=1, lt=1000)] | None = None


class SayIn(Schema):
    text: Annotated[Text, Field(min_length=1)]


class LinesIn(Schema):
    moves: Annotated[list[Line | None], Field(min_length=2, max_length=100)] = Field(
        description="Reply, answer, reply, answer; null is any reply"
    )
    ply: Annotated[int, Field(ge=0, lt=100_000)] | None = None
    notation: Notated = "canonical"


class ResignIn(Schema):
    confirm: int = Field(description="The number of the match once more")


class ChallengeIn(Schema):
    opponent: Annotated[Line, Field(min_length=1)]
    game: Annotated[Line, Field(min_length=1)]
    options: Annotated[list[Line], Field(max_length=20)] = []
    setup: Line | None = None
