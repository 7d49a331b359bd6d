"""Describes the reader of a letter, the colours and sizes they see, and the standings of their matches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import F, QuerySet, prefetch_related_objects

from games.kit.drawing import THEMES, Theme
from games.kit.layout import DENSE, WIDTH
from games.move_numbers import numbered
from games.protocol import Notation, Side
from games.registry import AnyGame, in_words
from pbem.matches.models import Event, Match, Seat, Turn
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.kinds import Section
from pbem.players.models import Address, Player
from pbem.queue.sql import compiled_query

COLUMN = 552  # CSS pixels
MARGINS = 48


@dataclass(frozen=True)
class Sheet:
    """Colours of the HTML, as #rrggbb. `paper` matches the pictures, so that they have no visible edge."""

    scheme: str  # of CSS: light, dark, or both where the mail program may choose
    paper: str
    ink: str
    quiet: str
    faint: str  # for decoration
    panel: str
    box: str
    rule: str
    accent: str


@dataclass(frozen=True)
class Look:
    """A reader's display settings. `width` is that of a board in CSS pixels; `turned`: seen from the far side."""

    theme: str = "default"
    width: int = WIDTH
    turned: bool = False

    @property
    def palette(self) -> Theme:
        return THEMES[self.theme]

    @property
    def pixels(self) -> int:
        """The width of a board's picture. One picture serves all widths: a larger one makes letters too large."""
        return DENSE

    @property
    def sheet(self) -> Sheet:
        return SHEETS[self.theme]

    @property
    def night(self) -> Sheet | None:
        """The sheet for dark mail programs. None when the reader has chosen a theme."""
        return SHEETS["dark"] if self.theme == "default" else None

    @property
    def room(self) -> int:
        """The width of the sheet in CSS pixels."""
        return max(self.column, COLUMN) + MARGINS

    @property
    def column(self) -> int:
        """The width at which a board is shown, in CSS pixels: the column's, unless the reader prefers another."""
        return COLUMN if self.width == WIDTH else self.width


USUAL = Look()


def _sheet(name: str, scheme: str, quiet: str, faint: str, panel: str, box: str, rule: str) -> Sheet:
    theme = THEMES[name]
    return Sheet(scheme, theme.paper, theme.ink, quiet, faint, panel, box, rule, theme.accent)


SHEETS: Mapping[str, Sheet] = {  # quiet, faint, panel, box, rule
    "default": _sheet("default", "light dark", "#6b655a", "#c4bdae", "#f1ece0", "#ffffff", "#dcd4c4"),
    "dark": _sheet("dark", "dark", "#b3aea4", "#5d6064", "#292c2f", "#383b3f", "#55585c"),
    "print": _sheet("print", "light", "#444444", "#c0c0c0", "#f4f4f4", "#ffffff", "#bbbbbb"),
}


@dataclass(frozen=True)
class Reader:
    """The reader of a letter. `player` is None for a stranger."""

    address: str
    language: str
    player: Player | None
    written_at: datetime
    about: Match | None = None  # the match of the letter
    preloaded: Mapping[int, Event] = field(default_factory=dict, compare=False)  # events known in advance
    alone: bool = False  # the mailbox is known not to be shared

    @classmethod
    def of(cls, row: OutboundMail) -> Reader:
        known = row.preloaded or {}
        return cls(
            row.address, row.language, row.player, row.created_at, row.match, known, row.has_one_reader
        )

    @property
    def shared_name(self) -> str:
        """The player's name where several share the mailbox. Empty otherwise."""
        if self.player is None or self.alone:
            return ""
        return self.player.name if _others(self.address.lower(), self.player.pk) else ""

    @property
    def notation(self) -> Notation:
        return Notation(self.language, self.player.coordinates if self.player else "seed")

    def title(self, game: AnyGame) -> str:
        return str(game.phrases(self.language)["name"])

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.player.zone if self.player else settings.TIME_ZONE)

    @property
    def look(self) -> Look:
        return Look(self.player.theme, self.player.picture_size) if self.player else Look()

    def look_at(self, match: Match) -> Look:
        """Returns the look with the board seen from the reader's side, if they want that."""
        own = match.game.facing and self.player is not None and self.player.own_side
        seat = self.seat_in(match) if own else None
        return replace(self.look, turned=seat is not None and seat.side == Side.SECOND)

    @property
    def text_only(self) -> bool:
        return self.player is not None and (self.player.text_only or self.player.low_bandwidth)

    @property
    def short(self) -> bool:
        """True when the letter should be as small as possible."""
        return self.player is not None and self.player.low_bandwidth

    def match(self, pk: int) -> Match:
        """Returns the match, from the letter when it is about that."""
        return self.about if self.about is not None and self.about.pk == pk else Match.objects.get(pk=pk)

    def seat_in(self, match: Match) -> Seat | None:
        return next(
            (seat for seat in match.seated if seat.player_id == getattr(self.player, "pk", None)), None
        )


@compiled_query
def _others(email: str, player: int) -> QuerySet[Address]:
    return Address.objects.verified().filter(email=email).exclude(player=player)


Context = dict[str, Any]  # of a template
Builder = Callable[[Section, Reader], Context]


# Standings

RECENT = 3  # turns: the last move, a pass after it, and the position before


@dataclass(frozen=True)
class Standing:
    """A match in a list. `last` is the last move in the reader's notation, with its number and player."""

    match: Match
    seat: Seat | None
    title: str
    variant: str
    last: str

    @property
    def players(self) -> tuple[str, str]:
        return self.match.players

    @property
    def opponent(self) -> str:
        return self.seat.opponent.player.name if self.seat else ""

    @property
    def yours(self) -> bool:
        return self.seat is not None and self.seat.is_to_move

    @property
    def open(self) -> bool:
        return self.match.status == Match.Status.PROPOSED

    @property
    def own_challenge(self) -> bool:
        return self.seat is not None and self.match.proposer_id == self.seat.player_id


def standings(matches: Iterable[Match], reader: Reader) -> list[Standing]:
    """Returns the standings in the order of `matches`."""
    known = list(matches)
    prefetch_related_objects(known, "seats__player")
    recent = Turn.objects.filter(match__in=known, undone_by=None, ply__gte=F("match__ply") - RECENT)
    turns: dict[int, dict[int, Turn]] = {match.pk: {} for match in known}
    for turn in recent:
        turns[turn.match_id][turn.ply] = turn
    return [
        Standing(
            match=match,
            seat=reader.seat_in(match),
            title=reader.title(match.game),
            variant=in_words(match.game_name, reader.language),
            last=_last(match, turns[match.pk], reader),
        )
        for match in known
    ]


def _last(match: Match, turns: Mapping[int, Turn], reader: Reader) -> str:
    moved = [turn for _, turn in sorted(turns.items()) if turn.move != str(match.game.forced_pass)]
    if not moved:
        return ""
    last = moved[-1]
    if last.ply and last.ply - 1 not in turns:
        return ""
    before = match.at(turns[last.ply - 1].position) if last.ply else match.start_position()
    written = match.game.write(before, match.game.move(last.move), reader.notation)
    return numbered(last.ply, f"{match.players[last.side]}: {written}")
