"""Commands and line readers for open offers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.registry import heard
from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, game_of, key_of
from pbem.inbox.commands.matchmaking.grammar import read_options, split_setup
from pbem.wording import wording

_WORD = wording(__package__).either("keep")
_KEEP_NUMBER = re.compile(rf"\b({_WORD})\s+(?=\d)", re.IGNORECASE)
_KEEP = re.compile(rf"(?:{_WORD})(?:=?(\d{{1,2}}))?", re.IGNORECASE)


@dataclass(frozen=True)
class Offer(Command):
    """Offers a match to all players; `keep` renews it until so many of its matches run."""

    game: str
    options: tuple[str, ...] = ()
    keep: int | None = None
    setup: str | None = None


@dataclass(frozen=True)
class Open(Command):
    """Lists the open offers, or those of a game."""

    game: str = ""
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Join(Command):
    """Takes an open offer."""

    number: int


@dataclass(frozen=True)
class Close(Command):
    """Withdraws an offer of the player."""

    number: int


def _offer(line: CommandLine) -> Offer | None:
    words, setup = split_setup(re.sub(_KEEP_NUMBER, r"\1=", line.rest))
    if line.match is not None or not (found := heard(words)):
        return None
    game, options = found
    rules = read_options(options)
    return None if rules is None else _kept(game, rules, setup)


def _kept(game: str, rules: Sequence[str], setup: str | None) -> Offer:
    # KEEP alone is KEEP 1: a new offer whenever the match is over.
    kept = [keep for rule in rules if (keep := _KEEP.fullmatch(rule))]
    others = tuple(rule for rule in rules if not _KEEP.fullmatch(rule))
    return Offer(game, others, int(kept[-1][1] or 1) if kept else None, setup)


def _open(line: CommandLine) -> Open | None:
    match line.words:
        case [] if line.match is None and (line.own is None or line.clear):
            return Open()
        case words if line.match is None and (game := game_of(words)):
            return Open(key_of(game))
    return None


def _numbered(kind: Callable[[int], Command]) -> Callable[[CommandLine], Command | None]:
    def read(line: CommandLine) -> Command | None:
        match line.words:
            case [word] if line.match is None and (found := re.fullmatch(r"[\[#]?(\d{1,9})\]?", word)):
                return kind(int(found[1]))
            case [] if line.match is not None:
                return kind(line.match)
        return None

    return read


FAMILY = Family(
    __package__,
    Chapter.MEETING,
    rank=2,
    readers={Offer: _offer, Open: _open, Join: _numbered(Join), Close: _numbered(Close)},
)
