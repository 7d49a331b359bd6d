"""What the API reads and answers. Names are those of the record files, `pbem-record 1`, where they are the same."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Generic, Literal, TypeVar

from ninja import Schema
from pydantic import Field, StringConstraints

from games.protocol import LANGUAGES

T = TypeVar("T")
NO_NUL = r"^[^\x00]*$"  # which PostgreSQL cannot hold
Name = Annotated[str, StringConstraints(max_length=80, pattern=NO_NUL)]
Line = Annotated[str, StringConstraints(max_length=400, pattern=NO_NUL)]
Text = Annotated[str, StringConstraints(max_length=10_000, pattern=NO_NUL)]
Key = Annotated[int, Field(ge=0, lt=2**53)]
Notated = Annotated[str, Field(pattern=rf"^(canonical|{'|'.join(LANGUAGES)})$")]
What = Literal["challenge", "draw", "undo", "pause"]


class Items(Schema, Generic[T]):
    items: list[T]
    next: str | None = None


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
    page: str


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


class Rated(Schema):
    pool: str
    player: str
    rating: int
    deviation: int
    provisional: bool
    matches: int


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


class Own(Schema):
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
    move: str | None = Field(None, description="The move that was played, in canonical form")
    question: dict[str, str | list[str]] | None = Field(None, description="What an engine is asked")


class Move(Schema):
    move: Line
    message: Text = ""
    notation: Notated = "canonical"


class Act(Schema):
    """What an act needs: `accept` the offer that is accepted, `say` a text, `lines` moves, `resign` the match."""

    offer: What | None = None
    reason: Line = ""
    plies: Annotated[int, Field(ge=1, lt=1000)] | None = None
    text: Text = ""
    moves: Annotated[list[Line | None], Field(max_length=100, description="null is any reply")] = []
    ply: Annotated[int, Field(ge=0, lt=100_000)] | None = None
    notation: Notated = "canonical"
    confirm: int | None = None


class Challenge(Schema):
    opponent: Line
    game: Line
    options: Annotated[list[Line], Field(max_length=20)] = []
    setup: Line | None = None
