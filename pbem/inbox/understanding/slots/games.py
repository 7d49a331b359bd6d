"""Finds slightly misspelled names of games: `trapdor ches`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache

from games.registry import games, heard, spoken_names
from pbem.inbox.commands.absent_games import AbsentGame, asked_by_name
from pbem.inbox.commands.newcomers import is_everyday, is_like_a_game, speaks_of_play
from pbem.inbox.commands.phrases import game_pattern
from pbem.inbox.understanding.normalization import bare
from pbem.wording import fold

_LONGEST = 240  # characters of a line
_WORD = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"\S*@\S*")
_ALIKE, _SHORT_NAME = 0.8, 4  # similarity of names; letters of a name at least
_MOST_WORDS = 4
_A_WORD = re.compile(r"[^\W\d_]")  # `40` beside zertz may be anything


def with_game_spelled(line: str) -> str:
    """Replaces a misspelled name of a game by the game's key."""
    if len(line) > _LONGEST or game_pattern().search(bare(line)) or not speaks_of_play(line):
        return line
    words = list(_WORD.finditer(_ADDRESS.sub(lambda found: " " * len(found[0]), line)))
    for span in _spans(words):
        if name := _nearest(" ".join(fold(word[0]) for word in span)):
            return f"{line[: span[0].start()]}{name}{line[span[-1].end() :]}"
    return line


def with_variant_spelled(line: str) -> str:
    """Writes a game with a variant beside it as one word: `scrambled loa` becomes `loa:scrambled`."""
    found = game_pattern().search(bare(line)) if len(line) <= _LONGEST else None
    game = heard(found[0].split()) if found else None
    if found is None or game is None or game[0] not in games():
        return line
    for variant in filter(_A_WORD.search, games()[game[0]].presets):
        word = re.escape(variant)
        before, behind = rf"(?P<before>(?<!\S){word}\s+)?", rf"(?P<behind>[\s,:(]+{word}(?!\w)\)?)?"
        said = re.search(before + re.escape(found[0]) + behind, bare(line))
        if said and (said["before"] or said["behind"]):
            return f"{line[: said.start()]}{game[0]}:{variant}{line[said.end() :]}"
    return line


def absent_in(lines: Iterable[str]) -> AbsentGame | None:
    """Returns the game asked for, if it is not offered here nor a misspelled one of ours; else None."""
    return asked_by_name(map(with_game_spelled, lines))


def _spans(words: Sequence[re.Match[str]]) -> Iterator[Sequence[re.Match[str]]]:
    for length in range(_MOST_WORDS, 0, -1):
        yield from (words[at : at + length] for at in range(len(words) - length + 1))


@lru_cache(maxsize=4096)
def _nearest(said: str) -> str:
    if is_like_a_game(said):
        return ""
    found = get_close_matches(said, _names(), n=1, cutoff=_ALIKE) if len(said) >= _SHORT_NAME else []
    game = heard(found[0].split()) if found else None
    return game[0] if game else ""


@cache
def _names() -> Sequence[str]:
    return [name for name in spoken_names() if len(name) >= _SHORT_NAME and not is_everyday(name)]
