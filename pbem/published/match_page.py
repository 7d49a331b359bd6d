"""A match as its page shows it: boards, score and record, as far as `visible` allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import starmap
from typing import NamedTuple

from django.utils.translation import gettext

from games.kit.scene import Scene
from games.kit.words import Speech, speech
from games.protocol import Notation, Outcome, Position
from games.record import Course, Record
from games.registry import AnyGame, find, in_words
from pbem.matches.models import Match
from pbem.matches.plies import keys_before
from pbem.matches.terms import Terms
from pbem.published.visible import Shown, shown


class Played(NamedTuple):
    """A half-move, and the position after it."""

    ply: int
    move: str
    position: str


@dataclass(frozen=True)
class MatchPage:
    """A match and what of it is public."""

    _match: Match
    shown: Shown

    @property
    def number(self) -> int:
        return int(self._match.pk)

    @property
    def game(self) -> AnyGame:
        return self._match.game

    @property
    def game_name(self) -> str:
        return self._match.game_name

    @property
    def terms(self) -> Terms:
        return self._match.agreed

    @property
    def ended_at(self) -> datetime | None:
        return self._match.ended_at

    @property
    def told_at(self) -> datetime | None:
        """Returns when it ended, or the first of that month where its days are hidden."""
        ended = self.ended_at
        if ended is None or self.shown.dated:
            return ended
        return ended.replace(day=1, hour=0, minute=0, second=0, microsecond=0)

    @property
    def plies(self) -> int:
        return self.shown.plies

    @property
    def state(self) -> str:
        """Returns what changes whenever the page does, before anything is drawn."""
        match = self._match
        return repr((match.pk, match.status, match.ply, match.position, match.ended_at, self.shown))

    @property
    def names(self) -> tuple[str, str]:
        """Returns how the players are called here."""
        first, second = (name or gettext("A player") for name in self.shown.names)
        return first, second

    @property
    def outcome(self) -> Outcome | None:
        return self._match.outcome()

    def title(self, language: str) -> str:
        """Returns the name of the game, with its variant."""
        name = str(self.game.phrases(language)["name"])
        return f"{name}, {in_words(self.game_name, language)}" if ":" in self.game_name else name

    def result(self, notation: Notation) -> str:
        """Says how the match ended. Empty while it goes on."""
        named = self.shown.names if all(self.shown.names) else None
        words = speech(self.game, self._match.rules, notation, named)
        return words.outcome(self.outcome) if self.outcome else ""

    @cached_property
    def _turns(self) -> tuple[Played, ...]:
        rows = self._match.live_turns().filter(ply__lt=self.plies).values_list("ply", "move", "position")
        return tuple(starmap(Played, rows))

    def position(self, ply: int) -> Position:
        """Returns the position after `ply` half-moves. Raises IndexError for those that are not shown."""
        if not 0 <= ply <= self.plies:
            raise IndexError(ply)
        return self._match.at(self._turns[ply - 1].position) if ply else self._match.start_position()

    def score(self, notation: Notation) -> tuple[str, ...]:
        """Returns the moves as they are written."""
        moves = tuple(turn.move for turn in self._turns)
        return _written(self.game_name, self._match.setup, moves, notation)

    def scene(self, ply: int) -> Scene:
        """Returns the board after `ply` half-moves, with the last move that was not a forced pass."""
        after, last = self.position(ply), self._last(ply)
        if last is None:
            scene = self.game.scene(None, None, after)
        else:
            scene = self.game.scene(self.position(last.ply), self.game.move(last.move), after)
        ended = ply == self.plies and self.outcome is not None
        return replace(scene, to_move=None) if ended else scene

    def words(self, ply: int, notation: Notation) -> Speech:
        """Returns the speech about a board, which names sides and never people."""
        return speech(self.game, self.position(ply).rules, notation)

    def digest(self, ply: int, language: str) -> str:
        """Returns the hash of the picture after `ply` half-moves."""
        last, ended = self._last(ply), ply == self.plies and self.outcome is not None
        before, move = (self._text(last.ply), last.move) if last else ("", "")
        return hashed((self.game_name, before, move, self._text(ply), ended, language))

    def _text(self, ply: int) -> str:
        return self._turns[ply - 1].position if ply else self._match.setup

    def course(self, ply: int) -> Course:
        """Returns the game after `ply` half-moves, to be played on from there."""
        return Course(self.game, self.position(ply), keys_before(self._match, ply))

    def record(self) -> Record:
        """Returns the record of what is shown: without hidden names, and without days where they are hidden."""
        match, dated = self._match, self.shown.dated
        return Record(
            game=self.game_name,
            version=match.rules_version,
            setup=match.setup,
            moves=tuple(turn.move for turn in self._turns),
            result=self.outcome,
            players=self.shown.names,
            started=match.started_at.date() if match.started_at and dated else None,
            ended=match.ended_at.date() if match.ended_at and dated else None,
        )

    def _last(self, ply: int) -> Played | None:
        forced = str(self.game.forced_pass)
        return next((turn for turn in reversed(self._turns[:ply]) if turn.move != forced), None)


def match_page(number: int, now: datetime) -> MatchPage | None:
    """Returns a match by its number. None when it is not shown, as when there is none."""
    match = Match.objects.filter(pk=number).first()
    seen = shown(match, now) if match else None
    return MatchPage(match, seen) if match and seen else None


def hashed(seen: Sequence[object]) -> str:
    return sha256(repr(seen).encode()).hexdigest()[:16]


@lru_cache(maxsize=512)
def _written(game_name: str, setup: str, moves: tuple[str, ...], notation: Notation) -> tuple[str, ...]:
    game, rules = find(game_name)
    position, written = game.start(rules, setup), []
    for text in moves:
        move = game.move(text)
        written.append(game.write(position, move, notation))
        position = position.play(move)
    return tuple(written)
