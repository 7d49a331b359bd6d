"""Reads several matches from one line: `challenge Bruno to loa and Carla to emergo`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.matchmaking.grammar import Challenge
from pbem.inbox.commands.offers.grammar import Offer
from pbem.inbox.commands.phrases import called, game_pattern
from pbem.inbox.commands.sketches import blanks_in
from pbem.inbox.commands.words import language_of
from pbem.inbox.understanding.normalization import bare
from pbem.inbox.understanding.slots.names import is_name
from pbem.wording import fold, wording

_WORDS = wording(__package__)
LITTLE = _WORDS.words("little", "words")
FEW_WORDS = 8  # of a line about anything but a move
_AND = re.compile(rf"(?:,\s*|\s+)(?:{_WORDS.either('joining')})\s+|(?<=[.!;])\s+")
_SMALL_NAME = re.compile(r"([^\W\d_][\w.'-]{1,23})\s+(?:" + _WORDS.either("before_game") + r")\s*$")
_MOST_PARTS = 5
_MOST_MATCHES = 3


@dataclass(frozen=True)
class MatchList:
    """`near` reads a part in free words; `written` a grammar line, if the writer may give it there."""

    near: Callable[[str], Command | None]
    written: Callable[[str, str], Command | None]

    def asked_in(self, text: str, whole: Command | None) -> Sequence[Challenge | Offer]:
        """Returns all matches asked for. Empty when there is only one."""
        # What a part lacks comes from the part before it, or from the `whole` line.
        if len(game_pattern().findall(bare(text))) < 2:
            return ()
        parts = _AND.split(text)
        found: list[Challenge | Offer] = []
        for part in parts[:_MOST_PARTS]:
            match = self._like(found[-1], part) if found else None
            if match := match or _of_match(self.near(part)):
                found.append(match)
        alone = {part for part in parts if part.istitle() and part.isalpha() and is_name(part)}
        who = {each.who for each in (*found, whole) if isinstance(each, Challenge)} or alone
        if len(who) == 1:
            found = [self._against(each, *who) for each in found]
        return found if 1 < len(set(found)) == len(found) <= _MOST_MATCHES else ()

    def _like(self, last: Challenge | Offer, part: str) -> Challenge | Offer | None:
        """Reads `Carla to emergo`, or `emergo` behind a challenge."""
        said, verb = blanks_in(f"a {part}"), last.line.split()[0]
        if "game" not in said or len(part.split()) > FEW_WORDS:
            return None
        small = _small_name(part.partition(said["game"])[0])
        who = [said.get("who", small or last.who)] if isinstance(last, Challenge) else []
        return _of_match(self.written(" ".join([verb, *who, said["game"]]), part))

    def _against(self, match: Challenge | Offer, who: str) -> Challenge | Offer:
        line = f"{called('CHALLENGE', language_of(match.line))} {who} {match.game}"
        challenge = _of_match(self.written(line, line)) if isinstance(match, Offer) else None
        return challenge or match


def _of_match(command: Command | None) -> Challenge | Offer | None:
    return command if isinstance(command, (Challenge, Offer)) else None


def _small_name(text: str) -> str:
    """Finds the name of `and anna to`, before a game."""
    named = _SMALL_NAME.search(text)
    return named[1] if named and fold(named[1]) not in LITTLE and is_name(named[1]) else ""
